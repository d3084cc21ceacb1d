import { expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

test('no log line has a signed link, however it is asked for', async () => {
  const lines: string[] = [];
  const server = await TestServer.start({ log: (line) => lines.push(line) });
  try {
    const database = await server.database();
    await server.upload(database, { 'a.txt': 'words' }, { document_metadata: '[{"id":"a"}]' });
    await server.idle();
    const asked = await server.rest('GET', `/context/inspect?database=${database}&id=a&mode=url`);
    const { pathname } = new URL(asked.body.data.presigned_url);
    const signature = pathname.split('.')[1] ?? '';
    lines.length = 0;
    for (const [method, path, status] of [
      ['GET', pathname, 200],
      ['HEAD', `${pathname}?x=1`, 200],
      ['GET', pathname.replace('/content', '/%63ontent'), 200],
      ['GET', `${pathname}/more`, 401],
      ['POST', pathname, 401],
    ] as const)
      expect([method, path, (await server.rest(method, path, { key: null })).status]).toEqual([
        method,
        path,
        status,
      ]);
    expect(lines.filter((line) => line.includes('"path":"/content/:token"'))).toHaveLength(5);
    expect(signature.length).toBeGreaterThan(40);
    expect(lines.join()).not.toContain(signature);
  } finally {
    await server.stop();
  }
});
