import { ArgsType, Extensions, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { connectionOf, pageArgsOf } from '../../lib/page.types.js';
import type { PageSizes } from '../../lib/page.types.js';
import { LIMITS } from '../../limits.js';
import type { Corpus } from '../../postgres/stores.js';
import { answersAsDescription } from '../item-descriptions.js';
import { ItemSummary } from '../item-summary.types.js';
import { SourceType } from '../source.types.js';
import type { JsonObject } from '../source.types.js';
import { IndexingStatus } from '../status/indexing-status.js';

/** Pages of items are smaller than others: a memory is listed with its text. */
export const listPageSizes: PageSizes = {
  default: LIMITS.listPageSizeDefault,
  max: LIMITS.listPageSizeMax,
};

/** The fields of a list for which its items have to be counted. */
export const fieldsOfTotal = ['totalCount', 'page', 'message'];

@ObjectType({
  description:
    'A stored item, as readers see it: its searchable version, or its newest one while none is searchable. The status is always that of the newest version.',
})
export class Source extends ItemSummary {
  @Field(() => ID, {
    description: 'Id of the item, unique among the knowledge or the memories of its collection.',
  })
  id: string;

  @Field(() => String, { description: 'Name of the database that the item is in.' })
  database: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Principals (users or groups) who may read the item; null: everyone may; empty: nobody may.',
  })
  acl: readonly string[] | null;

  @Field(() => IndexingStatus, { description: 'How far the indexing of its newest version has come.' })
  indexingStatus: IndexingStatus;

  @Field(() => String, {
    nullable: true,
    description:
      'Id, in its application, of what an app item is a reply to, a comment on or a part of; null when it has none.',
  })
  appParentId: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Id, in its application, of the conversation that an app item belongs to; null when it has none.',
  })
  appThreadId: string | null;

  /** Where what was extracted of it is kept; not shown. Null while nothing of it may be read. */
  version: { readonly databaseId: number; readonly corpus: Corpus; readonly uid: string } | null;

  @Field(() => [GraphQLJSONObject], {
    description:
      'Links to other items that were sent with the item, each with predicate, target ({id} or {provider, external_id}) and properties.',
  })
  declaredRelations: JsonObject[];

  @Field(() => String, {
    nullable: true,
    description: 'The evidence kind that was sent with the item; null when none was.',
  })
  evidenceKind: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The evidence subject that was sent with the item; null when none was.',
  })
  evidenceSubject: string | null;

  @Field(() => Date, { description: 'When the item was first ingested.' })
  createdAt: Date;

  @Field(() => Date, {
    description: 'When the item was last ingested, or its metadata or access list changed.',
  })
  updatedAt: Date;

  @Field(() => [Source], {
    nullable: true,
    description: 'Comments on the item, oldest first, at most 100; null unless groupThreads is true.',
  })
  comments: Source[] | null;
}

@ObjectType({ description: 'Items of a collection, newest first.' })
export class SourceConnection extends connectionOf(Source) {
  @Field(() => String, {
    description: 'How many of all items this page lists, in a sentence for people to read.',
  })
  message: string;

  @Field(() => [Source], {
    nullable: true,
    description: 'The same items as nodes when they are knowledge; null for memories.',
  })
  sources: Source[] | null;
}

export enum SourceSort {
  newest = 'newest',
}
registerEnumType(SourceSort, {
  name: 'SourceSort',
  description: 'Order of a list.',
  valuesConfig: {
    newest: { description: 'The items that were created last come first.' },
  },
});

const exact = 'Only items with exactly this value; null: only items without one.';

@InputType({ description: 'Conditions on the own fields of items. Keys other than these are refused.' })
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

  @Field(() => String, {
    nullable: true,
    description: 'Only items written at exactly this moment, in ISO 8601; null: only items of unknown time.',
  })
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
  description:
    'Conditions on items. All of them must hold, values must be equal, and keys other than these are refused.',
})
@Extensions({ closed: true })
export class SourceFiltersInput {
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Values of metadata fields, by name; those of declared fields must fit their types.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Free-form values, by name.' })
  additionalMetadata?: JsonObject | null;

  @Field(() => SourceFieldsInput, { nullable: true, description: "Values of the item's own fields." })
  sourceFields?: SourceFieldsInput | null;
}

/** Arguments of lists of items, of either corpus. */
@ArgsType()
export class ItemListArgs extends pageArgsOf(listPageSizes) {
  @Field(() => String, { description: 'The database to list.' })
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only the items with these ids, at most 100.' })
  ids?: string[] | null;

  @Field(() => SourceFiltersInput, {
    nullable: true,
    description: 'Conditions that the listed items meet; all items when absent.',
  })
  filters?: SourceFiltersInput | null;

  @Field(() => [String], {
    nullable: true,
    description: `${answersAsDescription} Items that nobody may read are listed only to keys that may write, and only without this restriction.`,
  })
  acl?: string[] | null;

  @Field(() => SourceSort, { nullable: true, description: 'Order of the items; newest is the default.' })
  sort?: SourceSort | null;
}

@ArgsType()
export class SourceListArgs extends ItemListArgs {
  @Field(() => SourceType, {
    nullable: true,
    description: 'Which kind of content: knowledge (the default) or memory.',
  })
  type?: SourceType | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether comments (kind comment) are listed in the comments field of the item that they are on, rather than as items of their own, if that item is listed and not a comment itself. Default false.',
  })
  groupThreads?: boolean | null;
}
