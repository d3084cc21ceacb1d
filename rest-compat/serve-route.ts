import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, Kind, execute, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { requestContext } from '../src/api/request-context.js';
import type { RequestContext } from '../src/api/request-context.js';
import type { App } from '../src/app.js';
import { AppError, invalidInput } from '../src/errors.js';
import { parseJson } from '../src/lib/parse-json.js';
import { toSnakeCase } from './coerce.js';
import type { Endpoint } from './endpoints.js';
import { answerOnce } from './idempotency.js';
import { readMultipart, readUrlEncoded } from './multipart.js';
import type { Form } from './multipart.js';
import { chosenDocument } from './operations.js';
import type { Operation } from './operations.js';
import { resolveRoot } from './plain-answers.js';
import type { Shape } from './plain-answers.js';
import { parameterNames, readVariables } from './request.js';
import { keyMarked, omitMarked, scopeMeta, splitMeta } from './response.js';
import { commonMeta } from './send.js';

const findDatabase = parse('query ($database: String!) { database(database: $database) { status } }');

/** An endpoint on one of its paths. */
export interface ServedRoute {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly path: string;
  readonly schema: GraphQLSchema;
  /** Set when only plain properties are selected: makes the answer without executing field by field. */
  readonly shape: Shape | undefined;
}

/** A path of the table in Fastify's notation: `{name}` becomes `:name`. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Serves a route: from the request to variables, through the operation, to the answer. */
export function serveRoute(scope: FastifyInstance, app: App, route: ServedRoute): void {
  const { endpoint, operation, path } = route;
  const legacyRoute = path === endpoint.path ? undefined : { path, preferred: endpoint.path };
  scope.route({
    method: endpoint.method,
    url: fastifyPath(path),
    config: {
      ...(legacyRoute ? { legacyRoute } : {}),
      codes: endpoint.codes,
      operation: operation.rootField.name,
    },
    handler: async (request, reply) => {
      const variables = await readRequest(app, request, route);
      const run = (newId?: () => string) => runOperation(app, request, { ...route, variables, newId });
      const answer = endpoint.idempotent
        ? await answerOnce(app, { request, reply }, { operation: endpoint.operation, variables, run })
        : await run();
      return sendSuccess(reply.code(endpoint.status), { ...route, request, variables, answer });
    },
  });
}

function sendSuccess(
  reply: FastifyReply,
  {
    request,
    endpoint,
    operation,
    variables,
    answer,
  }: {
    request: FastifyRequest;
    endpoint: Endpoint;
    operation: Operation;
    variables: Readonly<Record<string, unknown>>;
    answer: unknown;
  },
): FastifyReply {
  const { deprecation, ...common } = commonMeta(request, reply);
  const { data, meta: ofData } = splitMeta(answer, operation);
  if (endpoint.bare) return reply.send(data);
  const scope = { ...scopeMeta(endpoint, variables), ...ofData };
  const meta = { ...common, ...scope, ...(deprecation ? { deprecation } : {}) };
  return reply.send({ success: true, data, error: null, meta });
}

async function runOperation(
  app: App,
  request: FastifyRequest,
  {
    operation,
    schema,
    shape,
    variables,
    newId,
  }: ServedRoute & { variables: Record<string, unknown>; newId: (() => string) | undefined },
): Promise<unknown> {
  const context = requestContext(app, request, newId);
  const answered = shape
    ? resolveRoot(schema, operation, { variables, context }).then(shape)
    : runDocument(schema, chosenDocument(operation, variables), { variables, context }).then((data) =>
        omitMarked(data[operation.rootKey], operation),
      );
  const data = await answered.catch((error: unknown) => {
    throw inRestNames(error, operation);
  });
  return keyMarked(data, operation);
}

/**
 * Renames the argument of the root field that an error is about, or part of one, to the parameter that it was
 * sent as.
 */
function inRestNames(error: unknown, { root }: Operation): unknown {
  const original = error instanceof GraphQLError ? error.originalError : error;
  if (!(original instanceof AppError) || original.kind !== 'INVALID_INPUT') return error;
  const { field = '', message } = original;
  const [name = ''] = /^\w+/.exec(field) ?? [];
  const value = root.arguments?.find((argument) => toSnakeCase(argument.name.value) === name)?.value;
  // An input object of GraphQL is the body in REST.
  const parameter =
    value?.kind === Kind.VARIABLE ? value.name.value : value?.kind === Kind.OBJECT ? 'body' : name;
  if (parameter === name || !message.startsWith(field)) return error;
  return invalidInput(parameter + field.slice(name.length), message.slice(field.length).trimStart());
}

/** Executes the operation. @throws its first error */
async function runDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variables, context }: { variables: Record<string, unknown>; context: RequestContext },
): Promise<Record<string, unknown>> {
  const result = await execute({ schema, document, variableValues: variables, contextValue: context });
  if (result.errors?.[0]) throw result.errors[0];
  return result.data ?? {};
}

async function readRequest(
  app: App,
  request: FastifyRequest,
  { endpoint, operation, schema }: ServedRoute,
): Promise<Record<string, unknown>> {
  const form =
    endpoint.body === 'form' ? await readForm(app, request, parameterNames(endpoint, operation)) : undefined;
  const variables: Record<string, unknown> = {};
  try {
    readVariables(
      {
        path: request.params as Record<string, string>,
        query: request.query as Record<string, string | string[]>,
        json: form || endpoint.body === 'none' ? undefined : parseJsonBody(request.body),
        form: form?.fields,
        files: form?.files ?? [],
        strayFile: form?.strayFile,
      },
      { endpoint, operation, uses: request.deprecatedUses, variables },
    );
  } catch (error) {
    // An unknown database is reported before anything else that is wrong.
    const { database } = variables;
    if (!endpoint.makesDatabase && typeof database === 'string')
      await runDocument(schema, findDatabase, {
        variables: { database },
        context: requestContext(app, request),
      });
    throw error;
  }
  return variables;
}

async function readForm(
  app: App,
  request: FastifyRequest,
  known: ReadonlySet<string>,
): Promise<Form | undefined> {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'multipart/form-data') return readMultipart(app, request, known);
  if (mediaType === 'application/x-www-form-urlencoded') return readUrlEncoded(request.body as string);
  return undefined;
}

function parseJsonBody(body: unknown): unknown {
  if (typeof body !== 'string' || body.trim() === '') return undefined;
  return parseJson(body, 'body');
}
