import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RefusedAddress } from '../../src/lib/address-guard.js';
import type { AddressGuardOptions } from '../../src/lib/address-guard.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import { ConnectionCounter } from '../support/connection-counter.js';

const networks: GuardedNetwork[] = [];

function network(options: Partial<AddressGuardOptions> = {}): GuardedNetwork {
  const made = new GuardedNetwork({ allowPrivate: false, ...options });
  networks.push(made);
  return made;
}

afterEach(async () => {
  for (const made of networks.splice(0)) await made.close();
});

const at = (address: string) => () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);

/** A request by node:http or node:https with the network's agents, as axios and its like make it: its status. */
function byAgent(from: GuardedNetwork, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? httpsRequest(url, { agent: from.httpsAgent })
      : httpRequest(url, { agent: from.httpAgent });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end();
  });
}

/** Every way of connecting, by its name. */
const ways: [string, (from: GuardedNetwork, url: string) => Promise<unknown>][] = [
  ['fetch', async (from, url) => (await from.fetch(url)).status],
  ['fetch of a URL', async (from, url) => (await from.fetch(new URL(url))).status],
  ['an agent', byAgent],
  ['an address', (from, url) => from.addressOf(new URL(url).hostname)],
];

/** What is behind a failure: fetch wraps it. */
async function cause(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    (value) => new Error(`not refused: ${String(value)}`),
    (thrown: unknown) => thrown,
  );
  let deepest = error as Error;
  while (deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest;
}

/** Spellings of this very machine; `@` stands for the port of the listener. */
const loopbackUrls = ['http', 'https'].flatMap((scheme) =>
  [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ].map((host) => `${scheme}://${host}:@/`),
);

const otherPrivateUrls = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://100.100.100.200/',
  'http://10.0.0.1/',
  'http://172.31.255.255/',
  'https://192.168.1.1:8443/',
  'http://224.0.0.1/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
];

describe('a guarded network', () => {
  const listener = new ConnectionCounter();
  const url = (text: string) => text.replace('@', String(listener.port));

  beforeAll(() => listener.listen());
  beforeEach(() => {
    listener.connections = 0;
  });
  afterAll(() => listener.close());

  describe.each(ways)('by %s', (_name, connect) => {
    test('does not reach this machine under any of its addresses', async () => {
      for (const text of loopbackUrls)
        expect([text, await cause(connect(network(), url(text)))]).toEqual([
          text,
          expect.any(RefusedAddress),
        ]);
      expect(listener.connections).toBe(0);
    });

    test('does not connect to other private addresses', async () => {
      for (const text of otherPrivateUrls)
        expect([text, (await cause(connect(network(), text))).message]).toEqual([
          text,
          'leads to a private or reserved address',
        ]);
    });

    test('refuses a name by the address that it has when a connection is made', async () => {
      for (const address of ['127.0.0.1', '::1', '10.0.0.1', '::ffff:127.0.0.1'])
        for (const scheme of ['http', 'https']) {
          const named = network({ resolve: at(address) });
          const refused = await cause(connect(named, url(`${scheme}://files.test:@/`)));
          expect([address, refused]).toEqual([address, expect.any(RefusedAddress)]);
        }
      expect(listener.connections).toBe(0);
    });

    test('refuses a name of which one address is private', async () => {
      const mixed = network({
        resolve: () =>
          Promise.resolve([
            { address: '93.184.216.34', family: 4 },
            { address: '::1', family: 6 },
          ]),
      });
      expect(await cause(connect(mixed, url('http://files.test:@/')))).toBeInstanceOf(RefusedAddress);
      expect(listener.connections).toBe(0);
    });

    test('asks for the addresses of a name each time', async () => {
      const answers = ['93.184.216.34'];
      const rebound = network({ resolve: () => at(answers.shift() ?? '127.0.0.1')() });
      expect(await rebound.addressOf('files.test')).toBe('93.184.216.34');
      expect(await cause(connect(rebound, url('http://files.test:@/')))).toBeInstanceOf(RefusedAddress);
      expect(listener.connections).toBe(0);
    });

    test('names of this machine are refused or unknown', async () => {
      for (const name of ['localhost', 'LOCALHOST', 'a.localhost'])
        expect((await cause(connect(network(), url(`http://${name}:@/`)))).message).not.toContain(
          'not refused',
        );
      expect(listener.connections).toBe(0);
    });

    test('a name that is not known is no refusal', async () => {
      const unknown = network({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
      expect((await cause(connect(unknown, 'http://files.test/'))).message).toBe('ENOTFOUND');
    });
  });

  // Without it, none of the above would show anything.
  test('reaches this machine in each way when it may', async () => {
    const open = network({ allowPrivate: true, resolve: at('127.0.0.1') });
    for (const [, connect] of ways.slice(0, 3))
      for (const text of [...loopbackUrls, 'http://files.test:@/'])
        expect(await cause(connect(open, url(text)))).not.toBeInstanceOf(RefusedAddress);
    expect(listener.connections).toBeGreaterThanOrEqual(3 * loopbackUrls.length);
    expect(await open.addressOf('[::1]')).toBe('::1');
    expect(await open.addressOf('files.test')).toBe('127.0.0.1');
  });

  test('a name without an address is refused as one that cannot be resolved', async () => {
    const empty = network({ resolve: () => Promise.resolve([]) });
    const message = 'names a host that cannot be resolved';
    await expect(empty.addressOf('files.test')).rejects.toMatchObject({ name: 'RefusedAddress', message });
    for (const [, connect] of ways.slice(0, 3))
      expect((await cause(connect(empty, 'http://files.test/'))).message).not.toContain('not refused');
  });
});

describe('requests', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: (string | undefined)[] = [];
  const url = (host: string, path = '/') => `http://${host}:${(server.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    server = createHttpServer((request, response) => {
      asked.push(request.url);
      answer(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    asked = [];
    answer = (_request, response) => response.writeHead(201).end('made');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('of every way arrive, over plain http too', async () => {
    const open = network({ allowPrivate: true });
    for (const [, connect] of ways.slice(0, 3)) expect(await connect(open, url('127.0.0.1'))).toBe(201);
    expect(asked).toEqual(['/', '/', '/']);
  });

  test('carry method, headers and body, and their answers', async () => {
    answer = (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () =>
        response.writeHead(200, { 'x-two': '2' }).end(`${request.method} ${Buffer.concat(parts).toString()}`),
      );
    };
    const headers = { 'x-one': '1' };
    const response = await network({ allowPrivate: true }).fetch(url('127.0.0.1'), {
      method: 'PUT',
      headers,
      body: 'hello',
    });
    expect([response.headers.get('x-two'), await response.text()]).toEqual(['2', 'PUT hello']);
  });

  test('reach hosts that are trusted by name or address, and no others', async () => {
    const byAddress = network({ trustedHosts: ['127.0.0.1'] });
    const byName = network({ trustedHosts: ['localhost'], resolve: at('127.0.0.1') });
    for (const [, connect] of ways.slice(0, 3)) {
      expect(await connect(byAddress, url('127.0.0.1'))).toBe(201);
      expect(await cause(connect(byAddress, url('127.0.0.2')))).toBeInstanceOf(RefusedAddress);
      expect(await connect(byName, url('localhost'))).toBe(201);
      // Its address is not trusted, nor are others with that address.
      expect(await cause(connect(byName, url('127.0.0.1')))).toBeInstanceOf(RefusedAddress);
      expect(await cause(connect(byName, url('files.test')))).toBeInstanceOf(RefusedAddress);
    }
    expect(await byAddress.addressOf('127.0.0.1')).toBe('127.0.0.1');
    const six = network({ trustedHosts: ['[::1]'] });
    expect(await six.addressOf('::1')).toBe('::1');
    expect(await six.addressOf('[::1]')).toBe('::1');
  });

  test.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'files.test'])(
    'that are redirected do not follow into a private network, as %s',
    async (target) => {
      answer = (_request, response) => response.writeHead(302, { location: url(target, '/inside') }).end();
      const from = network({ trustedHosts: ['localhost'], resolve: at('127.0.0.1') });
      expect(await cause(from.fetch(url('localhost', '/outside')))).toBeInstanceOf(RefusedAddress);
      expect(asked).toEqual(['/outside']);
    },
  );

  test('that are redirected are followed where that is allowed', async () => {
    answer = (request, response) =>
      request.url === '/end'
        ? response.end('arrived')
        : response.writeHead(302, { location: url('127.0.0.1', '/end') }).end();
    const response = await network({ allowPrivate: true }).fetch(url('localhost', '/first'));
    expect(await response.text()).toBe('arrived');
  });

  test('end with their signal', async () => {
    const controller = new AbortController();
    answer = () => controller.abort(new Error('enough'));
    const { signal } = controller;
    await expect(network({ allowPrivate: true }).fetch(url('127.0.0.1'), { signal })).rejects.toThrow(
      'enough',
    );
  });

  test('end when the network closes', async () => {
    const closing = network({ allowPrivate: true });
    answer = () => void closing.close();
    await expect(closing.fetch(url('127.0.0.1'))).rejects.toThrow();
    answer = (_request, response) => response.end('still there');
    await expect(closing.fetch(url('127.0.0.1'))).rejects.toThrow();
  });
});
