import type { Server } from 'node:http';
import { GraphQLError } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import type { App } from '../app.js';
import type { Caller } from '../accounts/accounts.service.js';
import { logFault, toAppError } from './failure.js';
import { checkRequest } from './graphql-document.js';
import { errorFormatter } from './graphql.js';
import type { RequestContext } from './request-context.js';

const messageBytesMax = 1_048_576;

/** Serves subscriptions over graphql-ws at /graphql; the key comes in connectionParams.authorization. */
export function serveSubscriptions(
  server: Server,
  app: App,
  schema: GraphQLSchema,
): { dispose(): Promise<void> } {
  const sockets = new WebSocketServer({ server, path: '/graphql', maxPayload: messageBytesMax });
  const callers = new WeakMap<object, Caller>();
  const formatError = errorFormatter(app.config);
  const format = (errors: readonly GraphQLError[]) =>
    errors.map((error) => {
      const requestId = uuidv7();
      logFault(app.logger, toAppError(error), requestId);
      return formatError({ ...error.toJSON(), extensions: { requestId } }, error);
    });
  const served = useServer(
    {
      schema,
      onConnect: async ({ connectionParams, extra }) => {
        const authorization = connectionParams?.['authorization'];
        if (typeof authorization !== 'string') return false;
        try {
          callers.set(extra.socket, await app.services.accounts.authenticate(authorization));
          return true;
        } catch {
          return false;
        }
      },
      context: ({ extra }): RequestContext => {
        const caller = callers.get(extra.socket);
        if (!caller) throw new Error('an operation came before its connection was authenticated');
        return { requestId: uuidv7(), caller, services: app.services, logger: app.logger };
      },
      onSubscribe: (_connection, _id, { query, operationName, variables }) => {
        try {
          checkRequest(
            schema,
            { query, variables: variables ?? {}, ...(operationName == null ? {} : { operationName }) },
            app.config,
          );
          return undefined;
        } catch (error) {
          return [asGraphqlError(error)];
        }
      },
      onError: (...[, , , errors]) => format(errors),
      onNext: (...[, , , , { data, errors }]) =>
        errors ? { data: data ?? null, errors: format(errors) } : undefined,
    },
    sockets,
  );
  return { dispose: async () => served.dispose() };
}

// graphql-ws answers an operation with these; anything else that is thrown would close the whole connection.
function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = toAppError(error);
  return new GraphQLError(originalError.message, { originalError });
}
