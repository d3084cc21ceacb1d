import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { whileHeldUp } from '../support/held-up.js';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select 'ann', account_id, secret_hash, 'ann', '{write}', '{ann}', created_at from api_keys where prefix = 'test'`,
  );
});
afterAll(async () => server.stop());

const annsKey = `ann.${adminKey.split('.')[1]}`;

async function ingest(
  memory: Record<string, unknown>,
  { key = adminKey, ...more }: { key?: string; upsert?: boolean } = {},
) {
  const answer = await server.rest('POST', '/context/ingest', {
    json: { database, type: 'memory', memories: [memory], ...more },
    key,
  });
  expect(answer.status).toBe(202);
  const { status, error_code } = answer.body.data.results[0] as { status: string; error_code: string };
  return error_code || status;
}

const textOf = async (id: string) => {
  const answer = await server.rest('GET', `/context/inspect?database=${database}&type=memory&id=${id}`);
  return answer.body.data.content as string;
};

/** Holds a write of `id` up after it has looked at what is there, and puts the item `other` in that place meanwhile. */
const whileAnotherArrives = <T>(other: string, id: string, write: () => Promise<T>) =>
  whileHeldUp({ server, table: 'sources', mode: 'share' }, write, (blocker) =>
    blocker.query('update sources set id = $2 where id = $1', [other, id]),
  );

test.each([false, true])(
  'of writers at once with upsert=false one is told queued; a limited key: %s',
  async (limited) => {
    const key = limited ? annsKey : adminKey;
    for (let round = 0; round < 10; round += 1) {
      const id = `u${round}${limited}`;
      const writers = Array.from({ length: 6 }, (_, index) => `writer ${index}`);
      const results = await Promise.all(writers.map((text) => ingest({ id, text }, { upsert: false, key })));
      expect(results.filter((result) => result === 'queued')).toHaveLength(1);
      expect(results.filter((result) => result === 'E9003')).toHaveLength(5);
      await server.idle();
      expect(await textOf(id)).toContain(writers[results.indexOf('queued')]);
    }
  },
);

test.each([false, true])(
  'writers at once replace each other, and none fails; a limited key: %s',
  async (limited) => {
    const key = limited ? annsKey : adminKey;
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ingest({ id: 'crowded', text: `${index}` }, { key })),
    );
    expect(new Set(results)).toEqual(new Set(['queued']));
  },
);

// The embedded Postgres runs one transaction at a time.
const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

onNative('upsert=false does not replace what came after it looked', async () => {
  await ingest({ id: 'first', text: 'the first' });
  await server.idle();
  const result = await whileAnotherArrives('first', 'meanwhile', () =>
    ingest({ id: 'meanwhile', text: 'the second' }, { upsert: false }),
  );
  await server.idle();
  expect([result, await textOf('meanwhile')]).toEqual(['E9003', 'the first']);
});

onNative('a limited key does not replace what came after it looked and is hidden from it', async () => {
  await ingest({ id: 'secret', text: 'for Bob', acl: ['bob'] });
  await server.idle();
  const result = await whileAnotherArrives('secret', 'shared', () =>
    ingest({ id: 'shared', text: 'by Ann' }, { key: annsKey }),
  );
  await server.idle();
  expect([result, await textOf('shared')]).toEqual(['E9003', 'for Bob']);
});

onNative('content is that of one version, or of none, whatever becomes of it while it is read', async () => {
  const upload = (text: string) =>
    server.upload(database, { 'd.md': text }, { document_metadata: '[{"id":"d"}]' });
  const read = () => server.rest('GET', `/context/inspect?database=${database}&id=d`);
  await upload('The first edition.');
  await server.idle();
  const chunks = `chunks_${await server.databaseId(database)}_knowledge`;
  const held = { server, table: chunks, mode: 'access exclusive' } as const;
  // As indexing and the removal of what was replaced do, whose statements would wait for the table as well.
  const replaced = await whileHeldUp(held, read, async (blocker) => {
    await upload('The second edition.');
    await blocker.query(`update sources set visible = false where id = 'd' and not latest`);
    await blocker.query(`delete from ${chunks}`);
  });
  // The second edition is still to be indexed.
  expect([replaced.status, replaced.body.data.content]).toEqual([200, null]);
  await server.idle();
  const deleted = await whileHeldUp(held, read, async (blocker) => {
    await server.rest('DELETE', '/context', { json: { database, ids: ['d'] } });
    await blocker.query(`delete from ${chunks}`);
  });
  expect([deleted.status, deleted.body.error?.code]).toEqual([404, 'SOURCE_NOT_FOUND']);
});
