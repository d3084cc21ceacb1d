import { Extensions, Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { counted } from '../../lib/counted.js';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { AppKnowledgeInput } from '../app-items/app-item.types.js';
import { ItemInput, PlacedItemInput } from '../item-input.types.js';
import { SourceType } from '../source.types.js';
import type { JsonObject } from '../source.types.js';

@InputType({
  description: 'Id, metadata and access list of one uploaded file. Keys other than these are refused.',
})
@Extensions({ closed: true })
export class DocumentMetadataInput extends ItemInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Id of the item: at most 512 bytes, without a comma. The server makes one when it is absent.',
  })
  id?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to extract preferences, facts and decisions from the item. Default false.',
  })
  infer?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Free text that is stored and listed with the item under this name; at most 256 characters.',
  })
  evidenceKind?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Free text that is stored and listed with the item under this name; at most 256 characters.',
  })
  evidenceSubject?: string | null;
}

@InputType({ description: 'One turn of a conversation: what the user said and what the assistant answered.' })
export class UserAssistantPairInput {
  @Field(() => String, { description: 'What the user said.' })
  user: string;

  @Field(() => String, { description: 'What the assistant answered.' })
  assistant: string;
}

@InputType({ description: 'A memory to store. At least one of text and userAssistantPairs is required.' })
export class MemoryInput extends PlacedItemInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Id of the item: at most 512 bytes, without a comma. The server makes one when it is absent.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Title of the memory, at most 1000 characters. Default: the first words of the text, else the id.',
  })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Text of the memory.' })
  text?: string | null;

  @Field(() => [UserAssistantPairInput], {
    nullable: true,
    description: 'A conversation to remember, turn by turn.',
  })
  userAssistantPairs?: UserAssistantPairInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the text is written in Markdown. Default false.',
  })
  isMarkdown?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to extract preferences, facts and decisions from the memory; false stores it word for word. Default false.',
  })
  infer?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Tells the language model what to extract; allowed only when infer is true. At most 4,000 characters.',
  })
  customInstructions?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the person whom the memory is about; at most 256 characters. Default "User".',
  })
  userName?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Lifetime in seconds, 1 to 315360000 (ten years); afterwards no read returns the memory and it is removed. It never expires when absent.',
  })
  expiryTime?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The day on which this was observed or said, as YYYY-MM-DD.',
  })
  observationDate?: string | null;
}

@InputType({ description: 'What to store, and where: documents and app items, or memories.' })
export class IngestInput {
  @Field(() => String, { description: 'The database to write to.' })
  database: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the collection to write to, which its first write creates; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description: 'What is sent: knowledge (the default) for documents and app items, memory for memories.',
  })
  type?: SourceType | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether an item replaces an existing one with the same id; with false such an item fails with E9003. Default true.',
  })
  upsert?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals (users or groups) who may read the items that bring no list of their own; empty or null: nobody may. When absent, replaced items keep their list, and everyone may read new ones.',
  })
  acl?: string[] | null;

  @Field(() => [DocumentMetadataInput], {
    nullable: true,
    description: 'Details of the uploaded files, one entry per file in the order of the files.',
  })
  documentMetadata?: DocumentMetadataInput[] | null;

  @Field(() => [AppKnowledgeInput], {
    nullable: true,
    description:
      'Items of other applications, such as mails or tickets; they may be sent together with documents.',
  })
  appKnowledge?: AppKnowledgeInput[] | null;

  @Field(() => [MemoryInput], { nullable: true, description: 'Memories to store; only when type is memory.' })
  memories?: MemoryInput[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Entities and relations to store instead of extracting them from the text, by the id of an item of this request: {entities: {key: {name, type, namespace, identifier}}, relations: [{source, target, predicate, context, temporal_details, confidence}]}. At most 5,000 entities, 10,000 relations, 500 relations per entity in each graph. An item that is replaced keeps its graph unless another is sent.',
  })
  graphPayload?: JsonObject | null;
}

export enum IngestItemStatus {
  queued = 'queued',
  failed = 'failed',
}
registerEnumType(IngestItemStatus, {
  name: 'IngestItemStatus',
  description: 'Whether an item of an ingest request was accepted.',
  valuesConfig: {
    queued: { description: 'It was, and waits to be indexed.' },
    failed: { description: 'It was not; error says why.' },
  },
});

@ObjectType({ description: 'The result of one item of an ingest request.' })
export class IngestItemResult {
  @Field(() => String, {
    description: 'Id of the item: the one that was sent, else the one that the server made.',
  })
  id: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the uploaded file; null for app items and memories.',
  })
  filename: string | null;

  @Field(() => String, { description: 'Title that the item gets.' })
  title: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether facts are extracted from the item; null for knowledge that was sent without infer.',
  })
  infer: boolean | null;

  @Field(() => IngestItemStatus, { description: 'Whether the item was accepted.' })
  status: `${IngestItemStatus}`;

  @Field(() => String, { nullable: true, description: 'Why the item was not accepted; null when it was.' })
  error: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Code of that error: E1002 (file type not supported) or E9003 (the id exists and upsert is false); null when the item was accepted.',
  })
  errorCode: string | null;

  @Field(() => Int, { description: 'How many declared links to other items were stored with the item.' })
  relationsCreated: number;

  @Field(() => String, {
    nullable: true,
    description: 'Always null: an item whose links are malformed is refused with its request.',
  })
  relationsError: string | null;
}

@ObjectType({
  description:
    'The result of an ingest request. Items are accepted but not yet indexed; follow their progress with indexingStatus.',
})
export class IngestResult {
  @Field(() => [IngestItemResult], {
    description:
      'One result per item: first the documents, then the app items, or the memories; each in the order in which they were sent.',
  })
  results: IngestItemResult[];

  @Field(() => Int, { description: 'How many items were accepted.' })
  get successCount(): number {
    return this.results.filter((result) => result.status === 'queued').length;
  }

  @Field(() => Int, { description: 'How many items were not accepted.' })
  get failedCount(): number {
    return this.results.length - this.successCount;
  }

  @Field(() => Boolean, { description: 'Whether every item was accepted.' })
  get success(): boolean {
    return this.failedCount === 0;
  }

  @Field(() => String, { description: 'How many items were accepted, in words.' })
  get message(): string {
    const [accepted, all] = [this.successCount, counted(this.results.length, 'item')];
    return this.success
      ? `${all} queued for indexing`
      : `${accepted} of ${all} queued for indexing; see results`;
  }
}
