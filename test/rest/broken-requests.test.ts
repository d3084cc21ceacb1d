import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

async function send(request: string): Promise<{ head: string; body: any }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['no line of a request', 'GET\r\n\r\n', 400],
  [
    'two lengths',
    'POST /query HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
    400,
  ],
  ['no Host', 'GET /databases HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['CONNECT', 'CONNECT localhost:443 HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
  ['headers above 64 KiB', `GET / HTTP/1.1\r\nhost: localhost\r\nx-much: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ['a path above 64 KiB', `GET /connectors/${'a'.repeat(70_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`, 431],
])('a request with %s is answered in the envelope', async (_case, request, status) => {
  const { head, body } = await send(request);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain(`x-request-id: ${body.meta.request_id}\r\n`);
  expect(body).toMatchObject({
    success: false,
    data: null,
    error: { code: 'INVALID_INPUT' },
    detail: { success: false, error_code: 'INVALID_INPUT' },
  });
  expect(JSON.stringify(body).length).toBeLessThan(1_000);
});

test('an id in a path may be as long as a line, and is one that is not there', async () => {
  for (const [key, status] of [
    [adminKey, 404],
    ['none', 401],
  ] as const) {
    const path = `/connectors/${'a'.repeat(20_000)}`;
    const answer = await server.rest('GET', path, { key });
    expect([answer.status, answer.body.success]).toEqual([status, false]);
    expect(answer.body.meta.request_id).toBe(answer.headers.get('x-request-id'));
  }
});

test('HTTP/1.0 needs no Host, and an expectation of the client is no reason to refuse', async () => {
  const key = `Authorization: Bearer ${adminKey}`;
  const old = await send(`GET /databases HTTP/1.0\r\n${key}\r\n\r\n`);
  const expecting = await send(
    `GET /databases HTTP/1.1\r\nHost: x\r\n${key}\r\nExpect: more\r\nConnection: close\r\n\r\n`,
  );
  for (const { head, body } of [old, expecting])
    expect([head.slice(0, 12), body.success]).toEqual(['HTTP/1.1 200', true]);
});

test.each([
  ['without a key', 'GET', 'sec-websocket-version: 13'],
  ['of another version', 'GET', 'sec-websocket-version: 7\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='],
  ['by POST', 'POST', 'content-length: 0'],
])('a WebSocket handshake %s is answered as GraphQL answers', async (_case, method, headers) => {
  const { head, body } = await send(
    `${method} /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n${headers}\r\n\r\n`,
  );
  const [{ message, extensions }] = body.errors;
  expect(head).toContain(`x-request-id: ${extensions.requestId}\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect([extensions.code, extensions.httpStatus]).toEqual(['INVALID_INPUT', 400]);
  expect(message).toMatch(method === 'GET' ? /^this is no WebSocket handshake: / : /^body must be /);
});

describe('an offer of another protocol', () => {
  const http2 = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';
  const key = `Authorization: Bearer ${adminKey}`;

  test('is passed over: GET and POST are answered, on one connection', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const json = '{"database":"offered"}';
    const answers: string[] = [];
    for (const request of [
      `GET /databases HTTP/1.1\r\nHost: x\r\n${key}\r\n${http2}\r\n\r\n`,
      `POST /databases HTTP/1.1\r\nHost: x\r\n${key}\r\n${http2}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
      `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]) {
      socket.write(request);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      answers.push(answer.toString().slice(0, 12));
    }
    socket.destroy();
    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 202', 'HTTP/1.1 200']);
  });

  test('of a WebSocket where there is none is a request for that path', async () => {
    const webSocket = 'Connection: Upgrade, close\r\nUpgrade: websocket';
    const { head, body } = await send(`GET /nowhere HTTP/1.1\r\nHost: x\r\n${key}\r\n${webSocket}\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 404 /);
    expect(body.error.code).toBe('NOT_FOUND');
  });
});
