import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { SourceType } from './source.types.js';
import type { JsonObject } from './source.types.js';

@InputType({ description: 'An edit of one item: at least one of databaseMetadata, additionalMetadata, acl.' })
export class UpdateSourceMetadataInput {
  @Field(() => String)
  id: string;

  @Field(() => String)
  database: string;

  @Field(() => String, { description: 'Not defaulted here; the default collection is named default.' })
  collection: string;

  @Field(() => SourceType, {
    nullable: true,
    description: 'knowledge or memory; absent: the item of this id, else the memory.',
  })
  type?: SourceType | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Merged into the fields of the metadata schema: keys sent are set, others kept. At most 16 KiB, 8 levels.',
  })
  databaseMetadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Merged into the free-form fields. At most 1 KiB, 8 levels.',
  })
  additionalMetadata?: JsonObject | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Replaces the access list; empty or null: nobody may read the item; absent: kept.',
  })
  acl?: string[] | null;
}

@ObjectType({ description: 'What an edit of an item has done; the same edit again does no harm.' })
export class SourceMetadataUpdate {
  @Field(() => String)
  id: string;

  @Field(() => String)
  database: string;

  @Field(() => String)
  collection: string;

  @Field(() => SourceType, { description: 'knowledge or memory: what the item is.' })
  type: 'knowledge' | 'memory';

  @Field(() => Boolean, { description: 'Whether metadata was updated; an access list alone is none.' })
  updated: boolean;

  @Field(() => [String], { description: 'Keys of the request.' })
  databaseMetadataKeys: string[];

  @Field(() => [String], { description: 'Keys of the request.' })
  additionalMetadataKeys: string[];

  @Field(() => Boolean, { description: 'Whether a changed field has a dense or sparse lane.' })
  vectorSyncRequired: boolean;

  @Field(() => Boolean, { nullable: true, description: 'true when a required sync was completed.' })
  vectorSynced: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Chunks of the item whose lanes were refreshed.' })
  vectorRowsSynced: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why a required sync failed after the metadata was saved; retry the same edit.',
  })
  vectorSyncError: string | null;

  @Field(() => Boolean, { nullable: true, description: 'true when the access list was replaced.' })
  aclUpdated: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'true when search enforces the new access list.' })
  vectorAclSynced: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Never set: there is no second copy of an access list that could fall behind.',
  })
  aclDriftRecorded: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'What was saved when a later write failed; retry the same edit.',
  })
  partialCommit: string | null;

  @Field(() => Int, { description: 'Searchable chunks of the item.' })
  chunkRowsMatched: number;

  @Field(() => Int)
  chunkRowsModified: number;
}
