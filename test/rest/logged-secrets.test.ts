import { expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

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

test('at no level does the log have the API key of a request or what it sends', async () => {
  const lines: string[] = [];
  const server = await TestServer.start({ log: (line) => lines.push(line) });
  try {
    const database = await server.database();
    await server.upload(database, { 'a.txt': 'okapis of the file' });
    const memories = [{ id: 'm', text: 'okapis of the memory' }];
    await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
    await server.rest('POST', '/query', { json: { database, query: 'okapis asked for' } });
    await server.graphql(
      'query ($d: String!) { search(database: $d, query: "okapis asked for") { queryId } }',
      {
        d: database,
      },
    );
    await server.idle();
    expect(lines.some((line) => line.includes('"level":10'))).toBe(true);
    expect(
      lines.filter((line) => line.includes(adminKey.split('.')[1] ?? '') || /okapis/.test(line)),
    ).toEqual([]);
  } finally {
    await server.stop();
  }
});
