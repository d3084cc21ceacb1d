import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
// Of a test that failed.
afterEach(async () => server.stop().catch(() => undefined));

function open(): Socket {
  return connect(Number(new URL(server.url).port), '127.0.0.1');
}

/** The server's end of each connection. */
const accepted: Socket[] = [];
const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
beforeAll(() => subscribe('net.server.socket', accept));
afterAll(() => void unsubscribe('net.server.socket', accept));

/** Sends the beginning of a request, which is all that has come when the server begins to stop. */
async function begin(part: string): Promise<Socket> {
  const socket = open();
  await once(socket, 'connect');
  socket.write(part);
  const hasCome = () =>
    accepted.some(({ remotePort, bytesRead }) => remotePort === socket.localPort && bytesRead >= part.length);
  while (!hasCome()) await setImmediate();
  return socket;
}

/** A server that stops takes no more connections. */
async function untilStopping(): Promise<void> {
  for (;;) {
    const probe = open();
    const isRefused = await once(probe, 'connect').then(
      () => false,
      () => true,
    );
    probe.destroy();
    if (isRefused) return;
  }
}

const key = `host: x\r\nauthorization: Bearer ${adminKey}\r\n`;
const json = 'content-type: application/json\r\ncontent-length: ';
const body = JSON.stringify({ database: 'late' });
const creation = `POST /databases HTTP/1.1\r\n${key}${json}${body.length}\r\n\r\n`;

/** Ends a request that has begun, while another one holds up the stop. */
async function endWhileStopping(first: string, rest: string): Promise<string> {
  const [held, socket] = [await begin(creation), await begin(first)];
  const stopped = server.stop();
  await untilStopping();
  socket.write(rest);
  const answer = await text(socket);
  held.destroy();
  await stopped;
  return answer;
}

describe('while the server stops', () => {
  test('a request that was under way is answered, and its connection is the last', async () => {
    const startedAt = performance.now();
    const answer = await endWhileStopping(creation, `${body}GET /databases HTTP/1.1\r\n${key}\r\n`);
    // What was sent behind it is not waited for.
    expect(performance.now() - startedAt).toBeLessThan(9000);
    expect(answer).toMatch(/^HTTP\/1\.1 202 [^]*\r\nconnection: close\r\n/i);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test.each([
    ['GET /databases', /"success":false,"data":null,"error":{"code":"SERVICE_UNAVAILABLE"/],
    ['GET /graphql?query={viewer{name}}', /"errors":\[.*"code":"SERVICE_UNAVAILABLE"/],
    ['GET /nowhere', /"success":false/],
  ])('%s is 503 like every other', async (line, inBody) => {
    const answer = await endWhileStopping(`${line} HTTP/1.1\r\n${key}`, '\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    for (const header of [/\r\nx-request-id: \S/i, /\r\nretry-after: 1\r\n/i, /\r\nconnection: close\r\n/i])
      expect(answer).toMatch(header);
    expect(answer).toMatch(inBody);
  });

  test('a client that is still sending hears the refusal', async () => {
    const start = `POST /query HTTP/1.1\r\n${key}${json}`;
    expect(await endWhileStopping(start, `${200_000}\r\n\r\n${' '.repeat(200_000)}`)).toMatch(
      /^HTTP\/1\.1 503 [^]*"success":false/,
    );
  });

  test('it lives, and is not ready', async () => {
    const ask = async (path: string) => {
      const answer = await endWhileStopping(`GET ${path} HTTP/1.1\r\n`, 'host: x\r\n\r\n');
      return [answer.slice(9, 12), JSON.parse(answer.split('\r\n\r\n')[1] ?? '').status];
    };
    expect(await ask('/readyz')).toEqual(['503', 'not ready']);
    server = await TestServer.start();
    expect(await ask('/healthz')).toEqual(['200', 'ok']);
  });
});

test('a WebSocket client that does not answer the close frame does not hold up the stop', async () => {
  const socket = await begin(
    'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n',
  );
  socket.on('error', () => undefined);
  await once(socket, 'data');
  const startedAt = performance.now();
  await server.stop();
  expect(performance.now() - startedAt).toBeLessThan(9000);
  socket.destroy();
}, 20_000);

test('a connection on which nothing was sent does not hold up the stop', async () => {
  const socket = await begin('');
  socket.on('error', () => undefined);
  const startedAt = performance.now();
  await server.stop();
  expect(performance.now() - startedAt).toBeLessThan(9000);
  socket.destroy();
}, 20_000);

test('a request that never comes whole holds up the stop for ten seconds, no longer', async () => {
  const socket = await begin(creation);
  socket.on('error', () => undefined);
  const startedAt = performance.now();
  await server.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(9.5);
  expect(seconds).toBeLessThan(20);
});
