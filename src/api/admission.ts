import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import { limitReads } from './deadline.js';
import { countRequests } from './rate-limit.js';

/**
 * Authenticates a request and counts it; run it before the body is read. @throws AppError UNAUTHORIZED,
 * RATE_LIMITED
 */
export async function admit(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const headers = request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  if (headers.length > 1) throw new AppError('UNAUTHORIZED', 'send exactly one Authorization header');
  await limitReads(
    app.config.queryTimeoutMs,
    request.clientGone,
  )(async () => {
    request.caller = await app.services.accounts.authenticate(request.headers.authorization);
    await countRequests(app, { caller: request.caller, requests: 1, reply });
  });
}

/**
 * Refuses a compressed body, which would be misread. @throws AppError UNSUPPORTED_MEDIA_TYPE naming the
 * encoding
 */
export function refuseEncodedBody(request: FastifyRequest, reply: FastifyReply): void {
  const encoding = request.headers['content-encoding']?.trim() ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return;
  void reply.header('accept-encoding', 'identity');
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding "${encoding}" is not served; send the body as it is`,
  );
}
