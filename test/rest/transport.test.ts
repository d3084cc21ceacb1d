import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

describe('CORS', () => {
  test('sites of CORS_ORIGINS may call both APIs, with preflight without a key; others and the default may not', async () => {
    const page = 'https://app.example.com';
    const preflight = (server: TestServer, path: string, origin: string) =>
      fetch(server.url + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,api-version,idempotency-key',
        },
      });
    const allowing = await TestServer.start({ environment: { CORS_ORIGINS: `${page}, https://b.example` } });
    try {
      for (const path of ['/query', '/graphql', '/databases']) {
        const allowed = await preflight(allowing, path, page);
        expect(allowed.status).toBe(204);
        expect(allowed.headers.get('access-control-allow-origin')).toBe(page);
        expect(allowed.headers.get('access-control-allow-methods')).toMatch(/POST/);
        expect(allowed.headers.get('access-control-allow-headers')).toMatch(/authorization.*idempotency-key/);
        const foreign = await preflight(allowing, path, 'https://evil.example');
        expect(foreign.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
      }
      const answer = await allowing.rest('GET', '/databases', { headers: { origin: page } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(page);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/);
      const refused = await allowing.rest('GET', '/databases', { headers: { origin: page }, key: null });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page]);
    } finally {
      await allowing.stop();
    }
    const closed = await TestServer.start();
    try {
      const answer = await preflight(closed, '/query', page);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    } finally {
      await closed.stop();
    }
  });
});

describe('a path that is not served', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(async () => server.stop());

  test.each(['application/json', 'application/xml', 'multipart/form-data', 'text/plain'])(
    'is 401 without a key and 404 with one, whatever body of %s it has',
    async (contentType) => {
      const send = (key?: null) =>
        server.rest('POST', '/nowhere', {
          raw: '{',
          headers: { 'content-type': contentType },
          ...(key === null && { key }),
        });
      const [stranger, known] = [await send(null), await send()];
      expect([stranger.status, stranger.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect([known.status, known.body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect(known.body.meta.request_id).toBe(known.headers.get('x-request-id'));
    },
  );

  test('is one request of its key, as is a file that is not there', async () => {
    const limited = await TestServer.start({ environment: { RATE_LIMIT_PER_MINUTE: '9' } });
    try {
      const remaining = async (path: string) => {
        const answer = await limited.rest('GET', path);
        return [answer.status, answer.headers.get('ratelimit-remaining')];
      };
      expect(await remaining('/nowhere')).toEqual([404, '8']);
      expect(await remaining('/docs/assets/nothing.js')).toEqual([404, '7']);
      expect((await limited.rest('GET', '/docs/assets/nothing.js', { key: null })).status).toBe(401);
    } finally {
      await limited.stop();
    }
  });

  test('a method that no route of it serves is 405, OPTIONS too', async () => {
    const answer = await server.rest('OPTIONS', '/databases/status');
    expect([answer.status, answer.body.error.code]).toEqual([405, 'INVALID_INPUT']);
    expect(answer.headers.get('allow')).toBe('GET');
    expect((await server.rest('OPTIONS', '/databases/status', { key: null })).status).toBe(401);
  });
});

describe('bodies of ingest', () => {
  let server: TestServer;
  let database: string;
  beforeAll(async () => {
    server = await TestServer.start();
    database = await server.database();
  });
  afterAll(async () => server.stop());

  const memories = [{ id: 'm', text: 'a fact', metadata: { team: 'a' } }];
  const form = (fields: Record<string, string>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.append(name, value);
    return made;
  };
  test.each<[string, () => object]>([
    ['JSON with real arrays', () => ({ json: { database, type: 'memory', memories, upsert: true } })],
    [
      'JSON with strings',
      () => ({ json: { database, type: 'memory', memories: JSON.stringify(memories), upsert: 'true' } }),
    ],
    [
      'a form',
      () => ({ form: form({ database, type: 'memory', memories: JSON.stringify(memories), upsert: '1' }) }),
    ],
    [
      'a URL-encoded form',
      () => ({ form: new URLSearchParams({ database, type: 'memory', memories: JSON.stringify(memories) }) }),
    ],
    [
      'a single object in place of the list',
      () => ({ form: form({ database, type: 'memory', memories: JSON.stringify(memories[0]) }) }),
    ],
  ])('%s is read', async (_case, options) => {
    const answer = await server.rest('POST', '/context/ingest', options());
    expect([answer.status, answer.body.error ?? null]).toEqual([202, null]);
    expect(answer.body.data.results).toMatchObject([{ id: 'm', status: 'queued' }]);
  });

  test('media types are read in any case', async () => {
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const fields = { database, type: 'memory', memories: JSON.stringify(memories) };
    const multipart = Object.entries(fields)
      .map(([name, value]) => part(name, value))
      .join('');
    for (const [contentType, raw] of [
      ['Multipart/Form-Data; boundary=x', `${multipart}--x--\r\n`],
      ['Application/X-WWW-Form-Urlencoded', new URLSearchParams(fields).toString()],
      ['Application/JSON', JSON.stringify(fields)],
    ] as const) {
      const answer = await server.rest('POST', '/context/ingest', {
        raw,
        headers: { 'content-type': contentType },
      });
      expect([contentType, answer.status]).toEqual([contentType, 202]);
    }
  });

  test('upsert of another word is 400', async () => {
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories, upsert: 'yes' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/upsert/);
  });
});
