import { Field, Float, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { ItemSummary } from '../sources/item-summary.types.js';
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
  @Field(() => Int, {
    nullable: true,
    description: 'Rank by meaning: how near the vector of the chunk is to that of the query.',
  })
  dense: number | null;

  @Field(() => Int, { nullable: true, description: 'Rank by the words of the query.' })
  sparse: number | null;

  @Field(() => Int, { nullable: true, description: 'Rank by relations of entities that the query names.' })
  graph: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Rank by values of metadata fields that have a dense or sparse embedding.',
  })
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
  @Field(() => String, {
    description: 'Id of the chunk; the same in every answer until the item is ingested again.',
  })
  chunkUuid: string;

  @Field(() => String, { description: 'Id of the item that the chunk belongs to.' })
  id: string;

  @Field(() => String, {
    description: 'Text of the chunk, preceded by the headings that apply to all of it.',
  })
  chunkContent: string;

  @Field(() => SourceType, { description: 'Whether the item is knowledge or a memory.' })
  sourceType: 'knowledge' | 'memory';

  @Field(() => String, { description: 'Title of the item.' })
  sourceTitle: string;

  @Field(() => Date, { description: 'When the item was first ingested.' })
  sourceUploadTime: Date;

  @Field(() => Date, {
    description: 'When the item was last ingested, or its metadata or access list changed.',
  })
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

  @Field(() => GraphQLJSONObject, {
    description: 'Metadata of the item: the values of metadata fields, by name.',
  })
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject, { description: 'Free-form values of the item, by name.' })
  additionalMetadata: JsonObject;

  @Field(() => String, { description: 'Name of the collection that the item is in.' })
  collection: string;

  @Field(() => [String], {
    description:
      'The chunkUuid of each neighbour of the chunk in additionalContext, nearest first; empty when numRelatedChunks is 0.',
  })
  extraContextIds: string[];

  @Field(() => ChunkLanes, { description: 'Which ways of searching found the chunk, and at which rank.' })
  lanes: ChunkLanes;
}

@ObjectType({ description: 'An item that chunks of the answer belong to.', ...plain })
export class SearchSource extends ItemSummary {
  @Field(() => String, { description: 'Id of the item.' })
  id: string;
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

  @Field(() => GraphContext, {
    description:
      'Relations around the query and the chunks; empty when graphContext of the request is false.',
  })
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
