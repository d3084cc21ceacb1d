import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Authorized, Ctx, Extensions, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { asksFor } from '../../lib/selected-fields.js';
import { DeleteSourcesArgs, DeleteSourcesResult } from '../deletion/deletion.types.js';
import {
  Source,
  SourceConnection,
  SourceListArgs,
  fieldsOfTotal,
  listPageSizes,
} from './source-list.types.js';

@Resolver(() => Source)
export class SourceListResolver {
  @Extensions({ pageSizes: listPageSizes })
  @Authorized<Scope>('read')
  @Query(() => SourceConnection, {
    description: 'Lists the items of a collection, newest first: its files and app items, or its memories.',
  })
  sources(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => SourceListArgs) args: SourceListArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<SourceConnection> {
    return services.sourceList.list(caller, args, { counted: asksFor(info, fieldsOfTotal) });
  }

  @Authorized<Scope>('read')
  @Query(() => Source, {
    nullable: true,
    description: 'Returns one file or app item by id; null when there is none that the API key may read.',
  })
  async source(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, { description: 'The database that the item is in.' }) database: string,
    @Arg('id', () => String, { description: 'Id of the item.' }) id: string,
    @Arg('collection', () => String, {
      nullable: true,
      description: 'Name of the collection; the default collection when absent.',
    })
    collection: string | null,
  ): Promise<Source | null> {
    const found = await services.sourceList.find(caller, { database, id, collection }, 'knowledge');
    return found?.source ?? null;
  }

  @Authorized<Scope>('write')
  @Mutation(() => DeleteSourcesResult, {
    description:
      'Deletes items by id. No read returns them from then on, and a newer version that is still being indexed is deleted too.',
  })
  deleteSources(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => DeleteSourcesArgs) args: DeleteSourcesArgs,
  ): Promise<DeleteSourcesResult> {
    return services.deletion.delete(caller, args);
  }
}
