import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { Subgraph, SubgraphArgs } from './subgraph.types.js';

@Resolver()
export class SubgraphResolver {
  @Authorized<Scope>('read')
  @Query(() => Subgraph, {
    description: 'The items connected with one item by threads, hierarchy and links, nearest first.',
  })
  subgraph(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => SubgraphArgs) args: SubgraphArgs,
  ): Promise<Subgraph> {
    return services.subgraph.subgraph(caller, args);
  }
}
