import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSON, GraphQLJSONObject } from '../lib/json.scalar.js';
import { SourceType } from '../sources/source.types.js';
import type { JsonObject } from '../sources/source.types.js';
import { GraphContext } from './context/graph-context.types.js';
import { SearchExplain } from './search-explain.types.js';

// Plain properties without resolvers: an answer has hundreds of them, and the REST layer copies them instead
// of executing each.
const plain = { simpleResolvers: true } as const;

export enum QueryBy {
  hybrid = 'hybrid',
  text = 'text',
}
registerEnumType(QueryBy, { name: 'QueryBy', description: 'hybrid: meaning and words; text: words alone.' });

export enum TextOperator {
  or = 'or',
  and = 'and',
  phrase = 'phrase',
}
registerEnumType(TextOperator, {
  name: 'TextOperator',
  description:
    'or: any of the words, one typing error allowed; and: all of them in one chunk, its title and headings included, in any form, stop words aside; phrase: one behind the other in the text, the title or one heading of a chunk, in any form, stop words as they are written. A query of stop words alone is looked for as it is written, by or and and too.',
});

export enum QueryMode {
  auto = 'auto',
  fast = 'fast',
  thinking = 'thinking',
}
registerEnumType(QueryMode, {
  name: 'QueryMode',
  description:
    'fast: one pass, and the graph is not searched; thinking: the query is taken apart (by the language model, where there is one), and a second pass goes on from the best that was found, by names and neighbours; auto: a second pass where the query looks as if one text did not answer it.',
});

@ArgsType()
export class SearchArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { description: 'What to look for: 1 to 32768 characters.' })
  query: string;

  @Field(() => SourceType, { nullable: true, description: 'knowledge (default), memory or all.' })
  type?: SourceType | null;

  @Field(() => String, { nullable: true, description: 'Default: the default collection.' })
  collection?: string | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Instead of collection: a list of 1 to 100 names, or an object of name and weight above 0: scores are multiplied by the weight of their collection, as a share of the greatest.',
  })
  collections?: unknown;

  @Field(() => QueryBy, { nullable: true, description: 'Default hybrid.' })
  queryBy?: QueryBy | null;

  @Field(() => TextOperator, { nullable: true, description: 'Only with queryBy text. Default or.' })
  operator?: TextOperator | null;

  @Field(() => QueryMode, { nullable: true, description: 'Default auto.' })
  mode?: QueryMode | null;

  @Field(() => Int, { nullable: true, description: '1 to 250, default 10.' })
  maxResults?: number | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Weight of meaning against words: 0 to 1, or "auto" (default).',
  })
  alpha?: unknown;

  @Field(() => Float, {
    nullable: true,
    description:
      '0 to 1, default 0: how much age counts. Scores are multiplied by 1 - 0.75 × recencyBias × age / (age + a quarter of the median age of what was found); age counts from the newest of what was found, by when items were written or observed, if that is known, else uploaded.',
  })
  recencyBias?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Relations around the query and what it finds; false: none, and the graph ranks nothing. Default true.',
  })
  graphContext?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a second pass puts the chunks of relations that connect entities of the query among the best. Default true.',
  })
  queryForcefulRelations?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Default true: titles and people of app items that the query names count, and so does what stands around the best hits in their conversations (threads, replies, comments); what somebody else answers to one that asks the same comes right behind it. Without effect with queryBy text and an alpha of 0 or 1.',
  })
  queryApps?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What is known of the situation, at most 32768 characters: its words and meaning count too, but less than those of the query.',
  })
  additionalContext?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      '0 to 20, default 0: so many neighbours of each chunk, the nearest, are in additionalContext: chunks of its item, then what stands beside a message, mail, comment or ticket in its conversation.',
  })
  numRelatedChunks?: number | null;

  @Field(() => [String], { nullable: true, description: 'Only chunks of these items.' })
  ids?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Principals to answer as; absent or ["*"]: no scoping, [] : a caller without principals.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Keys ANDed: a top-level key filters metadata, keys below additional_metadata the free-form one; a value must be equal, a list any of, an object holds operators: $eq $ne $in $nin $gt $gte $lt $lte $exists $contains $contains_any; $and, $or and $not at any level.',
  })
  metadataFilters?: JsonObject | null;
}

@ObjectType({ description: "A chunk's rank in each lane that found it, from 1.", ...plain })
export class ChunkLanes {
  @Field(() => Int, { nullable: true })
  dense: number | null;

  @Field(() => Int, { nullable: true })
  sparse: number | null;

  @Field(() => Int, { nullable: true })
  graph: number | null;

  @Field(() => Int, { nullable: true })
  metadata: number | null;

  @Field(() => Int, { nullable: true, description: 'By title and people of app items.' })
  app: number | null;

  @Field(() => Int, { nullable: true, description: 'What stands around app items in their conversations.' })
  around: number | null;

  @Field(() => Int, { nullable: true, description: 'In a part of the query: the best of them.' })
  parts: number | null;

  @Field(() => Int, { nullable: true, description: 'By a relation between two that the query names.' })
  forced: number | null;
}

@ObjectType({ description: 'A piece of an item that answers the query.', ...plain })
export class Chunk {
  @Field(() => String)
  chunkUuid: string;

  @Field(() => String, { description: 'The id of its item.' })
  id: string;

  @Field(() => String, { description: 'Below the headings that all of it stands under.' })
  chunkContent: string;

  @Field(() => SourceType)
  sourceType: 'knowledge' | 'memory';

  @Field(() => String)
  sourceTitle: string;

  @Field(() => Date)
  sourceUploadTime: Date;

  @Field(() => Date)
  sourceLastUpdatedTime: Date;

  @Field(() => GraphQLJSONObject, {
    description:
      'Where it stands: position in the item (from 0), headings, rows; seam: how it goes on from the one before where that is not after a blank line.',
  })
  layout: JsonObject;

  @Field(() => Float, {
    description:
      '0 to 1: of the first chunk how much of what is asked was found, by the words of the query and, for those that no text has, by meaning: low where nothing fits. Of the others how far they are behind it. From a reranker where there is one.',
  })
  relevancyScore: number;

  @Field(() => GraphQLJSONObject)
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject)
  additionalMetadata: JsonObject;

  @Field(() => String)
  collection: string;

  @Field(() => [String], {
    description: 'The chunkUuid of its neighbours in additionalContext, the nearest first.',
  })
  extraContextIds: string[];

  @Field(() => ChunkLanes)
  lanes: ChunkLanes;
}

@ObjectType({ description: 'An item that chunks of an answer belong to.', ...plain })
export class SearchSource {
  @Field(() => String)
  id: string;

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

  @Field(() => String)
  collection: string;

  @Field(() => String, { nullable: true })
  appKind: string | null;

  @Field(() => String, { nullable: true })
  appProvider: string | null;

  @Field(() => String, { nullable: true })
  appExternalId: string | null;
}

@ObjectType({ description: 'What the model should know for a query.', ...plain })
export class SearchResult {
  @Field(() => [Chunk], { description: 'Best first.' })
  chunks: Chunk[];

  @Field(() => [SearchSource], {
    description: 'The items of the chunks, each once, in the order of their best chunk.',
  })
  sources: SearchSource[];

  @Field(() => GraphContext)
  graphContext: GraphContext;

  @Field(() => [Chunk], {
    description:
      'The neighbours that numRelatedChunks asks for, each once, with a relevancyScore of 0; those that are among the chunks are not repeated.',
  })
  additionalContext: Chunk[];

  @Field(() => [String], {
    description: 'What was left out of this answer, and why; empty when nothing was.',
  })
  notices: string[];

  @Field(() => String, { description: 'Names this query, for feedback: the id of its request.' })
  queryId: string;

  @Field(() => SearchExplain, {
    description: 'How the answer came about. Costs more than the search, and only when it is selected.',
  })
  explain?: SearchExplain;
}
