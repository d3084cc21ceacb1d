import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { AppError } from '../errors.js';
import { roundedNumber } from '../lib/exact-json.js';
import type { Logger } from '../lib/logger.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { errorExtensions } from './graphql-errors.js';
import { rawAnswer } from './raw-answer.js';

/**
 * Makes WebSocket connections of the upgrades that clients ask for. @returns for each, the number in its last
 * message that reading has rounded, if there was one
 */
export function acceptUpgrades(
  server: Server,
  sockets: WebSocketServer,
  logger: Logger,
): WeakMap<object, string | undefined> {
  const rounded = new WeakMap<object, string | undefined>();
  sockets.on('wsClientError', refuseHandshake);
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      // Before graphql-ws listens, which hands over only what it has read.
      client.on('message', (data) => rounded.set(client, roundedNumber((data as Buffer).toString())));
      sockets.emit('connection', client, request);
      // Anybody can send broken frames. ws closes the connection; without this listener graphql-ws prints
      // them on stderr.
      client.removeAllListeners('error').on('error', ({ message }) => {
        logger.debug({ reason: message }, 'broken WebSocket frame');
      });
    }),
  );
  return rounded;
}

/** Answers a request for a WebSocket that does not say what such a request has to. */
function refuseHandshake({ message }: Error, socket: Duplex): void {
  const requestId = unorderedUuid();
  const refusal = new AppError('INVALID_INPUT', `this is no WebSocket handshake: ${message}`);
  const { status } = refusal;
  const body = { errors: [{ message: refusal.message, extensions: errorExtensions(refusal, requestId) }] };
  socket.end(rawAnswer({ status, requestId, body, headers: ['sec-websocket-version: 13'] }));
}
