import type { GraphQLFormattedError } from 'graphql';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import { toAppError } from './failure.js';

/** Gives errors the same codes as REST, for HTTP and for subscriptions. */
export function errorFormatter({ graphqlIntrospection }: Pick<Config, 'graphqlIntrospection'>) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const appError = toAppError(error);
    const requestId = (formatted.extensions?.['requestId'] ?? '') as string;
    const message = messageOf(appError);
    return {
      ...formatted,
      // "Did you mean" names what exists near what was asked for: the schema, piece by piece.
      message: graphqlIntrospection ? message : message.replace(/ ?Did you mean [^]*\?$/, ''),
      extensions: errorExtensions(appError, requestId),
    };
  };
}

/** The extensions of a GraphQL error, with the same codes as in REST. */
export function errorExtensions(error: AppError, requestId: string): Record<string, unknown> {
  return {
    code: error.code,
    httpStatus: error.status,
    requestId,
    ...(error.data ? { data: error.data } : {}),
    ...(error.detail ? { detail: error.detail } : {}),
    ...(error.retryAfterSeconds ? { retryAfterSeconds: error.retryAfterSeconds } : {}),
  };
}

/**
 * The part of a field's path before any keys of JSON, which are the caller's own and spelled alike in both
 * APIs.
 */
const untilJson =
  /^.*?(?:\b(?:metadata|additional_metadata|database_metadata|metadata_filters|collections|credentials|graph_payload|properties)\b|\.fields\.|\["|$)/;

/** The error's message, with the fields that it names spelled as GraphQL spells them. */
function messageOf({ field, named, message }: AppError): string {
  if (!field || !message.startsWith(field)) return message;
  const [path = ''] = untilJson.exec(field) ?? [];
  const problem = named.reduce(
    (text, name) => text.replaceAll(name, camelCase(name)),
    message.slice(field.length),
  );
  return camelCase(path) + field.slice(path.length) + problem;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
