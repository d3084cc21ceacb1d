import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { App } from '../app.js';
import { checkNumbers } from '../lib/text-check.js';
import { admit, refuseEncodedBody } from './admission.js';
import { checkApiVersion } from './api-version.js';
import { logFault, noteFailure, toAppError } from './failure.js';
import type { FailedRequest } from './failure.js';
import { checkRequest } from './graphql-document.js';
import { errorFormatter } from './graphql-errors.js';
import { checkMethod, readRequest, responseType } from './graphql-http.js';
import { readUploads } from './graphql-upload.js';
import { refuseOtherMethods } from './other-methods.js';
import { servePlayground } from './playground.js';
import { countRequests } from './rate-limit.js';
import { requestContext } from './request-context.js';
import type { RequestContext } from './request-context.js';

/** Serves the schema at /graphql, with uploads, and the playground to browsers. */
export async function registerGraphql(
  server: FastifyInstance,
  app: App,
  schema: GraphQLSchema,
): Promise<void> {
  const apollo = await startApollo(app, schema);
  server.addHook('onClose', async () => apollo.stop());
  await servePlayground(server);
  await server.register(async (scope) => {
    scope.removeContentTypeParser(['application/json', 'text/plain']);
    // Lets keys such as __proto__ pass: keys of metadata are the caller's own, and nothing here is assigned
    // by a sent key.
    const readJson = server.getDefaultJsonParser('ignore', 'ignore');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
      void readJson(request, body, (error, value) => done(error ?? numbersProblem(body), value));
    });
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.addHook('onRequest', async (request, reply) => {
      await admit(app, request, reply);
      checkApiVersion(request);
      refuseEncodedBody(request, reply);
    });
    scope.addHook('preValidation', async (request) => readUploads(app, request));
    scope.setErrorHandler((error, request, reply) => sendError(app, { error, request, reply }));
    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      handler: async (request, reply) => answer(request, reply, { app, apollo, schema }),
    });
    refuseOtherMethods(scope, '/graphql', ['GET', 'HEAD', 'POST']);
  });
}

function numbersProblem(body: string): Error | null {
  try {
    checkNumbers(body, 'body');
    return null;
  } catch (error) {
    return error as Error;
  }
}

async function startApollo(app: App, schema: GraphQLSchema): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: app.config.graphqlIntrospection,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: app.logger,
    formatError: errorFormatter(app.config),
    // Nothing here is cached, and its plugin would be called around every field of every row.
    plugins: [errorPlugin(app), ApolloServerPluginCacheControlDisabled()],
  });
  await apollo.start();
  return apollo;
}

/**
 * Reads and checks a request, then has Apollo execute it. Apollo's own HTTP layer is not used: it executes
 * before it looks at Accept, has codes and statuses of its own, and cannot put the request's id into them.
 */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { app, apollo, schema }: { app: App; apollo: ApolloServer<RequestContext>; schema: GraphQLSchema },
): Promise<FastifyReply> {
  const type = responseType(request.headers.accept);
  const asked = readRequest(request);
  const { operation, rootFields } = checkRequest(schema, asked, app.config);
  checkMethod(operation, request, reply);
  const context = requestContext(app, request);
  // A field of a mutation has to see what the earlier ones wrote, so it uses nothing that was read with the
  // key.
  const isRead = operation.operation === OperationTypeNode.QUERY;
  const contextValue = isRead
    ? context
    : { ...context, caller: { ...context.caller, prefetched: undefined } };
  // The request itself was counted when it was admitted.
  await countRequests(app, { caller: contextValue.caller, requests: rootFields - 1, reply });
  const { body } = await apollo.executeOperation(asked, { contextValue });
  if (body.kind !== 'single') throw new Error('an operation was answered in parts');
  const { errors, data } = body.singleResult;
  // Without data nothing was executed. Errors of execution stand beside data, with status 200.
  const status = data === undefined ? (errors?.[0]?.extensions?.['httpStatus'] as number) : 200;
  const waits = (errors ?? []).map((error) => Number(error.extensions?.['retryAfterSeconds'] ?? 0));
  if (Math.max(0, ...waits) > 0) void reply.header('retry-after', Math.max(...waits));
  return reply.code(status).type(`${type}; charset=utf-8`).send({ errors, data });
}

/** Puts the request's id into its errors, and logs faults. */
function errorPlugin(app: App): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async ({ contextValue: { requestId, asked } }) => ({
      didEncounterErrors: async ({ errors }) => {
        for (const error of errors.map(toAppError)) {
          asked.failures.add(error.kind);
          logFault(app.logger, error, requestId);
        }
      },
      willSendResponse: async ({ response }) => {
        if (response.body.kind !== 'single') return;
        for (const error of response.body.singleResult.errors ?? []) {
          Object.assign(error.extensions ?? {}, { requestId });
        }
      },
    }),
  };
}

/** Answers in GraphQL's form what was refused before Apollo ran: a missing key, a broken upload, a limit. */
function sendError(app: App, failed: FailedRequest): FastifyReply {
  const { error, request, reply } = failed;
  const appError = noteFailure(app, failed);
  const located = error instanceof GraphQLError ? error.toJSON() : {};
  const formatted = errorFormatter(app.config)(
    { ...located, message: '', extensions: { requestId: request.id } },
    error,
  );
  return reply.code(appError.status).send({ errors: [formatted] });
}
