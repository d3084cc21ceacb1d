import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
