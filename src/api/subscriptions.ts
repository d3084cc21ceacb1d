import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { AppError, invalidInput } from '../errors.js';
import { roundedNumber } from '../lib/exact-json.js';
import { roundedProblem } from '../lib/text-check.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { LIMITS } from '../limits.js';
import { limitReads } from './deadline.js';
import { errorExtensions, logFault, toAppError } from './failure.js';
import { errorFormatter } from './graphql.js';
import { checkRequest } from './graphql-document.js';
import { countRequests } from './rate-limit.js';
import { rawAnswer } from './raw-answer.js';
import type { RequestContext } from './request-context.js';
import { Asked } from './request-log.js';
import { webSocketPath } from './upgradable-request.js';

const messageBytesMax = 1_048_576;
// A live client answers a close frame at once; ws would wait half a minute for one that does not.
const closingMsMax = 2000;

interface Connection {
  readonly authorization: string;
  readonly caller: Caller;
}

/** Serves subscriptions over graphql-ws at /graphql; the API key comes in connectionParams.authorization. */
export function serveSubscriptions(
  server: Server,
  app: App,
  schema: GraphQLSchema,
): { dispose(): Promise<void> } {
  // Upgrades are handled here: given the HTTP server, it would report that one's failures (a port in use) as
  // its own, too.
  const sockets = new WebSocketServer({ noServer: true, path: webSocketPath, maxPayload: messageBytesMax });
  const rounded = acceptUpgrades(server, sockets, app);
  const connections = new WeakMap<object, Connection>();
  const connect = async (socket: object, authorization: string): Promise<Caller> => {
    const caller = await app.services.accounts.authenticate(authorization);
    connections.set(socket, { authorization, caller });
    return caller;
  };
  const format = formatterOf(app);
  const served = useServer(
    {
      // Whatever NODE_ENV is, a client is not told what went wrong inside.
      isProd: true,
      schema,
      onConnect: async ({ connectionParams, extra }) => {
        const header = authorizationOf(connectionParams ?? undefined);
        if (header === undefined) return false;
        return connect(extra.socket, header).then(
          () => true,
          () => false,
        );
      },
      onSubscribe: async ({ extra, subscriptions }, _id, payload) => {
        try {
          checkOperations(Object.keys(subscriptions).length);
          checkRounded(rounded.get(extra.socket));
          const { query, operationName, variables } = payload;
          const name = operationName == null ? {} : { operationName };
          const asked = { query, variables: variables ?? {}, ...name };
          const { rootFields } = checkRequest(schema, asked, app.config);
          // Authenticated anew for each operation: the key may have been revoked, or have used up its
          // requests.
          const caller = await connect(extra.socket, connections.get(extra.socket)?.authorization ?? '');
          await countRequests(app, { caller, requests: rootFields });
          return undefined;
        } catch (error) {
          return [asGraphqlError(error)];
        }
      },
      context: ({ extra }) => contextOf(app, connections.get(extra.socket), extra.request.headers.host),
      onError: (...[, , , errors]) => format(errors),
      onNext: (...[, , , , { data, errors }]) =>
        errors ? { data: data ?? null, errors: format(errors) } : undefined,
    },
    sockets,
  );
  return { dispose: async () => closeAll(sockets, Promise.resolve(served.dispose())) };
}

/** Waits a while until all clients have answered their close frames, then ends the others. */
async function closeAll(sockets: WebSocketServer, closed: Promise<void>): Promise<void> {
  await Promise.race([closed, setTimeout(closingMsMax, undefined, { ref: false })]);
  for (const client of sockets.clients) client.terminate();
  await closed;
}

/**
 * The value of `authorization` in a client's connectionParams: the key alone, or in the form of the header.
 */
function authorizationOf(parameters: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const name = Object.keys(parameters ?? {}).find((key) => key.toLowerCase() === 'authorization');
  const authorization = name === undefined ? undefined : parameters?.[name];
  if (typeof authorization !== 'string') return undefined;
  return authorization.includes(' ') ? authorization : `Bearer ${authorization}`;
}

/** Makes connections of upgrades. @returns for each, the number of its last message that reading has rounded */
function acceptUpgrades(
  server: Server,
  sockets: WebSocketServer,
  app: App,
): WeakMap<object, string | undefined> {
  const rounded = new WeakMap<object, string | undefined>();
  sockets.on('wsClientError', refuseHandshake);
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      // Before graphql-ws listens, which hands over only what it has read.
      client.on('message', (data) => rounded.set(client, roundedNumber((data as Buffer).toString())));
      sockets.emit('connection', client, request);
      // Anybody can send broken frames. ws closes the connection; without this listener graphql-ws prints
      // them on stderr.
      client.removeAllListeners('error').on('error', ({ message }) => {
        app.logger.debug({ reason: message }, 'broken WebSocket frame');
      });
    }),
  );
  return rounded;
}

/** Answers a request for a WebSocket that does not say what such a request has to. */
function refuseHandshake({ message }: Error, socket: Duplex): void {
  const requestId = unorderedUuid();
  const refusal = new AppError('INVALID_INPUT', `this is no WebSocket handshake: ${message}`);
  const { status } = refusal;
  const body = { errors: [{ message: refusal.message, extensions: errorExtensions(refusal, requestId) }] };
  socket.end(rawAnswer({ status, requestId, body, headers: ['sec-websocket-version: 13'] }));
}

/** @throws AppError INVALID_INPUT for a whole number of the message that reading has rounded, as over HTTP */
function checkRounded(number: string | undefined): void {
  if (number !== undefined) throw invalidInput('message', roundedProblem(number));
}

function checkOperations(underWay: number): void {
  const most = LIMITS.graphqlOperationsPerSocketMax;
  if (underWay > most) throw invalidInput('connection', `may have at most ${most} operations under way`);
}

function contextOf(app: App, connection: Connection | undefined, host: string | undefined): RequestContext {
  if (!connection) throw new Error('an operation came before its connection was authenticated');
  return {
    requestId: uuidv7(),
    caller: connection.caller,
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
