import { METHODS, type Server } from 'node:http';
import fastifyCors from '@fastify/cors';
import Fastify, { LogController } from 'fastify';
import type {
  FastifyBaseLogger,
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import { isPercentEncoded } from '../lib/percent-encoding.js';
import { hourMs } from '../lib/units.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { LIMITS } from '../limits.js';
import type { IncomingFile } from '../storage/incoming-file.js';
import { answerJson } from './answer-json.js';
import { logRequests } from './request-log.js';
import { prepareToStop, refuseWhileStopping } from './stopping.js';
import { UpgradableRequest } from './upgradable-request.js';
import { discardUploads } from './upload.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** performance.now() when the request arrived. */
    startedAtMs: number;
    caller: Caller | undefined;
    /** Aborts when the client disconnects before it has been answered. */
    clientGone: AbortSignal;
    /** Files uploaded with this request; those that nothing keeps are removed when it ends. */
    incomingFiles: IncomingFile[];
  }
}

const clientRequestIdCharactersMax = 128;
// An upload may take long but not fall silent; one that trickles on for hours is an attack.
const silenceMsMax = 60_000;
const requestMsMax = hourMs;
const preflightKeptSeconds = 600;
const headersForPages = [
  'x-request-id',
  'x-client-request-id',
  'deprecation',
  'warning',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'idempotency-replayed',
];

/**
 * The HTTP server with what all routes share: request ids, log lines, health checks, CORS, removal of unused
 * uploads.
 */
export function createHttpServer(
  app: App,
  clientErrorHandler: NonNullable<FastifyServerOptions['clientErrorHandler']>,
): FastifyInstance {
  const server = Fastify({ ...optionsFor(app), clientErrorHandler });
  // For methods that it does not know, Fastify would answer that the path does not exist.
  for (const method of METHODS.filter((each) => !server.supportedMethods.includes(each)))
    server.addHttpMethod(method);
  // Fastify sends bytes as well as strings; its types know only strings.
  server.setReplySerializer(answerJson as (answer: unknown) => string);
  passOverExpectations(server);
  prepareToStop(server);
  beginRequests(server);
  logRequests(server, app.logger);
  refuseWithoutHost(server);
  refuseWhileStopping(server);
  server.addHook('onSend', async (request) => discardUploads(app, request));
  allowOrigins(server, app.config.corsOrigins);
  serveHealth(server, app);
  return server;
}

function optionsFor({ config, logger }: App) {
  return {
    loggerInstance: quieter(logger),
    // One line per request, written by logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: unorderedUuid,
    bodyLimit: LIMITS.jsonBodyBytesMax,
    connectionTimeout: silenceMsMax,
    requestTimeout: requestMsMax,
    trustProxy: config.trustProxy,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // refuseWhileStopping answers in the API's own form instead.
    return503OnClosing: false,
    // Room for a thousand ids in a query string.
    http: {
      maxHeaderSize: LIMITS.headerBytesMax,
      IncomingMessage: UpgradableRequest,
      // Node would answer without a body; refuseWithoutHost says what is missing.
      requireHostHeader: false,
    },
    // No parameter is longer than the request line, which has a limit of its own.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LIMITS.headerBytesMax },
    rewriteUrl: ({ url }) => withReadablePath(url ?? '/'),
  } satisfies FastifyHttpOptions<Server>;
}

/** What every request has from its beginning, and every answer to it. */
function beginRequests(server: FastifyInstance): void {
  server.decorateRequest('startedAtMs', 0);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('incomingFiles');
  server.decorateRequest('clientGone');
  server.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = performance.now();
    request.incomingFiles = [];
    request.clientGone = watchClient(reply);
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Answers belong to one key, and change; the few that anybody may keep say so themselves.
    void reply.header('cache-control', 'no-store');
    const clientRequestId = request.headers['x-request-id'];
    if (typeof clientRequestId === 'string' && /^[\x21-\x7e]+$/.test(clientRequestId)) {
      void reply.header('x-client-request-id', clientRequestId.slice(0, clientRequestIdCharactersMax));
    }
  });
}

function serveHealth(server: FastifyInstance, app: App): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await app.readiness();
    const works = Object.values(checks).every(Boolean);
    if (!works && !server.stopping) app.logger.warn(checks, 'not ready');
    const ready = !server.stopping && works;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks });
  });
}

/** For Fastify, whose only line at the level info, where it listens, is said elsewhere. */
function quieter(logger: FastifyBaseLogger): FastifyBaseLogger {
  const own = logger.child({});
  own.info = own.debug.bind(own);
  return own;
}

/** What a client expects that is not `100-continue` is no reason to refuse its request (RFC 9110, 10.1.1). */
function passOverExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** @throws AppError INVALID_INPUT for a request of HTTP/1.1 without a Host header */
function refuseWithoutHost(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw new AppError('INVALID_INPUT', 'send the header Host: HTTP/1.1 asks for it');
  });
}

/**
 * A path with broken escapes, its percent signs escaped: it names nothing, and is answered like any other
 * unknown path.
 */
function withReadablePath(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return isPercentEncoded(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

/** Lets pages of these origins call the server from a browser; preflight requests need no key. */
function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const options = {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: headersForPages,
    maxAge: preflightKeptSeconds,
  };
  void server.register(fastifyCors, () => async ({ headers }: FastifyRequest) => ({
    ...options,
    // An OPTIONS request that is no preflight is answered like any other: 405 or 404.
    preflight: headers.origin !== undefined && headers['access-control-request-method'] !== undefined,
  }));
}

function watchClient(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
