import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { SourceType } from '../source.types.js';
import type { JsonObject } from '../source.types.js';

@InputType({
  description:
    'A change of the metadata or access list of one item. At least one of databaseMetadata, additionalMetadata and acl is required.',
})
export class UpdateSourceMetadataInput {
  @Field(() => String, { description: 'Id of the item to change.' })
  id: string;

  @Field(() => String, { description: 'The database that the item is in.' })
  database: string;

  @Field(() => String, {
    description: 'Name of the collection; required here. The default collection is named default.',
  })
  collection: string;

  @Field(() => SourceType, {
    nullable: true,
    description:
      'Which kind of content the item is: knowledge or memory. When absent, knowledge with this id is changed, or else the memory.',
  })
  type?: SourceType | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Values of metadata fields: those sent are set, all others stay. At most 16 KiB as compact JSON, nested at most 8 levels deep. If the database has a metadata schema, only the fields that it declares are accepted.',
  })
  databaseMetadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Free-form values: those sent are set, all others stay. At most 1 KiB as compact JSON, nested at most 8 levels deep.',
  })
  additionalMetadata?: JsonObject | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The new list of principals who may read the item; empty or null: nobody may. The list stays as it is when absent.',
  })
  acl?: string[] | null;
}

@ObjectType({ description: 'The result of a change of an item. Sending the same change again is safe.' })
export class SourceMetadataUpdate {
  @Field(() => String, { description: 'Id of the changed item.' })
  id: string;

  @Field(() => String, { description: 'Name of its database.' })
  database: string;

  @Field(() => String, { description: 'Name of its collection.' })
  collection: string;

  @Field(() => SourceType, { description: 'Whether the item is knowledge or a memory.' })
  type: 'knowledge' | 'memory';

  @Field(() => Boolean, {
    description: 'Whether metadata was changed; false when only the access list was sent.',
  })
  updated: boolean;

  @Field(() => [String], { description: 'Names of the values that were sent in databaseMetadata.' })
  databaseMetadataKeys: string[];

  @Field(() => [String], { description: 'Names of the values that were sent in additionalMetadata.' })
  additionalMetadataKeys: string[];

  @Field(() => Boolean, {
    description:
      'Whether vectors had to be refreshed, because a changed field is searched by meaning or by words.',
  })
  vectorSyncRequired: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True when the vectors were refreshed; null when that was not needed or failed.',
  })
  vectorSynced: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many searchable chunks of the item the refreshed vectors belong to; null when none were refreshed.',
  })
  vectorRowsSynced: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the vectors could not be refreshed after the metadata was saved; send the same change again. Null when nothing failed.',
  })
  vectorSyncError: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True when the access list was replaced; null when none was sent.',
  })
  aclUpdated: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True when search respects the new access list, which it does at once; null when none was sent.',
  })
  vectorAclSynced: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Always null: access lists are stored once, so no copy can fall behind.',
  })
  aclDriftRecorded: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Says what was saved and what was not when refreshing the vectors failed; send the same change again. Null when nothing failed.',
  })
  partialCommit: string | null;

  @Field(() => Int, { description: 'How many searchable chunks the item has.' })
  chunkRowsMatched: number;

  @Field(() => Int, {
    description:
      'How many of these chunks show the change: all of them, since metadata is stored once per item.',
  })
  chunkRowsModified: number;
}
