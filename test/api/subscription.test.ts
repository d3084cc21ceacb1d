import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import pg from 'pg';
import WebSocket from 'ws';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/lib/logger.js';
import { startServer } from '../../src/server.js';
import type { RunningServer } from '../../src/server.js';
import { TestServer, adminKey } from '../support/server.js';

const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.database();
});

/** A client that watches items of the database. */
class Watcher {
  private readonly client: Client;
  private readonly changes: AsyncIterator<any>;

  constructor(url: string, { key = adminKey, args = '' }: { key?: string; args?: string } = {}) {
    this.client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    this.changes = this.client.iterate({
      query: `subscription { indexingStatusChanged(database: "${database}"${args}) { id collection indexingStatus errorMessage } }`,
    });
  }

  /** The next changes, as `id status`. */
  async next(count: number): Promise<string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      const { value } = await this.changes.next();
      if (value?.errors) throw new Error(JSON.stringify(value.errors));
      const { id, indexingStatus } = value.data.indexingStatusChanged;
      seen.push(`${id} ${indexingStatus}`);
    }
    return seen;
  }

  /** Whether the server has completed it. */
  async hasEnded(): Promise<boolean> {
    return (await this.changes.next()).done === true;
  }

  async error(): Promise<any> {
    return (await this.changes.next()).value.errors[0];
  }

  /** Operations of one connection are served in order: when a later one has answered, the subscription stands. */
  async stands(): Promise<void> {
    const query = `{ database(database: "${database}") { status } }`;
    await this.client.iterate({ query }).next();
    await this.client.iterate({ query }).next();
  }

  async stop(): Promise<void> {
    await this.client.dispose();
  }
}

const steps = (id: string) =>
  ['queued', 'processing', 'graph_creation', 'completed'].map((status) => `${id} ${status}`);
const ids = (...names: string[]) => `, ids: ${JSON.stringify(names)}`;

describe('a subscription with ids', () => {
  test('begins with where they stand, so that a client that comes back has missed no outcome', async () => {
    const first = new Watcher(server.url, { args: ids('a', 'b', 'unknown') });
    const queued = first.next(2);
    await first.stands();
    await server.rest('POST', '/context/ingest', {
      json: {
        database,
        type: 'memory',
        memories: [
          { id: 'a', text: 'x' },
          { id: 'b', text: 'y' },
        ],
      },
    });
    expect((await queued).sort()).toEqual(['a queued', 'b queued']);
    await first.stop();
    // While nobody listens.
    await server.idle();
    const again = new Watcher(server.url, { args: ids('a', 'b', 'unknown') });
    expect((await again.next(2)).sort()).toEqual(['a completed', 'b completed']);
    const news = again.next(4);
    await server.remember(database, [{ id: 'unknown', text: 'now known' }]);
    expect(await news).toEqual(steps('unknown'));
    await again.stop();
  });

  test('an empty collection is the default one', async () => {
    const watcher = new Watcher(server.url, { args: ', collection: ""' });
    const news = watcher.next(1);
    await watcher.stands();
    await server.remember(database, [{ id: 'aside', text: 'x' }], { collection: 'aside' });
    await server.remember(database, [{ id: 'inside', text: 'x' }]);
    expect(await news).toEqual(['inside queued']);
    await watcher.stop();
  });

  test('must name some, and not too many', async () => {
    for (const [args, problem] of [
      [', ids: []', 'must name at least one id'],
      [', ids: [" "]', 'must name at least one id'],
      [ids(...Array.from({ length: 1001 }, (_, n) => `i${n}`)), 'has 1001 ids; at most 1000'],
    ] as const) {
      const watcher = new Watcher(server.url, { args });
      expect(await watcher.error()).toMatchObject({
        message: expect.stringContaining(problem),
        extensions: { code: 'INVALID_INPUT' },
      });
      await watcher.stop();
    }
  });
});

test('a subscription completes when its database is deleted; one of another goes on', async () => {
  const gone = database;
  const watchers = [new Watcher(server.url), new Watcher(server.url, { args: ids('a') })];
  database = await server.database();
  const kept = new Watcher(server.url);
  const ended = Promise.all(watchers.map((watcher) => watcher.hasEnded()));
  const news = kept.next(1);
  await Promise.all([...watchers, kept].map((watcher) => watcher.stands()));
  await server.graphql(`mutation { deleteDatabase(database: "${gone}") { status } }`);
  expect(await ended).toEqual([true, true]);
  await server.remember(database, [{ id: 'here', text: 'x' }]);
  expect(await news).toEqual(['here queued']);
  await Promise.all([...watchers, kept].map((watcher) => watcher.stop()));
});

test('a subscription tells of what nobody may read only to those who may write it', async () => {
  const made = await server.graphql(
    'mutation { createApiKey(input: { name: "reader", scopes: [read] }) { key } }',
  );
  const reader = new Watcher(server.url, { key: made.body.data.createApiKey.key });
  const writer = new Watcher(server.url);
  const seen = Promise.all([reader.next(4), writer.next(8)]);
  await Promise.all([reader.stands(), writer.stands()]);
  await server.remember(database, [{ id: 'nobodys', text: 'x', acl: [] }]);
  await server.remember(database, [{ id: 'everyones', text: 'y' }]);
  expect(await seen).toEqual([steps('everyones'), [...steps('nobodys'), ...steps('everyones')]]);
  await Promise.all([reader.stop(), writer.stop()]);
});

test('a subscription hears thousands of changes that are made at once', async () => {
  const watcher = new Watcher(server.url);
  const items = Array.from({ length: 600 }, (_, n) => `item ${n}`);
  const seen = watcher.next(4 * items.length);
  await watcher.stands();
  await server.remember(
    database,
    items.map((id) => ({ id, text: id })),
  );
  expect((await seen).sort()).toEqual(items.flatMap(steps).sort());
  await watcher.stop();
});

onNative('two processes on one Postgres', () => {
  let other: RunningServer;
  /** Another process of ours, with a connection from before anything was broken. */
  let saboteur: pg.Client;
  beforeAll(async () => {
    const environment = { PORT: '0', DATA_DIR: server.dataDir, DATABASE_URL: server.databaseUrl };
    other = await startServer(readConfig({ ...environment, ROLE: 'web' }), {
      clock: server.clock,
      logger: createLogger('silent'),
      runJobs: false,
    });
    const url = new URL(server.databaseUrl ?? '');
    saboteur = new pg.Client({ connectionString: url.href });
    await saboteur.connect();
  });
  afterAll(async () => {
    await saboteur.end();
    await other.stop();
  });

  /** Lets new connections in, or none. */
  async function admit(open: boolean): Promise<void> {
    const outside = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await outside.connect();
    const name = new URL(server.databaseUrl ?? '').pathname.slice(1);
    await outside.query(`alter database "${name}" allow_connections ${open}`).finally(() => outside.end());
  }

  const listeners = `pid from pg_stat_activity where datname = current_database() and query = 'listen contexture_status'`;

  test('a client of either hears the changes that the other makes, in order', async () => {
    const near = new Watcher(server.url);
    const far = new Watcher(other.url);
    const seen = Promise.all([near.next(4), far.next(4)]);
    await Promise.all([near.stands(), far.stands()]);
    await server.remember(database, [{ id: 'a', text: 'x' }]);
    expect(await seen).toEqual([steps('a'), steps('a')]);
    const errors = Promise.all([near.next(3), far.next(3)]);
    const broken = await server.upload(database, { 'b.csv': Buffer.from([0xff, 0xfe, 0x00]) });
    const id = broken.body.data.results[0].id;
    await server.idle();
    const [fromNear, fromFar] = await errors;
    expect(fromFar).toEqual(fromNear);
    expect(fromFar.slice(0, 2)).toEqual([`${id} queued`, `${id} processing`]);
    await Promise.all([near.stop(), far.stop()]);
  });

  test('a client of either ends with a database that is deleted by the other', async () => {
    const far = new Watcher(other.url);
    const ended = far.hasEnded();
    await far.stands();
    await server.graphql(`mutation { deleteDatabase(database: "${database}") { status } }`);
    expect(await ended).toBe(true);
    await far.stop();
  });

  test('nothing is told of a transaction that is rolled back', async () => {
    const far = new Watcher(other.url);
    const seen = far.next(4);
    await far.stands();
    // The second item breaks a rule of the table, so the first is not stored either.
    const fail = `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create constraint trigger refuse after insert on sources deferrable initially deferred
      for each row when (new.id = 'refused') execute function refuse()`;
    await saboteur.query(fail);
    const refused = await server.rest('POST', '/context/ingest', {
      json: {
        database,
        type: 'memory',
        memories: [
          { id: 'also not', text: 'x' },
          { id: 'refused', text: 'y' },
        ],
      },
    });
    expect(refused.status).toBe(500);
    await saboteur.query('drop function refuse() cascade');
    await server.remember(database, [{ id: 'stored', text: 'x' }]);
    expect(await seen).toEqual(steps('stored'));
    await far.stop();
  });

  test('access lists hold there too, also those that no message has room for', async () => {
    const principals = Array.from({ length: 1000 }, (_, n) => `group:of-a-long-name-${n}`);
    const key = await server.graphql(
      `mutation { createApiKey(input: { name: "k", scopes: [read], principals: ["group:of-a-long-name-7"] }) { key } }`,
    );
    const limited = new Watcher(other.url, { key: key.body.data.createApiKey.key });
    const seen = limited.next(8);
    await limited.stands();
    await server.remember(database, [
      { id: 'for others', text: 'x', acl: principals.slice(8) },
      { id: 'for few others', text: 'x', acl: ['group:x'] },
      { id: 'mine', text: 'y', acl: principals },
      { id: 'everyones', text: 'z' },
    ]);
    expect((await seen).sort()).toEqual([...steps('mine'), ...steps('everyones')].sort());
    await limited.stop();
  });

  test('a listening connection that is lost is made again, and what it missed is told', async () => {
    await server.remember(database, [
      { id: 'a', text: 'x' },
      { id: 'b', text: 'y' },
      { id: 'old', text: 'z' },
    ]);
    server.clock.advance(3600);
    await server.rest('POST', '/context/ingest', {
      json: {
        database,
        type: 'memory',
        memories: [
          { id: 'a', text: 'new' },
          { id: 'b', text: 'new' },
        ],
      },
    });
    const all = new Watcher(other.url);
    const one = new Watcher(other.url, { args: ids('b') });
    await Promise.all([all.stands(), one.stands()]);
    expect(await one.next(1)).toEqual(['b queued']);
    const seen = Promise.all([all.next(2), one.next(1)]);
    // Nobody can listen while another process brings the items to their end.
    await admit(false);
    const killed = await saboteur.query(`select pg_terminate_backend(pid) from (select ${listeners}) as l`);
    expect(killed.rowCount).toBeGreaterThan(0);
    await saboteur.query(
      `update sources set indexing_status = case id when 'a' then 'completed' else 'errored' end, status_updated_at = $1
        where latest and id in ('a', 'b') and indexing_status = 'queued'`,
      [server.clock.now()],
    );
    await admit(true);
    const [ofAll, ofOne] = await seen;
    expect([ofAll.sort(), ofOne]).toEqual([['a completed', 'b errored'], ['b errored']]);
    // And it hears again.
    const news = all.next(4);
    await server.remember(database, [{ id: 'c', text: 'x' }]);
    expect(await news).toEqual(steps('c'));
    await Promise.all([all.stop(), one.stop()]);
  });
});
