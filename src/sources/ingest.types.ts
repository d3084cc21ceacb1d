import { Extensions, Field, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLJSON, GraphQLJSONObject } from '../lib/json.scalar.js';
import { AppKnowledgeInput } from './app-item.types.js';
import { IndexingStatus } from './indexing-status.js';
import { SourceType } from './source.types.js';
import type { JsonObject } from './source.types.js';

const relationsDescription =
  'Declared links: {ids: [item ids], properties} or [{predicate, target: {id} or {provider, external_id}, properties}].';

@InputType({
  description: 'What belongs to one uploaded file, in the order of the files. No other key is accepted.',
})
@Extensions({ closed: true })
export class DocumentMetadataInput {
  @Field(() => String, {
    nullable: true,
    description: 'At most 512 bytes, no comma; made by the server when absent.',
  })
  id?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Fields of the metadata schema; at most 16 KiB.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Free-form; at most 1 KiB.' })
  additionalMetadata?: JsonObject | null;

  @Field(() => GraphQLJSON, { nullable: true, description: relationsDescription })
  relations?: unknown;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Extract preferences, facts and decisions from it. Default false.',
  })
  infer?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals who may read it; empty or null: nobody; absent: the list of the request, or everyone.',
  })
  acl?: string[] | null;

  @Field(() => String, { nullable: true, description: 'At most 256 characters.' })
  evidenceKind?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 256 characters.' })
  evidenceSubject?: string | null;
}

@InputType({ description: 'One turn of a conversation.' })
export class UserAssistantPairInput {
  @Field(() => String)
  user: string;

  @Field(() => String)
  assistant: string;
}

@InputType({ description: 'A memory: text or userAssistantPairs, at least one.' })
export class MemoryInput {
  @Field(() => String, {
    nullable: true,
    description: 'At most 512 bytes, no comma; made by the server when absent.',
  })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'When given, that of the request.' })
  database?: string | null;

  @Field(() => String, { nullable: true, description: 'When given, that of the request.' })
  collection?: string | null;

  @Field(() => String, { nullable: true })
  title?: string | null;

  @Field(() => String, { nullable: true })
  text?: string | null;

  @Field(() => [UserAssistantPairInput], { nullable: true })
  userAssistantPairs?: UserAssistantPairInput[] | null;

  @Field(() => Boolean, { nullable: true, description: 'The text is Markdown. Default false.' })
  isMarkdown?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Extract preferences, facts and decisions from it; false stores it verbatim. Default false.',
  })
  infer?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only with infer: what a language model is to extract. At most 4,000 characters.',
  })
  customInstructions?: string | null;

  @Field(() => String, { nullable: true, description: 'Who the memory is about. Default "User".' })
  userName?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds to live: then the memory vanishes from every read and is removed.',
  })
  expiryTime?: number | null;

  @Field(() => String, { nullable: true, description: 'YYYY-MM-DD.' })
  observationDate?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Fields of the metadata schema; at most 16 KiB.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Free-form; at most 1 KiB.' })
  additionalMetadata?: JsonObject | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals who may read it; empty or null: nobody; absent: the list of the request, or everyone.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSON, { nullable: true, description: relationsDescription })
  relations?: unknown;
}

@InputType()
export class IngestInput {
  @Field(() => String)
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'Default: the default collection. Made by its first write.',
  })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description: 'knowledge (default) with documents and app items, memory with memories.',
  })
  type?: SourceType | null;

  @Field(() => Boolean, { nullable: true, description: 'Replace an item of the same id. Default true.' })
  upsert?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Principals who may read the items that have no list of their own; empty or null: nobody.',
  })
  acl?: string[] | null;

  @Field(() => [DocumentMetadataInput], {
    nullable: true,
    description: 'One entry per uploaded file, in file order.',
  })
  documentMetadata?: DocumentMetadataInput[] | null;

  @Field(() => [AppKnowledgeInput], {
    nullable: true,
    description: 'Content of other applications; may come together with documents.',
  })
  appKnowledge?: AppKnowledgeInput[] | null;

  @Field(() => [MemoryInput], { nullable: true })
  memories?: MemoryInput[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Graphs that replace extraction, by the id of an item of this request: {entities: {key: {name, type, namespace, identifier}}, relations: [{source, target, predicate, context, temporal_details, confidence}]}. At most 5,000 entities, 10,000 relations, 500 relations per entity.',
  })
  graphPayload?: JsonObject | null;
}

@ObjectType({ description: 'What became of one item of an ingest request.' })
export class IngestItemResult {
  @Field(() => String)
  id: string;

  @Field(() => String, { nullable: true })
  filename: string | null;

  @Field(() => String)
  title: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether facts are extracted; null for items that did not ask.',
  })
  infer: boolean | null;

  @Field(() => String, { description: 'queued or failed.' })
  status: 'queued' | 'failed';

  @Field(() => String, { nullable: true })
  error: string | null;

  @Field(() => String, { nullable: true })
  errorCode: string | null;

  @Field(() => Int, { description: 'Declared relations stored with the item.' })
  relationsCreated: number;

  @Field(() => String, { nullable: true })
  relationsError: string | null;
}

@ObjectType({ description: 'Accepted, not yet indexed: follow indexingStatus.' })
export class IngestResult {
  @Field(() => [IngestItemResult], {
    description: 'Documents, then app items, or memories; each in the order sent.',
  })
  results: IngestItemResult[];

  @Field(() => Int)
  get successCount(): number {
    return this.results.filter((result) => result.status === 'queued').length;
  }

  @Field(() => Int)
  get failedCount(): number {
    return this.results.length - this.successCount;
  }

  @Field(() => Boolean, { description: 'Whether every item was queued.' })
  get success(): boolean {
    return this.failedCount === 0;
  }
}

@ObjectType({ description: 'Where the indexing of an item stands.' })
export class ItemIndexingStatus {
  @Field(() => String)
  id: string;

  @Field(() => IndexingStatus)
  indexingStatus: IndexingStatus;

  @Field(() => String, { description: 'E-series code; empty when there is none. Only errored is final.' })
  errorCode: string;

  @Field(() => String)
  errorMessage: string;

  @Field(() => Boolean)
  success: boolean;

  @Field(() => String)
  message: string;

  @Field(() => Date, { nullable: true })
  updatedAt: Date | null;
}

@ObjectType()
export class IndexingStatusList {
  @Field(() => [ItemIndexingStatus], { description: 'One entry per id, in the order asked.' })
  statuses: ItemIndexingStatus[];
}

@ObjectType({ description: 'How many chunks one store holds, over all collections.' })
export class StoreStats {
  @Field(() => Int)
  rowCount: number;
}

@ObjectType({ description: 'How many items of a database are in each state of indexing.' })
export class IndexingCounts {
  @Field(() => Int)
  queued: number;

  @Field(() => Int)
  processing: number;

  @Field(() => Int, { description: 'Searchable; relations may still be in flight.' })
  graphCreation: number;

  @Field(() => Int)
  completed: number;

  @Field(() => Int)
  errored: number;
}

@ObjectType({ description: 'Counts of chunks; they may lag behind an ingest or a deletion.' })
export class DatabaseStats {
  /** Not shown. */
  databaseId: number;

  @Field(() => String)
  database: string;

  @Field(() => StoreStats)
  knowledgeCollection: StoreStats;

  @Field(() => StoreStats)
  memoryCollection: StoreStats;

  @Field(() => String)
  message: string;
}
