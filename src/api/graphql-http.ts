import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import { AppError, invalidInput } from '../errors.js';
import { parseJson } from '../lib/parse-json.js';
import type { GraphqlRequest } from './graphql-document.js';

const jsonTypes = ['application/json', 'application/graphql-response+json'] as const;

/**
 * Reads a request's parameters from the JSON of a POST, or the query string of a GET or HEAD. @throws
 * AppError INVALID_INPUT
 */
export function readRequest(request: FastifyRequest): GraphqlRequest {
  const parameters = request.method === 'POST' ? fromBody(request.body) : fromQueryString(request.query);
  const { query, operationName, variables, extensions } = parameters;
  if (isObject(extensions) && extensions['persistedQuery']) {
    // Clients recognise this message, and send the whole document instead.
    throw new AppError('INVALID_INPUT', 'PersistedQueryNotSupported');
  }
  if (typeof query !== 'string' || query === '') throw invalidInput('query', 'must be a GraphQL document');
  if (operationName != null && typeof operationName !== 'string')
    throw invalidInput('operationName', 'must be a string');
  if (variables != null && !isObject(variables)) throw invalidInput('variables', 'must be an object');
  if (extensions != null && !isObject(extensions)) throw invalidInput('extensions', 'must be an object');
  // Clients without an operation name may send an empty one.
  return { query, variables: variables ?? {}, ...(operationName ? { operationName } : {}) };
}

/**
 * The media type, of those served, that an Accept header prefers. @throws AppError INVALID_INPUT when it
 * allows none
 */
export function responseType(accept: string | undefined): string {
  const wanted = (accept || '*/*')
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { type, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { type } of wanted) {
    if (type === '*/*' || type === 'application/*') return jsonTypes[0];
    const served = jsonTypes.find((candidate) => candidate === type);
    if (served) return served;
  }
  throw invalidInput('Accept', `must allow ${jsonTypes.join(' or ')}`);
}

/**
 * Refuses what is not served by the request's HTTP method: subscriptions, and mutations by GET. @throws
 * AppError INVALID_INPUT, METHOD_NOT_ALLOWED
 */
export function checkMethod(
  { operation }: OperationDefinitionNode,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (operation === OperationTypeNode.SUBSCRIPTION)
    throw new AppError(
      'INVALID_INPUT',
      'subscriptions are served over a WebSocket (graphql-ws) at this path',
    );
  if (request.method === 'POST' || operation === OperationTypeNode.QUERY) return;
  void reply.header('allow', 'POST');
  throw new AppError(
    'METHOD_NOT_ALLOWED',
    `${request.method} serves queries only; send a ${operation} by POST`,
  );
}

type Parameters = Readonly<Record<string, unknown>>;

function fromBody(body: unknown): Parameters {
  if (Array.isArray(body)) throw invalidInput('body', 'must be one request; batches are not served');
  if (!isObject(body)) throw invalidInput('body', 'must be a JSON object with a query');
  return body;
}

function fromQueryString(search: unknown): Parameters {
  const parameters = search as Record<string, string | string[]>;
  const twice = Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
  if (twice !== undefined) throw invalidInput(twice, 'must be sent once');
  return {
    ...parameters,
    variables: parseObject(parameters, 'variables'),
    extensions: parseObject(parameters, 'extensions'),
  };
}

function parseObject(parameters: Parameters, name: string): unknown {
  const text = parameters[name];
  if (typeof text !== 'string' || text === '') return undefined;
  return parseJson(text, name, 'must be a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
