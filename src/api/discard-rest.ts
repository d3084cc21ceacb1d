import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../limits.js';

// A body up to twice too large is read to its end; of more the connection is closed.
const discardedBytesMax = 2 * LIMITS.jsonBodyBytesMax;
const discardedMsMax = 10_000;

/**
 * Reads what a client is still sending of a refused request, within bounds: closing the connection under it would keep many from reading
 * the answer.
 */
export function discardRest({ raw, server }: FastifyRequest, reply: FastifyReply): void {
  const hasBody =
    raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
  if (raw.complete || raw.readableEnded || !hasBody) return;
  // A connection that is to be closed is so with the answer, whoever asked for it: the framework or the client.
  void reply.removeHeader('connection');
  reply.raw.removeHeader('connection');
  reply.raw.shouldKeepAlive = true;
  const { socket } = raw;
  const readMax = socket.bytesRead + discardedBytesMax;
  const timer = setTimeout(() => socket.destroy(), discardedMsMax).unref();
  raw.on('data', () => {
    if (socket.bytesRead > readMax) socket.destroy();
  });
  raw.once('close', () => clearTimeout(timer));
  if (server.stopping || /\bclose\b/i.test(raw.headers.connection ?? '')) raw.once('end', () => socket.end());
}
