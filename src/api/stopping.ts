import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set from when the server begins to stop. */
    stopping: boolean;
    /** Ends when no request is under way. */
    idle(): Promise<void>;
  }
}

const graceMsMax = 10_000;
// By then another process serves, where there is one.
const retryAfterSeconds = 1;
/** They tell of a server that stops, too. */
const healthPaths: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/** Knows what is under way; what a connection that is still open asks while the server stops is refused, and it is closed. */
export function prepareToStop(server: FastifyInstance): void {
  let underWay = 0;
  const changes = new EventEmitter();
  server.addHook('onRequest', async (_request, reply) => {
    underWay += 1;
    // Unlike onResponse it comes also when the client has gone.
    reply.raw.once('close', () => {
      underWay -= 1;
      if (underWay === 0) changes.emit('idle');
    });
  });
  server.decorate('idle', async () => {
    if (underWay > 0) await once(changes, 'idle');
  });
  server.decorate('stopping', false);
}

/** To be called when answers have got their headers. @throws AppError SERVICE_UNAVAILABLE while the server stops. */
export function refuseWhileStopping(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (!server.stopping || healthPaths.includes(request.routeOptions.url)) return;
    throw new AppError('SERVICE_UNAVAILABLE', 'this server is stopping; try again', { retryAfterSeconds });
  });
  server.addHook('onSend', async (request, reply) => {
    // A client that is still sending would not read the answer; its connection ends when it has sent all.
    if (server.stopping && request.raw.complete) void reply.header('connection', 'close');
  });
}

/**
 * Stops listening, lets requests and what `others` wait for finish for a while, then drops every connection: also those
 * that never sent one.
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
