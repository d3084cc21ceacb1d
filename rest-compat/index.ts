import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { execute } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { App } from '../src/app.js';
import { logFault, toAppError } from '../src/api/failure.js';
import { authenticate, elapsedMs, requestContext } from '../src/api/http-server.js';
import { AppError, invalidInput } from '../src/errors.js';
import { parseJson } from './coerce.js';
import { ENDPOINTS } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import { errorBody } from './error-response.js';
import { readMultipart, readUrlEncoded } from './multipart.js';
import type { Form } from './multipart.js';
import { loadOperation } from './operations.js';
import type { Operation } from './operations.js';
import { readVariables } from './request.js';
import type { DeprecatedUse } from './resolve-aliases.js';
import { apiVersion, deprecations, omitNulls, scopeMeta } from './response.js';
import type { Meta } from './response.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Deprecated names that the request used. */
    deprecatedUses: DeprecatedUse[];
  }
  interface FastifyContextConfig {
    /** Set on deprecated routes. */
    legacyRoute?: { path: string; preferred: string };
  }
}

interface Route {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly path: string;
}

const servedApiMajor = '2';

/** Serves the documented REST interface: every row of ENDPOINTS, under its path and its deprecated ones. */
export async function registerRestCompat(
  server: FastifyInstance,
  app: App,
  schema: GraphQLSchema,
): Promise<void> {
  const routes = ENDPOINTS.flatMap((endpoint): Route[] => {
    const operation = loadOperation(schema, endpoint);
    return [endpoint.path, ...endpoint.legacyPaths].map((path) => ({ endpoint, operation, path }));
  });
  await server.register(async (scope) => {
    scope.decorateRequest('deprecatedUses');
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (request) => {
      request.deprecatedUses = [];
      await authenticate(app, request);
      checkApiVersion(request);
    });
    scope.setErrorHandler((error, request, reply) => sendError(app, { error, request, reply }));
    for (const route of routes)
      if (route.endpoint.body !== 'form') addRoute(scope, app, { ...route, schema });
    await scope.register(async (forms) => {
      await forms.register(fastifyMultipart, { throwFileSizeLimit: false });
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, done) => done(null, body),
      );
      for (const route of routes)
        if (route.endpoint.body === 'form') addRoute(forms, app, { ...route, schema });
    });
    refuseOtherMethods(scope, routes);
  });
  server.setNotFoundHandler(
    { preHandler: async (request: FastifyRequest) => authenticate(app, request) },
    (request, reply) => {
      request.deprecatedUses = [];
      const error = new AppError(
        'NOT_FOUND',
        `there is no ${request.method} ${request.url.split('?', 1)[0]}`,
      );
      return sendError(app, { error, request, reply });
    },
  );
  server.setErrorHandler((error, request, reply) => {
    request.deprecatedUses ??= [];
    return sendError(app, { error, request, reply });
  });
}

function checkApiVersion(request: FastifyRequest): void {
  const version = request.headers['api-version'];
  if (version === undefined || version === servedApiMajor) return;
  throw invalidInput('API-Version', `"${String(version)}" is not served; send ${servedApiMajor}`);
}

function addRoute(
  scope: FastifyInstance,
  app: App,
  { endpoint, operation, path, schema }: Route & { schema: GraphQLSchema },
): void {
  const legacyRoute = path === endpoint.path ? undefined : { path, preferred: endpoint.path };
  scope.route({
    method: endpoint.method,
    url: path,
    config: legacyRoute ? { legacyRoute } : {},
    handler: async (request, reply) => {
      const form = endpoint.body === 'form' ? await readForm(app, request) : undefined;
      const variables = readVariables(
        {
          query: request.query as Record<string, string | string[]>,
          json: form || endpoint.body === 'none' ? undefined : parseJsonBody(request.body),
          form: form?.fields,
          files: form?.files ?? [],
        },
        { endpoint, operation, uses: request.deprecatedUses },
      );
      const contextValue = requestContext(app, request);
      const result = await execute({
        schema,
        document: operation.document,
        variableValues: variables,
        contextValue,
      });
      if (result.errors?.[0]) throw result.errors[0];
      const meta = {
        ...baseMeta(request),
        ...scopeMeta(endpoint, variables),
        ...deprecationMeta(request, reply),
      };
      const data = omitNulls(result.data?.[operation.rootKey], operation);
      return reply.code(endpoint.status).send({ success: true, data, error: null, meta });
    },
  });
}

async function readForm(app: App, request: FastifyRequest): Promise<Form | undefined> {
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('multipart/form-data')) return readMultipart(app, request);
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return readUrlEncoded(request.body as string);
  return undefined;
}

function parseJsonBody(body: unknown): unknown {
  if (typeof body !== 'string' || body.trim() === '') return undefined;
  return parseJson(body, 'body');
}

function baseMeta(request: FastifyRequest): Meta {
  return { request_id: request.id, latency_ms: elapsedMs(request), api_version: apiVersion };
}

function deprecationMeta(request: FastifyRequest, reply: FastifyReply): Partial<Meta> {
  const entries = deprecations(request.deprecatedUses, request.routeOptions.config.legacyRoute);
  if (entries.length === 0) return {};
  const warning = entries.map((entry) => entry.message).join('; ');
  void reply.header('deprecation', 'true').header('warning', `299 - "${warning.replace(/["\\]/g, "'")}"`);
  return { deprecation: entries };
}

/** Every other method of a known path: 405 with the methods that are served. */
function refuseOtherMethods(scope: FastifyInstance, routes: readonly Route[]): void {
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  for (const path of new Set(routes.map((route) => route.path))) {
    const served: string[] = routes
      .filter((route) => route.path === path)
      .map((route) => route.endpoint.method);
    scope.route({
      method: all.filter((method) => !served.includes(method)),
      url: path,
      handler: async (request, reply) => {
        void reply.header('allow', served.join(', '));
        throw new AppError(
          'METHOD_NOT_ALLOWED',
          `${path} does not serve ${request.method}; it serves ${served.join(', ')}`,
        );
      },
    });
  }
}

function sendError(
  app: App,
  { error, request, reply }: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const appError = toAppError(error);
  logFault(app.logger, appError, request.id);
  if (appError.retryAfterSeconds) void reply.header('retry-after', appError.retryAfterSeconds);
  // What is left of a refused upload is not read: the connection cannot serve another request.
  if (
    !request.raw.complete &&
    !request.raw.readableEnded &&
    request.raw.headers['content-length'] !== undefined
  ) {
    void reply.header('connection', 'close');
  }
  const meta = { ...baseMeta(request), ...deprecationMeta(request, reply) };
  const legacyRoute = request.routeOptions.config?.legacyRoute !== undefined;
  return reply.code(appError.status).send(errorBody(appError, meta, { legacyRoute }));
}
