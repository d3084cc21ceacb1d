import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import WebSocket from 'ws';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

/** Opens a WebSocket without a key, sends bytes in place of a frame and waits for the end. @returns what was answered. */
async function sendFrame(bytes: Buffer): Promise<Buffer> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    'GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'sec-websocket-protocol: graphql-transport-ws\r\n\r\n',
  );
  await once(socket, 'data');
  const answered: Buffer[] = [];
  socket.on('data', (part) => answered.push(part));
  socket.write(bytes);
  await once(socket, 'end');
  socket.destroy();
  return Buffer.concat(answered);
}

test.each([
  ['without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
  [
    'that claims to be larger than a message may be',
    Buffer.from('81ff7fffffffffffffff00000000', 'hex'),
    1009,
  ],
  ['that claims two megabytes', Buffer.from('81ff000000000020000000000000', 'hex'), 1009],
])('a frame %s closes its connection and prints nothing', async (_case, frame, code) => {
  const printed = jest.spyOn(process.stderr, 'write');
  const answered = await sendFrame(frame);
  expect([answered[0], answered.readUInt16BE(2)]).toEqual([0x88, code]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  // And others are served.
  const client = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(client, 'open');
  client.terminate();
});
