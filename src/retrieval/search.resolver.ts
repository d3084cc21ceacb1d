import type { GraphQLResolveInfo } from 'graphql';
import { Args, Authorized, Ctx, Info, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { asksFor } from '../lib/selected-fields.js';
import { SearchArgs } from './search-args.types.js';
import { SearchResult } from './search.types.js';

@Resolver()
export class SearchResolver {
  @Authorized<Scope>('read')
  @Query(() => SearchResult, {
    description:
      'Searches a database for what a language model should know to answer a query: ranked chunks and the items they belong to.',
  })
  search(
    @Ctx() { services, caller, requestId }: RequestContext,
    @Args(() => SearchArgs) args: SearchArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<SearchResult> {
    if (asksFor(info, ['explain'])) return services.search.explain(caller, args, requestId);
    return services.search.search(caller, args, requestId);
  }
}
