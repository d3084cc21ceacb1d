import { Field, Int, ObjectType } from 'type-graphql';
import { SourceType } from '../source.types.js';
import { IndexingStatus } from './indexing-status.js';
import type { StatusChange } from './status-feed.js';

@ObjectType({ description: 'How far the indexing of one item has come.' })
export class ItemIndexingStatus {
  @Field(() => String, { description: 'Id of the item, as it was requested.' })
  id: string;

  @Field(() => IndexingStatus, { description: 'How far indexing has come; errored for an unknown id.' })
  indexingStatus: IndexingStatus;

  @Field(() => String, {
    description:
      'Code of the last error, such as E2002, or FILE_NOT_FOUND for an unknown id; empty when there was none. Indexing has failed for good only when indexingStatus is errored.',
  })
  errorCode: string;

  @Field(() => String, {
    description: 'What the last error was, for people to read; empty when there was none.',
  })
  errorMessage: string;

  @Field(() => Boolean, { description: 'False when indexing has failed for good or the id is unknown.' })
  success: boolean;

  @Field(() => String, { description: 'The status in a sentence, for people to read.' })
  message: string;

  @Field(() => Date, {
    nullable: true,
    description: 'When the status or its error last changed; null for an unknown id.',
  })
  updatedAt: Date | null;
}

@ObjectType({ description: 'How far the indexing of the requested items has come.' })
export class IndexingStatusList {
  @Field(() => [ItemIndexingStatus], {
    description: 'One entry per requested id, in the order of the request.',
  })
  statuses: ItemIndexingStatus[];
}

@ObjectType({
  description: 'How many chunks of one kind of content the database holds, over all its collections.',
})
export class StoreStats {
  @Field(() => Int, { description: 'The number of chunks that can be searched; 0 when there are none.' })
  rowCount: number;
}

@ObjectType({ description: 'How many items of a database are in each state of indexing.' })
export class IndexingCounts {
  @Field(() => Int, { description: 'Items that wait to be indexed.' })
  queued: number;

  @Field(() => Int, { description: 'Items that are being indexed, and cannot be searched yet.' })
  processing: number;

  @Field(() => Int, {
    description: 'Items that can be searched already, while their relations are still being built.',
  })
  graphCreation: number;

  @Field(() => Int, { description: 'Items that are fully indexed.' })
  completed: number;

  @Field(() => Int, { description: 'Items whose indexing failed for good.' })
  errored: number;
}

@ObjectType({
  description:
    'How much a database holds, counted in chunks; the counts may lag behind an ingest or a deletion.',
})
export class DatabaseStats {
  /** Not shown. */
  databaseId: number;

  @Field(() => String, { description: 'Name of the database.' })
  database: string;

  @Field(() => StoreStats, { description: 'The chunks of knowledge: files and app items.' })
  knowledgeCollection: StoreStats;

  @Field(() => StoreStats, { description: 'The chunks of memories.' })
  memoryCollection: StoreStats;

  @Field(() => String, { description: 'The counts in a sentence, for people to read.' })
  message: string;
}

@ObjectType({ description: "A change of an item's indexing status." })
export class IndexingStatusChange implements Omit<StatusChange, 'databaseId' | 'acl'> {
  @Field(() => String, { description: 'Name of the collection that the item is in.' })
  collection: string;

  @Field(() => SourceType, { name: 'type', description: 'Whether the item is knowledge or a memory.' })
  corpus: 'knowledge' | 'memory';

  @Field(() => String, { description: 'Id of the item.' })
  id: string;

  @Field(() => IndexingStatus, { description: 'The new status.' })
  indexingStatus: IndexingStatus;

  @Field(() => String, { description: 'Code of the last error; empty when there was none.' })
  errorCode: string;

  @Field(() => String, {
    description: 'What the last error was, for people to read; empty when there was none.',
  })
  errorMessage: string;
}
