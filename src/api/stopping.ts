import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** True as soon as the server begins to stop. */
    stopping: boolean;
    /** Resolves when no request is under way. */
    idle(): Promise<void>;
  }
}

const graceMsMax = 10_000;
// By then another process is serving, where there is one.
const retryAfterSeconds = 1;
/** Answered while the server stops, since they report it. */
export const healthPaths: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/** Counts the requests under way, and adds `stopping` and `idle` to the server. */
export function prepareToStop(server: FastifyInstance): void {
  const underWay = new Map<Socket, number>();
  const changes = new EventEmitter();
  const settle = (socket: Socket, left: number) => {
    if (left > 0) underWay.set(socket, left);
    else if (underWay.delete(socket) && underWay.size === 0) changes.emit('idle');
  };
  server.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    // Unlike onResponse, this also fires when the client has gone.
    reply.raw.once('close', () => settle(socket, (underWay.get(socket) ?? 0) - 1));
  });
  // The response of a request that was sent on before the one that closes the connection never says so.
  server.server.on('connection', (socket) => void socket.once('close', () => settle(socket, 0)));
  server.decorate('idle', async () => {
    if (underWay.size > 0) await once(changes, 'idle');
  });
  server.decorate('stopping', false);
}

/**
 * Refuses what open connections ask while the server stops, and closes them. To be called after the hooks
 * that set the headers of answers.
 */
export function refuseWhileStopping(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (!server.stopping || healthPaths.includes(request.routeOptions.url)) return;
    throw new AppError('SERVICE_UNAVAILABLE', 'this server is stopping; try again', {
      retryAfterSeconds,
      isExpected: true,
    });
  });
  server.addHook('onSend', async (request, reply) => {
    // A client that is still sending would not read the answer; its connection ends when it has sent all.
    if (server.stopping && request.raw.complete) void reply.header('connection', 'close');
  });
}

/**
 * Stops listening, gives requests and `others` ten seconds to finish, then drops every connection, also those
 * that never sent a request.
 */
export async function closeHttpServer(
  server: FastifyInstance,
  others: Promise<void> = Promise.resolve(),
): Promise<void> {
  server.stopping = true;
  const closed = server.close();
  const done = Promise.all([server.idle(), others]);
  await Promise.race([done, setTimeout(graceMsMax, undefined, { ref: false })]);
  server.server.closeAllConnections();
  await closed;
}
