import { Arg, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { Memory } from './memory.types.js';

@Resolver(() => Memory)
export class MemoryResolver {
  @Authorized<Scope>('read')
  @Query(() => Memory, {
    nullable: true,
    description: 'One memory; null when there is none that the key may read.',
  })
  memory(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String) database: string,
    @Arg('id', () => String) id: string,
    @Arg('collection', () => String, { nullable: true }) collection: string | null,
  ): Promise<Memory | null> {
    return services.memories.find(caller, { database, id, collection });
  }
}
