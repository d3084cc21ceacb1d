import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { ErrorName } from '../errors.js';
import type { Logger } from '../lib/logger.js';
import { LIMITS } from '../limits.js';
import { contentPath } from './content-route.js';
import type { RequestContext } from './request-context.js';
import { healthPaths } from './stopping.js';

declare module 'fastify' {
  interface FastifyRequest {
    asked: Asked;
  }
  interface FastifyContextConfig {
    /** The root field that the route always asks for. */
    operation?: string;
  }
}

/** What a request turned out to ask for, and why it failed: for its line in the log. */
export class Asked {
  readonly operations = new Set<string>();
  readonly databases = new Set<string>();
  readonly failures = new Set<ErrorName>();
}

/** Milliseconds since the request arrived, to a hundredth. */
export function elapsedMs(request: FastifyRequest): number {
  return Math.round((performance.now() - request.startedAtMs) * 100) / 100;
}

/** Logs a line for each request when its answer has been sent, or its client has gone. */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.decorateRequest('asked');
  server.addHook('onRequest', async (request, reply) => {
    request.asked = new Asked();
    // Unlike onResponse, this also fires when the client has gone.
    reply.raw.once('close', () => {
      const isGone = !reply.raw.writableFinished;
      // They are asked every few seconds.
      const isRoutine = healthPaths.includes(request.routeOptions.url) && reply.statusCode === 200;
      logger[isRoutine ? 'debug' : 'info'](
        {
          requestId: request.id,
          method: request.method,
          path: loggedPath(request),
          operation: request.routeOptions.config?.operation ?? listed(request.asked.operations),
          database: listed(request.asked.databases),
          ...(isGone ? { clientGone: true } : { status: reply.statusCode }),
          failure: listed(request.asked.failures),
          latencyMs: elapsedMs(request),
          ip: request.ip,
          keyPrefix: request.caller?.keyPrefix,
        },
        'request',
      );
    });
  });
}

/** Has the root fields note that they were asked for, and for which database. */
export function noteAsked(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) noteCalls(field);
  return schema;
}

function noteCalls(field: GraphQLField<unknown, unknown>): void {
  const { resolve, name } = field;
  if (!resolve) return;
  field.resolve = (...parameters) => {
    const values = parameters[1] as Values;
    const { asked } = parameters[2] as RequestContext;
    asked.operations.add(name);
    const database = values['database'] ?? (values['input'] as Values | undefined)?.['database'];
    if (typeof database === 'string')
      asked.databases.add(database.slice(0, LIMITS.databaseNameCharactersMax));
    return resolve(...parameters);
  };
}

type Values = Readonly<Record<string, unknown>>;

function listed(names: ReadonlySet<string>): string | undefined {
  return names.size > 0 ? [...names].join(',') : undefined;
}

/**
 * The path without tokens: those of content open files, and the query string of a feed in the path may hold
 * one. The prefix counts as well as the route: escaped letters lead to the same route, and other methods to
 * none.
 */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  const isLink = routeOptions.url === contentPath || url.startsWith('/content/');
  return isLink ? contentPath : url.split(/\?|%3f/i, 1)[0];
}
