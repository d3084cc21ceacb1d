import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { App } from '../app.js';
import type { AppError } from '../errors.js';
import { errorExtensions, graphqlMessage, logFault, toAppError } from './failure.js';
import { readUploads } from './graphql-upload.js';
import { admit, requestContext } from './http-server.js';
import type { RequestContext } from './request-context.js';
import { servePlayground } from './playground.js';

/** Serves the schema at /graphql, with uploads, and the playground to browsers. */
export async function registerGraphql(
  server: FastifyInstance,
  app: App,
  schema: GraphQLSchema,
): Promise<void> {
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // A key in a header, never a cookie: another site cannot make a browser send it.
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    formatError: formatGraphqlError,
    plugins: [ApolloServerPluginLandingPageDisabled(), nameRequest(app)],
  });
  await apollo.start();
  server.addHook('onClose', async () => apollo.stop());
  await servePlayground(server);
  await server.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    scope.addHook('onRequest', async (request, reply) => admit(app, request, reply));
    scope.addHook('preValidation', async (request, reply) => readUploads(app, request, reply));
    scope.setErrorHandler((error, request, reply) => sendGraphqlError(toAppError(error), request, reply));
    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      handler: fastifyApolloHandler(apollo, { context: async (request) => requestContext(app, request) }),
    });
  });
}

/** Gives an error the codes of REST. Also used for subscriptions. */
export function formatGraphqlError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const appError = toAppError(error);
  const requestId = (formatted.extensions?.['requestId'] ?? '') as string;
  return {
    ...formatted,
    message: graphqlMessage(appError),
    extensions: errorExtensions(appError, requestId),
  };
}

/** Writes the request's id into its errors and faults into the log. */
function nameRequest(app: App): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async ({ contextValue: { requestId } }) => ({
      didEncounterErrors: async ({ errors }) => {
        for (const error of errors) logFault(app.logger, toAppError(error), requestId);
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

// What is refused before GraphQL runs (no key, a broken upload) still answers in GraphQL's form, with its status.
function sendGraphqlError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds) void reply.header('retry-after', error.retryAfterSeconds);
  const body = {
    errors: [{ message: graphqlMessage(error), extensions: errorExtensions(error, request.id) }],
  };
  return reply.code(error.status).send(body);
}
