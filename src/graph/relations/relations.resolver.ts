import { Args, Authorized, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { Source } from '../../sources/lists/source-list.types.js';
import { RelationGroup, RelationList, RelationsArgs, relationPageSizes } from './relations.types.js';

@Resolver()
export class RelationsResolver {
  @Extensions({ pageSizes: relationPageSizes })
  @Authorized<Scope>('read')
  @Query(() => RelationList, {
    description: 'The relations between entities in a whole collection or in one item, newest first.',
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
      'The newest relations between the entities of the item, at most 50 groups; empty until the item is searchable.',
  })
  relations(@Ctx() context: RequestContext, @Root() source: Source): Promise<RelationGroup[]> {
    return context.services.listedRelations.of(context, source);
  }
}
