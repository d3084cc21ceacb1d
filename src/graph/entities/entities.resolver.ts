import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { PageArgs } from '../../lib/page.types.js';
import {
  EntitiesArgs,
  EntityConnection,
  EntityPaths,
  EntityPathsArgs,
  NeighbourConnection,
  NeighboursArgs,
} from './entities.types.js';

@Resolver()
export class EntitiesResolver {
  @Authorized<Scope>('read')
  @Query(() => EntityConnection, {
    description: 'The entities and people of a collection that match a name or have given ids.',
  })
  entities(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => EntitiesArgs) args: EntitiesArgs,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<EntityConnection> {
    return services.entities.entities(caller, args, page);
  }

  @Authorized<Scope>('read')
  @Query(() => NeighbourConnection, { description: 'The entities that relations connect with one entity.' })
  neighbours(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => NeighboursArgs) args: NeighboursArgs,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<NeighbourConnection> {
    return services.entities.neighbours(caller, args, page);
  }

  @Authorized<Scope>('read')
  @Query(() => EntityPaths, { description: 'The shortest paths of relations between two entities.' })
  entityPaths(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => EntityPathsArgs) args: EntityPathsArgs,
  ): Promise<EntityPaths> {
    return services.entities.paths(caller, args);
  }
}
