import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { SearchArgs, SearchResult } from './search.types.js';

@Resolver()
export class SearchResolver {
  @Authorized<Scope>('read')
  @Query(() => SearchResult, {
    description: 'What the model should know for a query: ranked chunks and their items.',
  })
  search(
    @Ctx() { services, caller, requestId }: RequestContext,
    @Args(() => SearchArgs) args: SearchArgs,
  ): Promise<SearchResult> {
    return services.search.search(caller, args, requestId);
  }
}
