import { METHODS } from 'node:http';
import fastifyCors from '@fastify/cors';
import Fastify, { LogController } from 'fastify';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import { isPercentEncoded } from '../lib/percent-encoding.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { LIMITS } from '../limits.js';
import type { IncomingFile } from '../storage/incoming-file.js';
import { answerJson } from './answer-json.js';
import { limitReads } from './deadline.js';
import { discardRest } from './discard-rest.js';
import { logFault, toAppError } from './failure.js';
import { countRequests } from './rate-limit.js';
import type { RequestContext } from './request-context.js';
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
const requestMsMax = 3_600_000;
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
  const server = Fastify({
    loggerInstance: quieter(app.logger),
    // One line per request, written by logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: unorderedUuid,
    bodyLimit: LIMITS.jsonBodyBytesMax,
    connectionTimeout: silenceMsMax,
    requestTimeout: requestMsMax,
    trustProxy: app.config.trustProxy,
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
    clientErrorHandler,
    rewriteUrl: ({ url }) => withReadablePath(url ?? '/'),
  });
  // For methods that it does not know, Fastify would answer that the path does not exist.
  for (const method of METHODS.filter((each) => !server.supportedMethods.includes(each)))
    server.addHttpMethod(method);
  // Fastify sends bytes as well as strings; its types know only strings.
  server.setReplySerializer(answerJson as (answer: unknown) => string);
  passOverExpectations(server);
  prepareToStop(server);
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
  logRequests(server, app.logger);
  refuseWithoutHost(server);
  refuseWhileStopping(server);
  server.addHook('onSend', async (request) => discardUploads(app, request));
  allowOrigins(server, app.config.corsOrigins);
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await app.readiness();
    const works = Object.values(checks).every(Boolean);
    if (!works && !server.stopping) app.logger.warn(checks, 'not ready');
    const ready = !server.stopping && works;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks });
  });
  return server;
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

/** A failed request, as the error handlers of both APIs get it. */
export interface FailedRequest {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns the error to answer with; logs faults, sets the headers of the failure, and discards the rest of
 * the request.
 */
export function noteFailure(app: App, { error, request, reply }: FailedRequest): AppError {
  const appError = toAppError(error);
  request.asked.failures.add(appError.kind);
  logFault(app.logger, appError, request.id);
  discardRest(request, reply);
  if (appError.status === 401) void reply.header('www-authenticate', 'Bearer');
  const { limit, retryAfterSeconds } = appError;
  if (retryAfterSeconds) void reply.header('retry-after', retryAfterSeconds);
  // Replaces what admission said about the key's own limit.
  if (limit !== undefined)
    void reply.headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': 0,
      'ratelimit-reset': retryAfterSeconds,
    });
  return appError;
}

/** The context of an authenticated request. */
export function requestContext(
  app: App,
  request: FastifyRequest,
  newId: () => string = () => uuidv7(),
): RequestContext {
  if (!request.caller) throw new Error('requestContext was asked for before the request was admitted');
  return {
    requestId: request.id,
    caller: request.caller,
    services: app.services,
    logger: app.logger,
    asked: request.asked,
    limitRead: limitReads(app.config.queryTimeoutMs, request.clientGone),
    baseUrl: app.config.publicUrl ?? `${request.protocol}://${request.host}`,
    newId,
  };
}
