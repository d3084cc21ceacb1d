import type { Server } from 'node:http';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import type { App } from '../app.js';
import type { Caller } from '../accounts/caller.js';
import { limitReads } from './deadline.js';
import { logFault, toAppError } from './failure.js';
import { formatGraphqlError } from './graphql.js';
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
  const format = (errors: readonly GraphQLError[]) =>
    errors.map((error) => {
      const requestId = uuidv7();
      logFault(app.logger, toAppError(error), requestId);
      return formatGraphqlError({ ...error.toJSON(), extensions: { requestId } }, error);
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
        return {
          requestId: uuidv7(),
          caller,
          services: app.services,
          logger: app.logger,
          limitRead: limitReads(app.config.queryTimeoutMs),
          newId: () => uuidv7(),
        };
      },
      onError: (...[, , , errors]) => format(errors),
      onNext: (...[, , , , { data, errors }]) =>
        errors ? { data: data ?? null, errors: format(errors) } : undefined,
    },
    sockets,
  );
  return { dispose: async () => served.dispose() };
}
