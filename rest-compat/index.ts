import type { IncomingMessage } from 'node:http';
import fastifyMultipart from '@fastify/multipart';
import { errorCodes } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { admit, refuseEncodedBody } from '../src/api/admission.js';
import { checkApiVersion } from '../src/api/api-version.js';
import { refuseOtherMethods } from '../src/api/other-methods.js';
import type { App } from '../src/app.js';
import { AppError, invalidInput } from '../src/errors.js';
import { isPercentEncoded } from '../src/lib/percent-encoding.js';
import { readUtf8 } from '../src/lib/utf8.js';
import { ENDPOINTS } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import { refuseOtherBytes } from './multipart.js';
import { serveOpenApi } from './openapi-docs.js';
import { loadOperation } from './operations.js';
import { compileShape } from './plain-answers.js';
import type { DeprecatedUse } from './resolve-aliases.js';
import { sendFailure } from './send.js';
import { fastifyPath, serveRoute } from './serve-route.js';
import type { ServedRoute } from './serve-route.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Deprecated names that the request used. */
    deprecatedUses: DeprecatedUse[];
  }
  interface FastifyContextConfig {
    /** Set on deprecated routes. */
    legacyRoute?: { path: string; preferred: string };
    /** Codes of failures by status, where the endpoint has its own. */
    codes?: Endpoint['codes'];
  }
}

/** Serves the documented REST interface: every row of ENDPOINTS, on its path and its deprecated ones. */
export async function registerRestCompat(
  server: FastifyInstance,
  app: App,
  schema: GraphQLSchema,
): Promise<void> {
  const routes = ENDPOINTS.flatMap((endpoint): ServedRoute[] => {
    const operation = loadOperation(schema, endpoint);
    const shape = compileShape(operation);
    return [endpoint.path, ...endpoint.legacyPaths].map((path) => ({
      endpoint,
      operation,
      path,
      schema,
      shape,
    }));
  });
  await server.register(async (scope) => {
    scope.decorateRequest('deprecatedUses');
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => readUtf8(body, 'body'),
    );
    // A content type without a body is no error.
    scope.addContentTypeParser('*', async ({ headers }: FastifyRequest, body: IncomingMessage) => {
      if (Number(headers['content-length'] ?? 0) === 0 && (await isEmpty(body))) return undefined;
      throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
    });
    scope.addHook('onRequest', async (request, reply) => {
      request.deprecatedUses = [];
      await admit(app, request, reply);
      checkApiVersion(request);
      refuseUnreadableUrl(request);
      refuseEncodedBody(request, reply);
    });
    scope.setErrorHandler((error, request, reply) => sendFailure(app, { error, request, reply }));
    for (const route of routes) if (route.endpoint.body !== 'form') serveRoute(scope, app, route);
    await scope.register(async (forms) => {
      await forms.register(fastifyMultipart, { throwFileSizeLimit: false });
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'buffer' },
        async (_request: FastifyRequest, body: Buffer) => readUtf8(body, 'body'),
      );
      for (const route of routes) if (route.endpoint.body === 'form') serveRoute(forms, app, route);
    });
    for (const path of new Set(routes.map((route) => route.path)))
      refuseOtherMethods(scope, fastifyPath(path), methodsOf(path, routes));
  });
  refuseUnknownPaths(server, app);
  await serveOpenApi(server, app, schema);
}

/** Answers every path that is not served: 401 without a key, 404 with one, in the envelope. */
export function refuseUnknownPaths(server: FastifyInstance, app: App): void {
  const refusePath = async (request: FastifyRequest, reply: FastifyReply) => {
    await admit(app, request, reply);
    throw new AppError('NOT_FOUND', `there is no ${request.method} ${request.url.split('?', 1)[0]}`);
  };
  // Before the body is read.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refusePath(request, reply);
  });
  // For routes that find out themselves that nothing is there, such as those of files.
  server.setNotFoundHandler(refusePath);
  server.setErrorHandler((error, request, reply) => sendFailure(app, { error, request, reply }));
}

/** Refuses a path or query string that is not UTF-8, percent-encoded: `%ff` is not the item "%ff". @throws AppError INVALID_INPUT */
function refuseUnreadableUrl({ originalUrl }: FastifyRequest): void {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s);
  if (!isPercentEncoded(path)) throw invalidInput('path', 'must be percent-encoded UTF-8');
  refuseOtherBytes(query, 'query string');
}

/** Whether a body ends without a byte; if it does not, what has come is left for others to read. */
async function isEmpty(body: IncomingMessage): Promise<boolean> {
  for await (const _piece of body.iterator({ destroyOnReturn: false })) return false;
  return true;
}

/** The methods that a path serves. */
function methodsOf(path: string, routes: readonly ServedRoute[]): string[] {
  return routes
    .filter((route) => route.path === path)
    .flatMap(({ endpoint }) => (endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]));
}
