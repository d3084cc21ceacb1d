import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { invalidInput } from '../errors.js';
import { roundedProblem } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import { limitReads } from './deadline.js';
import { logFault, toAppError } from './failure.js';
import { checkRequest } from './graphql-document.js';
import type { GraphqlRequest } from './graphql-document.js';
import { errorFormatter } from './graphql-errors.js';
import { countRequests } from './rate-limit.js';
import type { RequestContext } from './request-context.js';
import { Asked } from './request-log.js';
import { webSocketPath } from './upgradable-request.js';
import { acceptUpgrades } from './upgrades.js';

const messageBytesMax = 1_048_576;
// A live client answers a close frame at once; ws would wait half a minute for one that does not.
const closingMsMax = 2000;

/** Serves subscriptions over graphql-ws at /graphql; the API key comes in connectionParams.authorization. */
export function serveSubscriptions(
  server: Server,
  app: App,
  schema: GraphQLSchema,
): { dispose(): Promise<void> } {
  // Upgrades are handled here: given the HTTP server, it would report that one's failures (a port in use) as
  // its own, too.
  const sockets = new WebSocketServer({ noServer: true, path: webSocketPath, maxPayload: messageBytesMax });
  const rounded = acceptUpgrades(server, sockets, app.logger);
  const callers = new SocketCallers(app);
  const format = formatterOf(app);
  const served = useServer(
    {
      // Whatever NODE_ENV is, a client is not told what went wrong inside.
      isProd: true,
      schema,
      onConnect: ({ connectionParams, extra }) =>
        callers.connect(extra.socket, authorizationOf(connectionParams)),
      onSubscribe: async ({ extra, subscriptions }, _id, payload) => {
        try {
          checkOperations(Object.keys(subscriptions).length);
          checkRounded(rounded.get(extra.socket));
          const { rootFields } = checkRequest(schema, requestOf(payload), app.config);
          const caller = await callers.renew(extra.socket);
          await countRequests(app, { caller, requests: rootFields });
          return undefined;
        } catch (error) {
          return [asGraphqlError(error)];
        }
      },
      context: ({ extra }) => contextOf(app, callers.of(extra.socket), extra.request.headers.host),
      onError: (...[, , , errors]) => format(errors),
      onNext: (...[, , , , { data, errors }]) =>
        errors ? { data: data ?? null, errors: format(errors) } : undefined,
    },
    sockets,
  );
  return { dispose: async () => closeAll(sockets, Promise.resolve(served.dispose())) };
}

/** Who is at the other end of each connection. */
class SocketCallers {
  private readonly known = new WeakMap<object, { authorization: string; caller: Caller }>();

  constructor(private readonly app: App) {}

  /** Authenticates a new connection; false refuses it. */
  async connect(socket: object, authorization: string | undefined): Promise<boolean> {
    if (authorization === undefined) return false;
    return this.authenticate(socket, authorization).then(
      () => true,
      () => false,
    );
  }

  /**
   * Authenticates a connection anew, for each operation: its key may have been revoked meanwhile. @throws
   * AppError UNAUTHORIZED
   */
  renew(socket: object): Promise<Caller> {
    return this.authenticate(socket, this.known.get(socket)?.authorization ?? '');
  }

  of(socket: object): Caller {
    const found = this.known.get(socket);
    if (!found) throw new Error('an operation came before its connection was authenticated');
    return found.caller;
  }

  private async authenticate(socket: object, authorization: string): Promise<Caller> {
    const caller = await this.app.services.accounts.authenticate(authorization);
    this.known.set(socket, { authorization, caller });
    return caller;
  }
}

/** Waits a while until all clients have answered their close frames, then ends the others. */
async function closeAll(sockets: WebSocketServer, closed: Promise<void>): Promise<void> {
  await Promise.race([closed, setTimeout(closingMsMax, undefined, { ref: false })]);
  for (const client of sockets.clients) client.terminate();
  await closed;
}

type ConnectionParameters = Readonly<Record<string, unknown>> | null | undefined;

/**
 * The value of `authorization` in a client's connectionParams: the key alone, or in the form of the header.
 */
function authorizationOf(parameters: ConnectionParameters): string | undefined {
  const given = Object.entries(parameters ?? {}).find(([key]) => key.toLowerCase() === 'authorization');
  const authorization = given?.[1];
  if (typeof authorization !== 'string') return undefined;
  return authorization.includes(' ') ? authorization : `Bearer ${authorization}`;
}

/** What a client's message asks, in the form that requests over HTTP have. */
function requestOf({ query, operationName, variables }: SubscribePayload): GraphqlRequest {
  return { query, variables: variables ?? {}, ...(operationName == null ? {} : { operationName }) };
}

/** @throws AppError INVALID_INPUT for a whole number of the message that reading has rounded, as over HTTP */
function checkRounded(number: string | undefined): void {
  if (number !== undefined) throw invalidInput('message', roundedProblem(number));
}

function checkOperations(underWay: number): void {
  const most = LIMITS.graphqlOperationsPerSocketMax;
  if (underWay > most) throw invalidInput('connection', `may have at most ${most} operations under way`);
}

function contextOf(app: App, caller: Caller, host: string | undefined): RequestContext {
  return {
    requestId: uuidv7(),
    caller,
    services: app.services,
    logger: app.logger,
    asked: new Asked(),
    limitRead: limitReads(app.config.queryTimeoutMs),
    baseUrl: app.config.publicUrl ?? `http://${host ?? 'localhost'}`,
    newId: () => uuidv7(),
  };
}

/** Gives each error the code of REST and an id of its own, and logs faults. */
function formatterOf(app: App) {
  const formatError = errorFormatter(app.config);
  return (errors: readonly GraphQLError[]) =>
    errors.map((error) => {
      const requestId = uuidv7();
      logFault(app.logger, toAppError(error), requestId);
      return formatError({ ...error.toJSON(), extensions: { requestId } }, error);
    });
}

// graphql-ws answers the operation with these; anything thrown would close the whole connection.
function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = toAppError(error);
  return new GraphQLError(originalError.message, { originalError });
}
