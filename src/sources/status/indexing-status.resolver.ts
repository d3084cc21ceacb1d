import { Arg, Authorized, Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { maySee } from '../acl.js';
import { SourceType } from '../source.types.js';
import {
  DatabaseStats,
  IndexingCounts,
  IndexingStatusChange,
  IndexingStatusList,
} from './indexing-status.types.js';
import type { StatusChange } from './status-feed.js';
import { readStatusIds } from './status-ids.js';

@Resolver(() => DatabaseStats)
export class DatabaseStatsResolver {
  @FieldResolver(() => IndexingCounts, {
    description: 'How many items are in each state of indexing, counted at the time of the request.',
  })
  indexing(
    @Ctx() { services, caller }: RequestContext,
    @Root() { databaseId }: DatabaseStats,
  ): Promise<IndexingCounts> {
    return services.indexingStatus.counts(caller, databaseId);
  }
}

@Resolver()
export class IndexingStatusResolver {
  @Authorized<Scope>('read')
  @Query(() => IndexingStatusList, {
    description:
      'Tells how far the indexing of items has come, by id. An item can be searched from graph_creation on.',
  })
  indexingStatus(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, { description: 'The database that the items are in.' }) database: string,
    @Arg('ids', () => [String], { description: 'Ids of the items, 1 to 1000.' }) ids: string[],
    @Arg('collection', () => String, {
      nullable: true,
      description: 'Name of the collection; the default collection when absent.',
    })
    collection: string | null,
    @Arg('type', () => SourceType, {
      nullable: true,
      description:
        'Which kind of content the items are. By default both are searched; if knowledge and a memory share an id, the one whose indexing is least far is shown, or else the one ingested last.',
    })
    type: SourceType | null,
  ): Promise<IndexingStatusList> {
    return services.indexingStatus.find(caller, { database, ids, collection, type });
  }

  @Authorized<Scope>('read')
  @Query(() => DatabaseStats, { description: 'Counts the chunks of a database over all its collections.' })
  databaseStats(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, { description: 'Name of the database.' }) database: string,
  ): Promise<DatabaseStats> {
    return services.indexingStatus.stats(caller, database);
  }

  @Authorized<Scope>('read')
  @Subscription(() => IndexingStatusChange, {
    description:
      'Changes of indexing status from now on, of a database, one of its collections or some items. With ids it begins with ' +
      'where those items stand, so that who subscribes (again) misses no outcome. A change may be told twice. It completes when ' +
      'the database is deleted.',
    subscribe: async ({ args, context }: { args: unknown; context: unknown }) => {
      const { services, caller } = context as RequestContext;
      const wanted = args as { database: string; collection?: string | null; ids?: string[] | null };
      const database = await services.databases.find(caller, wanted.database);
      return services.statusFeed.subscribe({
        databaseId: database.id,
        collection: wanted.collection ?? null,
        ids: wanted.ids ? new Set(readStatusIds(wanted.ids)) : null,
        maySee: (acl) => maySee(acl, caller),
        isAllowed: () => services.accounts.isValid(caller),
      });
    },
  })
  indexingStatusChanged(
    @Root() change: StatusChange,
    @Arg('database', () => String, { description: 'The database whose items to follow.' }) _database: string,
    @Arg('collection', () => String, {
      nullable: true,
      description: 'Name of the only collection to follow; all are followed when absent.',
    })
    _collection: string | null,
    @Arg('ids', () => [String], {
      nullable: true,
      description: 'Ids of the only items to follow, at most 1000; all are followed when absent.',
    })
    _ids: string[] | null,
  ): IndexingStatusChange {
    return change;
  }
}
