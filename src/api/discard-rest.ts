import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../limits.js';

// A refused body is read to its end up to this size; the connection of a larger one is closed.
const discardedBytesMax = 2 * LIMITS.jsonBodyBytesMax;
const discardedMsMax = 10_000;

/**
 * Reads, within bounds, what the client of a refused request is still sending: many clients would never read
 * the answer if their connection closed meanwhile.
 */
export function discardRest({ raw, server }: FastifyRequest, reply: FastifyReply): void {
  const hasBody =
    raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
  if (raw.complete || raw.readableEnded || !hasBody) return;
  // Node would close the connection with the answer if the framework or the client asked for that; here it is
  // closed once the body has come.
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
