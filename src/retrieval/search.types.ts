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
registerEnumType(QueryBy, {
  name: 'QueryBy',
  description: 'What a search compares. hybrid: both meaning and words; text: words alone.',
});

export enum TextOperator {
  or = 'or',
  and = 'and',
  phrase = 'phrase',
}
registerEnumType(TextOperator, {
  name: 'TextOperator',
  description:
    'Which words of the query a chunk must contain when queryBy is text. or: any of them, even with one typing error; and: all of them except stop words, in any grammatical form, in the text, title and headings together; phrase: all of them in a row in the text, the title or one heading, in any grammatical form but with stop words as written. A query of only stop words is looked for as written, whichever operator is used.',
});

export enum QueryMode {
  auto = 'auto',
  fast = 'fast',
  thinking = 'thinking',
}
registerEnumType(QueryMode, {
  name: 'QueryMode',
  description:
    'How thoroughly to search. fast: one pass, without the graph; thinking: the query is split into parts (by the language model, if one is configured), and a second pass continues from the best chunks by the names in them and by their neighbours; auto: a second pass only when the query looks as if it takes more than one text to answer it.',
});

@ArgsType()
export class SearchArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { description: 'What to look for: 1 to 32768 characters.' })
  query: string;

  @Field(() => SourceType, {
    nullable: true,
    description: 'Which kind of content to search: knowledge (the default), memory, or all for both.',
  })
  type?: SourceType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection to search; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Several collections to search instead of collection: a list of 1 to 100 names, or an object that maps each name to a weight above 0. Scores are multiplied by the weight of the collection divided by the greatest weight.',
  })
  collections?: unknown;

  @Field(() => QueryBy, { nullable: true, description: 'What to compare; hybrid is the default.' })
  queryBy?: QueryBy | null;

  @Field(() => TextOperator, {
    nullable: true,
    description: 'Which of the words a chunk must contain; allowed only when queryBy is text. Default or.',
  })
  operator?: TextOperator | null;

  @Field(() => QueryMode, { nullable: true, description: 'How thoroughly to search; auto is the default.' })
  mode?: QueryMode | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many chunks to return at most, 1 to 250; default 10.',
  })
  maxResults?: number | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'How much meaning counts against words: from 0 (words alone) to 1 (meaning alone), or "auto" (the default), which decides by the query and the texts.',
  })
  alpha?: unknown;

  @Field(() => Float, {
    nullable: true,
    description:
      'How much newer items are preferred, from 0 (the default, not at all) to 1. Scores are multiplied by 1 - 0.75 × recencyBias × age / (age + a quarter of the median age of what was found). The age of an item is counted back from the newest one found, by when items were written or observed, or else uploaded.',
  })
  recencyBias?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to return relations around the query and the chunks found. With false, graphContext of the result is empty and the graph has no influence on the ranking. Default true.',
  })
  graphContext?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a second pass (see mode) ranks chunks among the best that state a relation between entities named in the query. Default true.',
  })
  queryForcefulRelations?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to rank app items also by titles and people that the query names, and to add what surrounds the best hits in their conversations (threads, replies, comments). If a message asks the same as the query, answers of others are ranked right behind it. Has no effect when queryBy is text or alpha is 0 or 1. Default true.',
  })
  queryApps?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Text about the situation in which the query is asked, at most 32768 characters. Its words and meaning count less than those of a query that asks completely; what a short question such as "what is the rent?" is about, they decide. The end of a long text counts most.',
  })
  additionalContext?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many of the nearest neighbours of each chunk to return in additionalContext, 0 to 20; default 0. Neighbours are first chunks of the same item, then what is next to a message, mail, comment or ticket in its conversation.',
  })
  numRelatedChunks?: number | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only chunks of the items with these ids are found; at most 1000 ids.',
  })
  ids?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals (users or groups) to answer as: only what they may read is returned. Absent, null or ["*"]: no restriction beyond that of the API key; []: only what everyone may read.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Conditions on the metadata of items, all of which must hold. A top-level key filters metadata, a key inside additional_metadata filters the free-form values. A plain value must be equal, a list means any of its values, and an object holds operators: $eq $ne $in $nin $gt $gte $lt $lte $exists $contains $contains_any. $and, $or and $not may stand at any level.',
  })
  metadataFilters?: JsonObject | null;
}

@ObjectType({
  description:
    'The rank of a chunk in each lane (way of searching), counted from 1; null for lanes that did not find it. dense compares meaning, sparse words; graph follows relations of entities that the query names; metadata compares values of metadata fields.',
  ...plain,
})
export class ChunkLanes {
  @Field(() => Int, { nullable: true })
  dense: number | null;

  @Field(() => Int, { nullable: true })
  sparse: number | null;

  @Field(() => Int, { nullable: true })
  graph: number | null;

  @Field(() => Int, { nullable: true })
  metadata: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Rank by title and people of app items that the query names.',
  })
  app: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Rank among what surrounds the best app items in their conversations.',
  })
  around: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The best rank that the chunk has in a search for a part of the query.',
  })
  parts: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Rank among chunks that state a relation between two entities that the query names.',
  })
  forced: number | null;
}

@ObjectType({ description: 'A chunk: a piece of an item that was found for the query.', ...plain })
export class Chunk {
  @Field(() => String)
  chunkUuid: string;

  @Field(() => String, { description: 'Id of the item that the chunk belongs to.' })
  id: string;

  @Field(() => String, {
    description: 'Text of the chunk, preceded by the headings that apply to all of it.',
  })
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
      'Where the chunk stands in its item: position (from 0), headings, and the place where it begins (first) and, if another, ends (last), such as page, slide or row. seam says how the text continues from the chunk before when a blank line does not separate them.',
  })
  layout: JsonObject;

  @Field(() => Float, {
    description:
      'How well the chunk fits the query, 0 to 1. The score of the first chunk says how much of the query was found, by its words and, for words that no text has, by meaning; it is low when nothing fits. The other scores say how far those chunks are behind the first. If a reranker ranked the chunks, the scores are its own.',
  })
  relevancyScore: number;

  @Field(() => GraphQLJSONObject)
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject)
  additionalMetadata: JsonObject;

  @Field(() => String)
  collection: string;

  @Field(() => [String], {
    description:
      'The chunkUuid of each neighbour of the chunk in additionalContext, nearest first; empty when numRelatedChunks is 0.',
  })
  extraContextIds: string[];

  @Field(() => ChunkLanes)
  lanes: ChunkLanes;
}

@ObjectType({ description: 'An item that chunks of the answer belong to.', ...plain })
export class SearchSource {
  @Field(() => String)
  id: string;

  @Field(() => String)
  title: string;

  @Field(() => String, { description: 'The category that was sent with the item, else knowledge or memory.' })
  type: string;

  @Field(() => String, { nullable: true })
  description: string | null;

  @Field(() => String, { nullable: true })
  url: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the item was written; null when its origin does not say so.',
  })
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

@ObjectType({
  description: 'The answer to a search: what a language model should know to answer the query.',
  ...plain,
})
export class SearchResult {
  @Field(() => [Chunk], { description: 'The chunks that were found, best first.' })
  chunks: Chunk[];

  @Field(() => [SearchSource], {
    description: 'The items that the chunks belong to, each once, in the order of their best chunk.',
  })
  sources: SearchSource[];

  @Field(() => GraphContext)
  graphContext: GraphContext;

  @Field(() => [Chunk], {
    description:
      'Neighbours of the chunks, as many as numRelatedChunks asks for; each is listed once, with a relevancyScore of 0, and not at all if it is among chunks.',
  })
  additionalContext: Chunk[];

  @Field(() => [String], {
    description: 'Messages about what this answer leaves out, and why; empty when nothing was left out.',
  })
  notices: string[];

  @Field(() => String, {
    description: 'Id of this query, to be sent as requestId with feedback; it is the id of the request.',
  })
  queryId: string;

  @Field(() => SearchExplain, {
    description:
      'How the answer came about, for debugging. Selecting it costs more than the search itself; otherwise it costs nothing.',
  })
  explain?: SearchExplain;
}
