import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

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
      const plain = await allowing.rest('OPTIONS', '/databases/status', { headers: { origin: page } });
      expect([plain.status, plain.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(plain.headers.get('access-control-allow-origin')).toBe(page);
      for (const [path, key, status] of [
        ['/graphql', undefined, 405],
        ['/nowhere', undefined, 404],
        ['/databases', null, 401],
      ] as const) {
        const other = await allowing.rest('OPTIONS', path, key === null ? { key } : {});
        expect([path, other.status]).toEqual([path, status]);
        expect(other.headers.get('x-request-id')).toMatch(/./);
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
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect((await server.rest('OPTIONS', '/databases/status', { key: null })).status).toBe(401);
  });
});

describe('HEAD', () => {
  let server: TestServer;
  let database: string;
  beforeAll(async () => {
    server = await TestServer.start();
    database = await server.database();
    await server.upload(
      database,
      { 'a.txt': 'The pond is deep. '.repeat(10_000) },
      { document_metadata: '[{"id":"file"}]' },
    );
    await server.remember(database, [{ id: 'memory', text: 'a fact' }]);
  });
  afterAll(async () => server.stop());

  /** What both methods have to say alike; ids and times of requests differ. */
  const both = async (path: string, headers: Record<string, string>) => {
    const url = new URL(path, server.url);
    const [got, head] = [await fetch(url, { headers }), await fetch(url, { method: 'HEAD', headers })];
    const body = await got.text();
    expect(await head.text()).toBe('');
    const said = ({ status, headers: sent }: Response) => [
      status,
      ...['content-type', 'content-disposition', 'content-security-policy', 'cache-control', 'allow'].map(
        (name) => sent.get(name),
      ),
    ];
    expect(said(head)).toEqual(said(got));
    return { status: head.status, length: head.headers.get('content-length'), body };
  };
  const linkTo = async (id: string, type: string): Promise<string> => {
    const path = `/context/inspect?database=${database}&type=${type}&id=${id}&mode=url`;
    return (await server.rest('GET', path)).body.data.presigned_url;
  };

  test('is answered as GET without a body: signed links, pages and documents', async () => {
    for (const path of [
      await linkTo('file', 'knowledge'),
      await linkTo('memory', 'memory'),
      '/docs',
      '/docs/assets/initializer.js',
      '/openapi.json',
    ]) {
      const { status, length, body } = await both(path, { authorization: `Bearer ${adminKey}` });
      expect([path, status, length]).toEqual([path, 200, String(Buffer.byteLength(body))]);
    }
    expect((await both('/content/forged', {})).status).toBe(404);
    const page = await both('/graphql', { accept: 'text/html' });
    expect([page.status, page.length]).toEqual([200, String(Buffer.byteLength(page.body))]);
  });

  test('like GET and POST, of REST and GraphQL, tells caches to keep no answer of a key, refused or not', async () => {
    const answers = [
      await server.rest('HEAD', '/databases'),
      await server.rest('GET', '/databases'),
      await server.rest('GET', '/databases', { key: null }),
      await server.rest('POST', '/query', { json: { database, query: 'pond' } }),
      await server.graphql('{ viewer { account } }'),
      await server.graphql('{ nothing }'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
      [200, 200, 401, 200, 200, 400].map((status) => [status, 'no-store']),
    );
  });

  test('is answered as GET by the endpoints of the interface, with and without a key', async () => {
    for (const path of [
      `/context/list?database=${database}`,
      '/databases',
      '/databases/status',
      '/nowhere',
    ]) {
      const headers = { authorization: `Bearer ${adminKey}` };
      const { status, length } = await both(path, headers);
      expect([path, status]).toEqual([path, { '/nowhere': 404, '/databases/status': 400 }[path] ?? 200]);
      expect(Number(length)).toBeGreaterThan(0);
      expect((await both(path, {})).status).toBe(401);
    }
  });

  test('by HEAD GraphQL serves what it serves by GET, and no mutation', async () => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const asked = (query: string) => `/graphql?${new URLSearchParams({ query }).toString()}`;
    expect((await both(asked('{ databases { names } }'), headers)).status).toBe(200);
    expect((await both(asked('{ nothing }'), headers)).status).toBe(400);
    const mutation = asked('mutation { createDatabase(input: {database: "by-head"}) { status } }');
    expect((await both(mutation, headers)).status).toBe(405);
    expect((await server.rest('GET', '/databases/status?database=by-head')).status).toBe(404);
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

  test('are read to their end when they are refused, so that the answer arrives', async () => {
    const upload = async (path: string, key: string) => {
      const made = new FormData();
      made.append('database', database);
      made.append('documents', new Blob(['a'.repeat(2_000_000)]), 'large.txt');
      return (await server.rest('POST', path, { form: made, key })).status;
    };
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await upload('/context/ingest', 'no.key')).toBe(401);
      expect(await upload('/context/nowhere', adminKey)).toBe(404);
      expect(await upload('/databases', adminKey)).toBe(415);
    }
  });

  test('are refused by name when they are compressed', async () => {
    const send = (encoding: string, path = '/context/ingest') => {
      const json = { database, type: 'memory', memories: [{ text: 'a fact' }] };
      return server.rest('POST', path, { json, headers: { 'content-encoding': encoding } });
    };
    for (const path of ['/context/ingest', '/databases']) {
      const { status, body, headers } = await send('gzip', path);
      expect([status, body.error]).toMatchObject([
        415,
        {
          code: 'INVALID_INPUT',
          message: 'Content-Encoding "gzip" is not served; send the body as it is',
        },
      ]);
      expect(headers.get('accept-encoding')).toBe('identity');
    }
    expect((await send('Identity')).status).toBe(202);
  });

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
