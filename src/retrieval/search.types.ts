import { Field, Float, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { SourceType } from '../sources/source.types.js';
import type { JsonObject } from '../sources/source.types.js';
import { GraphContext } from './context/graph-context.types.js';
import { SearchExplain } from './search-explain.types.js';

// Plain properties without resolvers: an answer has hundreds of them, and the REST layer copies them instead
// of executing each.
const plain = { simpleResolvers: true } as const;

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
