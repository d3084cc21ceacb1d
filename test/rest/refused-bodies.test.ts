import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

/** Sends all of a body before it reads, as simple clients do. @returns the beginning of the answer. */
function post(path: string, body: Buffer, headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answer = '';
    socket.pause();
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      answer += bytes.toString();
      if (!answer.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(answer);
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${adminKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n`,
    );
    socket.write(body, () => socket.resume());
  });
}

const tooLarge = Buffer.alloc(40 * 2 ** 20, 'a');

test.each([
  ['/context/ingest', ''],
  ['/query', 'connection: close\r\n'],
  ['/graphql', ''],
  ['/graphql', 'connection: close\r\n'],
])(
  'a JSON body of 40 MiB is answered 413 to a client that sends all of it first: %s %s',
  async (path, headers) => {
    for (let time = 0; time < 3; time += 1)
      expect(await post(path, tooLarge, headers)).toMatch(/^HTTP\/1\.1 413 .*\r\nx-request-id: /s);
  },
);

test('a number of millions of digits is refused as one that is not finite', async () => {
  const database = await server.database();
  const digits = '1'.repeat(20_000_000);
  const bodies: [string, string][] = [
    ['/query', `{"database":"${database}","query":"whale","max_results":${digits}}`],
    ['/graphql', `{"query":"{ viewer { account } }","variables":{"n":${digits}}}`],
  ];
  for (const [path, body] of bodies)
    expect(await post(path, Buffer.from(body), '')).toMatch(/^HTTP\/1\.1 400 .*must be a finite number/s);
});

const form = 'application/x-www-form-urlencoded';
test.each([
  ['POST', '/webhooks/indexing/test', form, 404],
  ['POST', '/webhooks/indexing/test', 'text/plain', 404],
  ['DELETE', '/webhooks/indexing', form, 404],
  ['POST', '/databases', form, 400],
])('%s %s without a body that calls it %s is served', async (method, path, type, status) => {
  const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\nconnection: close\r\n`;
  for (const rest of [
    `content-type: ${type}\r\ncontent-length: 0\r\n\r\n`,
    `content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'transfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ])
    expect([rest, await statusOf(head + rest)]).toEqual([rest, status]);
  for (const rest of [
    `content-type: ${type}\r\ncontent-length: 1\r\n\r\nx`,
    `content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  ])
    expect([rest, await statusOf(head + rest)]).toEqual([rest, 415]);
});

test('a method that no path serves is 405 whatever it sends', async () => {
  for (const path of ['/query', '/graphql']) expect((await server.rest('QUERY', path)).status).toBe(405);
});

/** The status of a request as it is written. */
async function statusOf(request: string): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(request);
  return Number((await text(socket)).slice(9, 12));
}
