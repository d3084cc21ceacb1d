import { ArgsType, Extensions, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { connectionOf } from '../lib/page.types.js';
import type { PageSizes } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import type { Corpus } from '../postgres/partitions.js';
import { IndexingStatus } from './indexing-status.js';
import { SourceType } from './source.types.js';
import type { JsonObject } from './source.types.js';

/** Pages of items are smaller than others: a memory is listed with its text. */
export const listPageSizes: PageSizes = {
  default: LIMITS.listPageSizeDefault,
  max: LIMITS.listPageSizeMax,
};

/** The fields of a list for which its items have to be counted. */
export const fieldsOfTotal = ['totalCount', 'page', 'message'];

@ObjectType({
  description:
    'An item: what readers see of it, or its newest version while none is searchable; the status is that of the newest version.',
})
export class Source {
  @Field(() => ID)
  id: string;

  @Field(() => String)
  database: string;

  @Field(() => String)
  collection: string;

  @Field(() => String)
  title: string;

  @Field(() => String, { description: 'The category that it was given, else knowledge or memory.' })
  type: string;

  @Field(() => String, { nullable: true })
  description: string | null;

  @Field(() => String, { nullable: true })
  url: string | null;

  @Field(() => Date, { nullable: true, description: 'When the item was written, where its origin says so.' })
  timestamp: Date | null;

  @Field(() => GraphQLJSONObject)
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject)
  additionalMetadata: JsonObject;

  @Field(() => [String], { nullable: true, description: 'Who may read it; null: everyone; empty: nobody.' })
  acl: readonly string[] | null;

  @Field(() => IndexingStatus)
  indexingStatus: IndexingStatus;

  @Field(() => String, { nullable: true })
  appKind: string | null;

  @Field(() => String, { nullable: true })
  appProvider: string | null;

  @Field(() => String, { nullable: true })
  appExternalId: string | null;

  @Field(() => String, { nullable: true })
  appParentId: string | null;

  @Field(() => String, { nullable: true })
  appThreadId: string | null;

  /** Where what was extracted of it is kept; not shown. Null while nothing of it may be read. */
  version: { readonly databaseId: number; readonly corpus: Corpus; readonly uid: string } | null;

  @Field(() => [GraphQLJSONObject], {
    description:
      'Links that were sent with it: predicate, target {id} or {provider, external_id}, properties.',
  })
  declaredRelations: JsonObject[];

  @Field(() => String, { nullable: true })
  evidenceKind: string | null;

  @Field(() => String, { nullable: true })
  evidenceSubject: string | null;

  @Field(() => Date)
  createdAt: Date;

  @Field(() => Date)
  updatedAt: Date;

  @Field(() => [Source], {
    nullable: true,
    description: 'With groupThreads the comments on it, oldest first, at most 100; null without.',
  })
  comments: Source[] | null;
}

@ObjectType({ description: 'Items of a collection, newest first.' })
export class SourceConnection extends connectionOf(Source) {
  @Field(() => String)
  message: string;

  @Field(() => [Source], { nullable: true, description: 'The nodes of type knowledge; null for memory.' })
  sources: Source[] | null;
}

export enum SourceSort {
  newest = 'newest',
}
registerEnumType(SourceSort, { name: 'SourceSort', description: 'newest: by creation, the latest first.' });

const exact = 'Must be equal; null: the item has none.';

@InputType({ description: 'What items say of themselves. No other key is accepted.' })
@Extensions({ closed: true })
export class SourceFieldsInput {
  @Field(() => String, { nullable: true, description: exact })
  title?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  type?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  description?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  url?: string | null;

  @Field(() => String, { nullable: true, description: 'ISO-8601; the same moment. Null: the item has none.' })
  timestamp?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  appKind?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  appProvider?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  appExternalId?: string | null;

  @Field(() => String, { nullable: true, description: exact })
  appParentId?: string | null;
}

@InputType({
  description: 'Conditions, all of which must hold, each by exact equality. No other key is accepted.',
})
@Extensions({ closed: true })
export class SourceFiltersInput {
  @Field(() => GraphQLJSONObject, { nullable: true })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true })
  additionalMetadata?: JsonObject | null;

  @Field(() => SourceFieldsInput, { nullable: true })
  sourceFields?: SourceFieldsInput | null;
}

/** Arguments of lists of items, of either corpus. */
@ArgsType()
export class ItemListArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true, description: 'Default: the default collection.' })
  collection?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only these items, at most 100.' })
  ids?: string[] | null;

  @Field(() => SourceFiltersInput, { nullable: true })
  filters?: SourceFiltersInput | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals to answer as; absent or ["*"]: no scoping, [] : a caller without principals. What nobody may read is listed to keys that write, without acl.',
  })
  acl?: string[] | null;

  @Field(() => SourceSort, { nullable: true, description: 'Default newest.' })
  sort?: SourceSort | null;

  @Field(() => Int, { nullable: true, description: 'How many nodes to return, 1 to 100 (default 50).' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Continue behind this cursor (pageInfo.endCursor).' })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: 'The page to return, from 1; instead of first/after.' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Nodes a page, 1 to 100 (default 50).' })
  pageSize?: number | null;
}

@ArgsType()
export class SourceListArgs extends ItemListArgs {
  @Field(() => SourceType, { nullable: true, description: 'knowledge (default) or memory.' })
  type?: SourceType | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'List comments (kind comment) below the item that they are on, if it is listed and no comment itself. Default false.',
  })
  groupThreads?: boolean | null;
}
