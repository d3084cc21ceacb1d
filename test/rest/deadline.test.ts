import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Embedder } from '../../src/inference/embedder.js';
import { embeddedSocketFolder } from '../../src/postgres/embedded.js';
import { TestServer, adminKey } from '../support/server.js';

describe('deadline', () => {
  /** Answers a query only when it is told to stop. */
  class SilentEmbedder implements Embedder {
    readonly model = 'silent';
    readonly dimensions = 2;
    readonly denseWeight = 0.5;
    readonly cached = false;
    readonly dimensionsShown = { default: 2, min: 2, max: 2 };
    private readonly events = new EventEmitter();
    readonly asked = once(this.events, 'asked');
    readonly stopped = once(this.events, 'stopped');
    async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
      return texts.map(() => Float32Array.of(1, 0));
    }
    embedQuery(_text: string, signal?: AbortSignal): Promise<Float32Array> {
      this.events.emit('asked');
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => {
          this.events.emit('stopped');
          reject(new Error('stopped'));
        }),
      );
    }
    async close(): Promise<void> {}
  }

  test('a query that takes longer is 503 with Retry-After, and its call to the model is stopped', async () => {
    const embedder = new SilentEmbedder();
    const server = await TestServer.start({ embedder, environment: { QUERY_TIMEOUT_MS: '300' } });
    try {
      const database = await server.database();
      await server.remember(database, [{ text: 'x' }]);
      const json = { database, query: 'x', type: 'memory' };
      const rest = await server.rest('POST', '/query', { json });
      expect([rest.status, rest.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(rest.body.error.message).toMatch(/deadline of 300 ms/);
      expect(rest.headers.get('retry-after')).toBe('1');
      await embedder.stopped;
      const graphql = await server.graphql(
        'query ($database: String!) { search(database: $database, query: "x", type: memory) { queryId } }',
        { database },
      );
      expect(graphql.body.errors[0].extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        httpStatus: 503,
      });
    } finally {
      await server.stop();
    }
  });

  test('a client that goes away stops the work of its query', async () => {
    const embedder = new SilentEmbedder();
    const server = await TestServer.start({ embedder });
    try {
      const database = await server.database();
      await server.remember(database, [{ text: 'x' }]);
      const leaving = new AbortController();
      const asked = fetch(`${server.url}/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ database, query: 'x', type: 'memory' }),
        signal: leaving.signal,
      });
      await embedder.asked;
      leaving.abort();
      await expect(asked).rejects.toThrow();
      await embedder.stopped;
    } finally {
      await server.stop();
    }
  });

  test('statements that wait, be it for a connection, are given up, and ended in Postgres', async () => {
    const server = await TestServer.start({
      environment: { QUERY_TIMEOUT_MS: '300', DATABASE_POOL_SIZE: '5' },
    });
    const blocker = new pg.Client(
      server.databaseUrl
        ? { connectionString: server.databaseUrl }
        : { host: embeddedSocketFolder(server.dataDir), user: 'postgres', database: 'postgres' },
    );
    try {
      const database = await server.database();
      await blocker.connect();
      await blocker.query('begin; lock table collections in access exclusive mode');
      const ask = () => server.rest('POST', '/query', { json: { database, query: 'x' } });
      // More than there are connections.
      const answers = await Promise.all(Array.from({ length: 12 }, ask));
      for (const { status, body } of answers)
        expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      // It is ended while the answer is on its way: soon, and before the lock is given up.
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      while ((await blocker.query(waiting)).rows.length > 0) continue;
      await blocker.query('rollback');
      expect((await ask()).status).toBe(200);
    } finally {
      await blocker.end();
      await server.stop();
    }
  });
});
