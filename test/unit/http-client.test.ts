import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HttpClient, HttpRequestError } from '../../src/lib/http-client.js';
import type { HttpClientOptions } from '../../src/lib/http-client.js';
import { ConnectionCounter } from '../support/connection-counter.js';

const clients: HttpClient[] = [];

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = new HttpClient({ allowPrivate: false, ...options });
  clients.push(made);
  return made;
}

afterEach(async () => {
  for (const made of clients.splice(0)) await made.close();
});

const post = { method: 'POST', body: 'hello', timeoutMs: 5000, responseBytesMax: 100 };

async function failure(from: HttpClient, url: string): Promise<HttpRequestError> {
  const error: unknown = await from.request({ ...post, url }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpRequestError)) throw new Error(`${url}: ${String(error)}`);
  return error;
}

/** Spellings of this very machine; `@` stands for the port of the listener. */
const loopbackUrls = [
  'https://127.0.0.1:@/hook',
  'https://127.0.0.1.:@/hook',
  'https://127.1:@/hook',
  'https://127.0.1:@/hook',
  'https://2130706433:@/hook',
  'https://0x7f000001:@/hook',
  'https://0x7f.0x0.0x0.0x1:@/hook',
  'https://0177.0.0.1:@/hook',
  'https://017700000001:@/hook',
  'https://0177.0.0x1:@/hook',
  'https://127.255.255.254:@/hook',
  'https://0.0.0.0:@/hook',
  'https://0:@/hook',
  'https://%31%32%37.0.0.1:@/hook',
  'https://①②⑦.⓪.⓪.①:@/hook',
  'https://127。0。0。1:@/hook',
  'https://[::1]:@/hook',
  'https://[0:0:0:0:0:0:0:1]:@/hook',
  'https://[::]:@/hook',
  'https://[::ffff:127.0.0.1]:@/hook',
  'https://[::ffff:7f00:1]:@/hook',
  'https://[::FFFF:7F00:0001]:@/hook',
  'HTTPS://127.0.0.1:@/hook',
  'https:\\\\127.0.0.1:@\\hook',
  'https:127.0.0.1:@/hook',
  ' https://127.0.0.1:@/hook ',
];

const otherPrivateUrls = [
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/latest/meta-data/',
  'https://0xa9fea9fe/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://100.100.100.200/latest/meta-data/',
  'https://168.63.129.16/machine',
  'https://192.0.0.192/opc/v2/',
  'https://10.0.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1:8443/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
];

const malformedUrls = [
  ['http://example.com/hook', 'must begin with https://'],
  ['ftp://example.com/hook', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['https://user@example.com/', 'must not hold a user name or a password'],
  ['https://user:secret@example.com/', 'must not hold a user name or a password'],
  ['https://example.com:443@127.0.0.1/', 'must not hold a user name or a password'],
  ['https://example.com:65536/', 'must be a URL'],
  ['https://[::1%25lo]/', 'must be a URL'],
  ['https://256.256.256.256/', 'must be a URL'],
  ['https://exa mple.com/', 'must be a URL'],
  ['//example.com/', 'must be a URL'],
  ['', 'must be a URL'],
] as const;

describe('a guarded client', () => {
  const listener = new ConnectionCounter();
  const url = (text: string) => text.replace('@', String(listener.port));

  beforeAll(() => listener.listen());
  beforeEach(() => {
    listener.connections = 0;
  });
  afterAll(() => listener.close());

  test.each(loopbackUrls)('does not reach this machine as %s', async (text) => {
    expect((await failure(client(), url(text))).kind).toBe('refused');
    expect(await client().problemOf(url(text))).toBe('leads to a private or reserved address');
    expect(listener.connections).toBe(0);
  });

  // Without it, none of the spellings above would show anything.
  test('reaches this machine under the same spellings when it may', async () => {
    const open = client({ allowPrivate: true });
    for (const text of loopbackUrls) {
      expect(await open.problemOf(url(text))).toBeUndefined();
      expect((await failure(open, url(text))).kind).toBe('network');
    }
    expect(listener.connections).toBeGreaterThanOrEqual(loopbackUrls.length);
  });

  test.each(otherPrivateUrls)('does not connect to %s', async (text) => {
    expect((await failure(client(), text)).message).toBe('leads to a private or reserved address');
    expect(await client().problemOf(text)).toBe('leads to a private or reserved address');
  });

  test.each(malformedUrls)('refuses %s: %s', async (text, reason) => {
    expect(await client().problemOf(text)).toBe(reason);
    const error = await failure(client(), text);
    expect([error.kind, error.message]).toEqual(['refused', reason]);
  });

  test.each(['receiver.test', 'RECEIVER.test', 'receiver.test.', 'xn--receiver-9za.test'])(
    'a name that turns private after it was checked (%s) is not connected to',
    async (name) => {
      const answers = ['93.184.216.34', '127.0.0.1'];
      const rebound = client({
        resolve: () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }]),
      });
      expect(await rebound.problemOf(url(`https://${name}:@/`))).toBeUndefined();
      expect((await failure(rebound, url(`https://${name}:@/`))).kind).toBe('refused');
      expect(listener.connections).toBe(0);
    },
  );

  test('one private address among public ones refuses the name', async () => {
    const mixed = client({
      resolve: () =>
        Promise.resolve([
          { address: '93.184.216.34', family: 4 },
          { address: '::1', family: 6 },
        ]),
    });
    expect(await mixed.problemOf(url('https://receiver.test:@/'))).toBe(
      'leads to a private or reserved address',
    );
    expect((await failure(mixed, url('https://receiver.test:@/'))).kind).toBe('refused');
    expect(listener.connections).toBe(0);
  });

  test('names of this machine are refused or unknown', async () => {
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']) {
      expect(await client().problemOf(url(`https://${name}:@/`))).toBeDefined();
      await failure(client(), url(`https://${name}:@/`));
    }
    expect(listener.connections).toBe(0);
  });

  test('a name without addresses is told from one that is refused', async () => {
    const notFound = Object.assign(new Error('queryA ENOTFOUND receiver.test'), { code: 'ENOTFOUND' });
    const unknown = client({ resolve: () => Promise.reject(notFound) });
    expect(await unknown.problemOf('https://receiver.test/')).toBe('names a host that cannot be resolved');
    expect(await failure(unknown, 'https://receiver.test/')).toMatchObject({
      kind: 'network',
      message: 'the name of the host cannot be resolved (ENOTFOUND)',
    });
    const empty = client({ resolve: () => Promise.resolve([]) });
    expect(await empty.problemOf('https://receiver.test/')).toBe('names a host that cannot be resolved');
    expect((await failure(empty, 'https://receiver.test/')).kind).toBe('network');
  });
});

describe('a request', () => {
  let server: Server;
  let sockets = 0;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const url = (path = '/') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    server = createHttpServer((request, response) => answer(request, response));
    server.on('connection', () => {
      sockets += 1;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    sockets = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = () => client({ allowPrivate: true });

  test('carries method, headers and the very bytes, and keeps connections', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        seen.push([request.method, request.headers['x-one'], Buffer.concat(parts)]);
        response.writeHead(201, { 'x-two': 'two' }).end('made');
      });
    };
    const bytes = Buffer.from([0, 255, 13, 10, 195, 164]);
    const to = open();
    for (let nth = 0; nth < 10; nth += 1) {
      const got = await to.request({ ...post, url: url(), headers: { 'X-One': 'one' }, body: bytes });
      expect(got).toMatchObject({ status: 201, truncated: false });
      expect([got.headers['x-two'], got.body.toString()]).toEqual(['two', 'made']);
    }
    expect(seen).toEqual(Array.from({ length: 10 }, () => ['POST', 'one', bytes]));
    // A second one, when the first has not quite finished.
    expect(sockets).toBeLessThanOrEqual(2);
  });

  test('that is redirected ends there', async () => {
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: url('/elsewhere') }).end();
    };
    const got = await open().request({ ...post, url: url('/first') });
    expect(got.status).toBe(307);
    expect(paths).toEqual(['/first']);
  });

  test('reads no more of an endless answer than asked for', async () => {
    let sent = 0;
    answer = (request, response) => {
      request.resume();
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    };
    const got = await open().request({ ...post, url: url(), responseBytesMax: 1000 });
    expect([got.body.length, got.truncated]).toEqual([1000, true]);
    expect(sent).toBeLessThan(50_000_000);
  });

  test('ends when the answer, or the rest of its body, does not come in time', async () => {
    answer = () => undefined;
    const silent = await open()
      .request({ ...post, url: url(), timeoutMs: 100 })
      .catch((error: unknown) => error);
    expect(silent).toMatchObject({ kind: 'timeout', message: 'no answer within 100 ms' });
    answer = (_request, response) => response.writeHead(200).write('some');
    const halting = await open()
      .request({ ...post, url: url(), timeoutMs: 100 })
      .catch((error: unknown) => error);
    expect(halting).toMatchObject({ kind: 'timeout' });
  });

  test('ends when it is cancelled', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    const error = await open()
      .request({ ...post, url: url(), signal: controller.signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'cancelled' });
  });

  test('to a port that does not speak https says so', async () => {
    expect(await failure(open(), url().replace('http:', 'https:'))).toMatchObject({
      kind: 'network',
      message: expect.stringMatching(
        /^no TLS connection could be made: does the host speak https on this port\? \(/,
      ),
    });
  });

  test('to a port where nobody listens says so', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    expect(await failure(open(), `http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'network',
      message: 'nothing accepts connections at this address (ECONNREFUSED)',
    });
  });
});
