import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import { startFilesystemFake } from '../support/connectors/filesystem-fake.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let fake: ReturnType<typeof startFilesystemFake>;
beforeAll(async () => {
  fake = startFilesystemFake();
  server = await TestServer.start({ environment: { FILESYSTEM_ROOTS: fake.root } });
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

/** A path in a folder whose name is written in Latin-1. */
const latin = (folder: string, name: string) => Buffer.from(`${folder}/${name}`, 'latin1');

test.each<[string, (folder: string) => void]>([
  ['a file', (folder) => writeFileSync(latin(folder, 'lat\u00e9n.txt'), 'some text')],
  ['a folder', (folder) => mkdirSync(latin(folder, 'caf\u00e9'))],
])(
  '%s whose name is not UTF-8 is passed over, and the message of its resource says so',
  async (kind, make) => {
    const folder = `${fake.folder}/${kind.replace(' ', '-')}`;
    mkdirSync(folder);
    writeFileSync(`${folder}/plain.txt`, 'some text');
    // A character like any other.
    writeFileSync(`${folder}/replaced-\ufffd.txt`, 'some text');
    make(folder);
    writeFileSync(latin(folder, 'unread\u00e9.exe'), 'nobody reads such a file');
    const connected = await Connected.make(server, {
      database: await server.database(),
      provider: 'filesystem',
      credentials: {},
      resources: [folder],
    });
    await server.idle();
    expect((await connected.items()).map(({ title }) => title as string).sort()).toEqual([
      'plain.txt',
      'replaced-\ufffd.txt',
    ]);
    const [resource] = (await connected.status())['resources'];
    expect(resource).toMatchObject({ status: 'ok', objects_seen: 2 });
    expect(resource.message).toMatch(/(lat|caf)\ufffd.*: its name is not UTF-8$/);
  },
);
