import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  Info,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { asksFor } from '../../lib/selected-fields.js';
import type { ListedSources } from '../../sources/lists/source-list.service.js';
import {
  ItemListArgs,
  SourceConnection,
  fieldsOfTotal,
  listPageSizes,
} from '../../sources/lists/source-list.types.js';
import { Memory, MemoryConnection } from './memory.types.js';

@Resolver(() => Memory)
export class MemoryResolver {
  @Authorized<Scope>('read')
  @Query(() => Memory, {
    nullable: true,
    description: 'Returns one memory by id; null when there is none that the API key may read.',
  })
  memory(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, { description: 'The database that the memory is in.' }) database: string,
    @Arg('id', () => String, { description: 'Id of the memory.' }) id: string,
    @Arg('collection', () => String, {
      nullable: true,
      description: 'Name of the collection; the default collection when absent.',
    })
    collection: string | null,
  ): Promise<Memory | null> {
    return services.memories.find(caller, { database, id, collection });
  }

  @Extensions({ pageSizes: listPageSizes })
  @Authorized<Scope>('read')
  @Query(() => MemoryConnection, { description: 'Lists the memories of a collection, newest first.' })
  memories(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => ItemListArgs) args: ItemListArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<MemoryConnection> {
    return services.memories.list(caller, args, { counted: asksFor(info, fieldsOfTotal) });
  }
}

@Resolver(() => SourceConnection)
export class ListedMemoriesResolver {
  @FieldResolver(() => [Memory], {
    nullable: true,
    description: 'The same items as nodes, with all fields of memories; null for knowledge.',
  })
  memories(@Ctx() { services }: RequestContext, @Root() list: ListedSources): Promise<Memory[]> | null {
    return list.sources ? null : services.memories.ofList(list);
  }
}
