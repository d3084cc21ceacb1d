import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../accounts/accounts.service.js';
import type { App } from '../app.js';
import { LIMITS } from '../limits.js';
import type { IncomingFile } from '../storage/incoming-file.js';
import type { RequestContext } from './request-context.js';
import { discardUploads } from './upload.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** performance.now() when the request arrived. */
    startedAtMs: number;
    caller: Caller | undefined;
    /** Files of this request; what is not kept is removed when it ends. */
    incomingFiles: IncomingFile[];
  }
}

const clientRequestIdCharactersMax = 128;

/** The HTTP server with what all of its routes share: ids, log lines, health, removal of unused uploads. */
export function createHttpServer(app: App): FastifyInstance {
  const logger: FastifyBaseLogger = app.logger;
  const server = Fastify({
    loggerInstance: logger,
    // One line a request, written below when it has been answered.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    bodyLimit: LIMITS.jsonBodyBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
  });
  server.decorateRequest('startedAtMs', 0);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('incomingFiles');
  server.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = performance.now();
    request.incomingFiles = [];
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const clientRequestId = request.headers['x-request-id'];
    if (typeof clientRequestId === 'string' && /^[\x21-\x7e]+$/.test(clientRequestId)) {
      void reply.header('x-client-request-id', clientRequestId.slice(0, clientRequestIdCharactersMax));
    }
  });
  server.addHook('onSend', async (request) => discardUploads(app, request));
  server.addHook('onResponse', async (request, reply) => {
    app.logger.info(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        latencyMs: elapsedMs(request),
        keyPrefix: request.caller?.keyPrefix,
      },
      'request',
    );
  });
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await app.readiness();
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks });
  });
  return server;
}

/** Milliseconds since the request arrived, to a hundredth. */
export function elapsedMs(request: FastifyRequest): number {
  return Math.round((performance.now() - request.startedAtMs) * 100) / 100;
}

/** Finds who asks; run it before a body is read. @throws AppError UNAUTHORIZED. */
export async function authenticate(app: App, request: FastifyRequest): Promise<void> {
  request.caller = await app.services.accounts.authenticate(request.headers.authorization);
}

/** The context of an authenticated request. */
export function requestContext(app: App, request: FastifyRequest): RequestContext {
  if (!request.caller) throw new Error('requestContext was asked for before the request was authenticated');
  return { requestId: request.id, caller: request.caller, services: app.services, logger: app.logger };
}
