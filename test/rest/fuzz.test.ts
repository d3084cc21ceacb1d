import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ITEM_ALIASES, PARAMETER_ALIASES } from '../../rest-compat/aliases.js';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { loadOperation } from '../../rest-compat/operations.js';
import { executableSchema } from '../../src/api/schema.js';
import { hostileJson, hostileText } from '../support/hostile.js';
import {
  EXAMPLES,
  connectExample,
  exampleProviders,
  logExampleQuery,
  registerExampleWebhook,
  routesOf,
} from '../support/requests.js';
import type { Route } from '../support/requests.js';
import { TestServer, adminKey } from '../support/server.js';

// Whatever is sent, the server answers, in its envelope, and it is never its own fault.

const runs = Number(process.env['FUZZ_RUNS'] ?? 20);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const patienceMs = 15_000;

const schema = await executableSchema();
const aliasNames = [...PARAMETER_ALIASES, ...Object.values(ITEM_ALIASES).flat()].map(({ alias }) => alias);
const authorization = { authorization: `Bearer ${adminKey}` };

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start(exampleProviders());
  database = await server.database({
    database_metadata_schema: [{ name: 'team' }, { name: 'size', data_type: 'INT64' }],
  });
  await server.remember(database, [{ id: 'known', text: 'a fact', metadata: { team: 'a', size: 1 } }]);
  await logExampleQuery(server, database);
  await registerExampleWebhook(server);
  await connectExample(server, database);
});
afterAll(async () => server.stop());

async function send(
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: any }> {
  const response = await fetch(server.url + path, {
    method,
    ...init,
    headers: { ...authorization, ...(init.headers as Record<string, string>) },
    signal: AbortSignal.timeout(patienceMs),
  });
  return { status: response.status, body: await response.json() };
}

function expectAnswered({ status, body }: { status: number; body: any }): void {
  expect({ status, body }).toMatchObject({ status: expect.any(Number) });
  if (status >= 500) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  if (status < 400) return;
  expect(body).toMatchObject({
    success: false,
    // A deletion that failed says what holds for each id.
    data: body.data?.results ? expect.objectContaining({ deleted_count: 0 }) : null,
    error: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) },
    meta: { request_id: expect.any(String) },
  });
}

const routes = routesOf(ENDPOINTS).map((route) => {
  const names = [...loadOperation(schema, route).variables.keys()];
  return [
    `${route.method} ${route.path}`,
    { route, names: [...names, ...aliasNames, 'nonsense', '__proto__'] },
  ] as const;
});

const pathWith = ({ path }: Route, text: string) =>
  path.replace(/\{\w+\}/g, () => encodeURIComponent(text.toWellFormed()));

describe.each(routes)('%s', (_name, { route, names }) => {
  const good = (): Record<string, unknown> => {
    const example = EXAMPLES[route.operation]?.(database) ?? {};
    // Deleting is tried on what is not there: the others need this database and its item.
    if (route.operation === 'delete-sources') return { ...example, ids: ['not-there'] };
    if (route.operation === 'delete-connector') return { ...example, id: 'not-there' };
    return route.operation === 'delete-database' ? { ...example, database: 'not-there' } : example;
  };
  const pathOfExample = () =>
    route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((good()[name] as string | undefined) ?? database),
    );
  const parameters = fc.dictionary(fc.constantFrom(...names), hostileJson, { maxKeys: 4 });

  test('hostile bodies, query strings, forms and paths are answered', async () => {
    await fc.assert(
      fc.asyncProperty(
        parameters,
        hostileText,
        fc.constantFrom('json', 'query', 'form'),
        async (bad, text, way) => {
          const given = { ...good(), ...bad };
          const plain = (value: unknown) => (typeof value === 'string' ? value : stringify(value));
          const pairs = Object.entries(given).map(([name, value]): [string, string] => [name, plain(value)]);
          const path = way === 'json' ? pathOfExample() : pathWith(route, text.slice(0, 500));
          if (way === 'query' || route.body === 'none') {
            const query = new URLSearchParams(
              pairs.map(([name, value]): [string, string] => [name, value.slice(0, 2000)]),
            );
            return expectAnswered(await send(route.method, `${path}?${query.toString()}`));
          }
          const body = way === 'json' ? stringify(given) : new URLSearchParams(pairs);
          const headers = way === 'json' ? { 'content-type': 'application/json' } : {};
          return expectAnswered(await send(route.method, path, { body, headers }));
        },
      ),
      { numRuns: runs, seed },
    );
  });
});

test.each(routes.filter(([, { route }]) => route.method !== 'GET'))(
  '%s: bodies that are not what they say are answered',
  async (_name, { route }) => {
    const types = [
      'application/json',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'text/plain',
      'a/b; c',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...types), async (bytes, type) => {
        const headers = type ? { 'content-type': type } : {};
        expectAnswered(await send(route.method, pathWith(route, database), { body: bytes, headers }));
      }),
      { numRuns: Math.ceil(runs / 4), seed },
    );
  },
);

/** JSON.stringify does not survive the deepest values; their text is made by hand. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`;
  }
}

describe('the HTTP layer', () => {
  test('games with headers are answered', async () => {
    const names = [
      'x-request-id',
      'api-version',
      'idempotency-key',
      'content-type',
      'accept',
      'origin',
      'range',
      'expect',
    ];
    const value = hostileText.map((text) => text.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 2000));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), async (headers) => {
        const { expect: expectation, ...others } = headers;
        if (expectation) return;
        const get = await send('GET', '/databases', { headers: others });
        expectAnswered(get);
        const post = await send('POST', '/query', {
          headers: others,
          body: JSON.stringify({ database, query: 'x' }),
        });
        expectAnswered(post);
      }),
      { numRuns: runs * 2, seed },
    );
  });

  const head = `host: x\r\nauthorization: Bearer ${adminKey}\r\n`;
  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a broken length', `POST /query HTTP/1.1\r\n${head}content-length: x\r\n\r\n`],
    ['two lengths', `POST /query HTTP/1.1\r\n${head}content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef`],
    [
      'length and chunks',
      `POST /query HTTP/1.1\r\n${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a broken chunk',
      `POST /query HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['a header of 100 KB', `GET /databases HTTP/1.1\r\n${head}x: ${'y'.repeat(100_000)}\r\n\r\n`],
    ['a path of 100 KB', `GET /${'y'.repeat(100_000)} HTTP/1.1\r\n${head}\r\n`],
    [
      'a broken escape',
      `GET /databases/%E0%A4%A/metadata-schema HTTP/1.1\r\n${head}connection: close\r\n\r\n`,
    ],
    ['a strange method', `BREW /databases HTTP/1.1\r\n${head}connection: close\r\n\r\n`],
    ['an absolute address', `GET http://evil.example/databases HTTP/1.1\r\n${head}connection: close\r\n\r\n`],
    ['control characters', `GET /data\u0001bases HTTP/1.1\r\n${head}\r\n`],
  ])('%s is answered with 4xx, or as if it were none, and the server goes on', async (_case, sent) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(sent));
      let text = '';
      socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer')));
      socket.on('data', (bytes) => (text += bytes.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 [24]\d\d /);
    expect((await send('GET', '/databases')).status).toBe(200);
  });

  test('a slow body holds up nobody else', async () => {
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /query HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"database"`,
      );
      return socket;
    });
    await Promise.all(
      Array.from({ length: 20 }, async () => expect((await send('GET', '/databases')).status).toBe(200)),
    );
    for (const socket of sockets) socket.destroy();
  });
});

test('all of it left nothing behind: no upload, no statement under way, no growing heap', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const round = () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom('query', 'ids', 'alpha'), hostileJson), async (bad) => {
        const body = stringify({ database, query: 'a fact', type: 'memory', ...bad });
        expectAnswered(
          await send('POST', '/query', { body, headers: { 'content-type': 'application/json' } }),
        );
      }),
      { numRuns: 150, seed },
    );
  await round();
  const before = heap();
  await round();
  await round();
  expect(heap() - before).toBeLessThan(10_000_000);
  expect(readdirSync(join(server.dataDir, 'incoming'))).toEqual([]);
  const { pool } = server.running.app.postgres;
  expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
});
