import { Args, Authorized, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { Source } from '../sources/source-list.types.js';
import { RelationGroup, RelationList, RelationsArgs, relationPageSizes } from './relations.types.js';

@Resolver()
export class RelationsResolver {
  @Extensions({ pageSizes: relationPageSizes })
  @Authorized<Scope>('read')
  @Query(() => RelationList, {
    description: 'Relations between the entities of a collection or an item, newest first.',
  })
  relations(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => RelationsArgs) args: RelationsArgs,
  ): Promise<RelationList> {
    return services.relations.relations(caller, args);
  }
}

@Resolver(() => Source)
export class ListedRelationsResolver {
  @FieldResolver(() => [RelationGroup], {
    description:
      'The newest relations between its entities, at most 50 groups; none before it is searchable.',
  })
  relations(@Ctx() context: RequestContext, @Root() source: Source): Promise<RelationGroup[]> {
    return context.services.listedRelations.of(context, source);
  }
}
