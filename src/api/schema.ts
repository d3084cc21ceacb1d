import 'reflect-metadata';
import { DirectiveLocation, GraphQLDirective } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { createPubSub } from '@graphql-yoga/subscription';
import { buildSchema } from 'type-graphql';
import type { ResolverData } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import { DatabaseResolver } from '../databases/database.resolver.js';
import { AppError } from '../errors.js';
import { checkText } from '../lib/text-check.js';
import { SearchResolver } from '../retrieval/search.resolver.js';
import { SourceResolver } from '../sources/source.resolver.js';
import type { RequestContext } from './request-context.js';

/** Written on a field of an operation: its key is left out of a REST answer when it is null. */
const omitNull = new GraphQLDirective({
  name: 'omitNull',
  description: 'Leave the key out of the REST answer when its value is null.',
  locations: [DirectiveLocation.FIELD],
});

// An arrow function: type-graphql would construct anything that has a prototype.
const checkScopes = ({ context }: ResolverData<RequestContext>, scopes: Scope[]): boolean => {
  const missing = scopes.filter((scope) => !context.caller.scopes.has(scope));
  if (missing.length > 0)
    throw new AppError('FORBIDDEN', `this needs a key with the scope ${missing.join(', ')}`);
  return true;
};

/** The one executable schema: GraphQL serves it, REST runs its operations against it. */
export async function createSchema(): Promise<GraphQLSchema> {
  return buildSchema({
    resolvers: [DatabaseResolver, SourceResolver, SearchResolver],
    directives: [omitNull],
    // Subscriptions bring their own source; type-graphql only asks that there be one.
    pubSub: createPubSub(),
    authChecker: checkScopes,
    validateFn: (value) => checkText(value),
  });
}
