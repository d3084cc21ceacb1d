import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Corpus } from '../postgres/partitions.js';
import type { IndexingStatus } from './indexing-status.js';

/** Which kind of content a request is about; `all` only where both are read. */
export enum SourceType {
  knowledge = 'knowledge',
  memory = 'memory',
  all = 'all',
}
registerEnumType(SourceType, {
  name: 'SourceType',
  description: 'knowledge: files and app content; memory: preferences, decisions, conversations; all: both.',
});

export type JsonObject = Record<string, unknown>;

/** What a memory was made of. */
export interface MemoryContent {
  readonly text: string | null;
  readonly userAssistantPairs: { readonly user: string; readonly assistant: string }[] | null;
  readonly isMarkdown: boolean;
  readonly userName: string;
  readonly observationDate: string | null;
}

/** One version of an item. Readers see the visible one; the latest one carries the item's indexing status. */
@ObjectType({ description: 'An item of a database: a knowledge source or a memory.' })
@Entity('sources')
export class Source {
  @PrimaryColumn('integer', { name: 'database_id' })
  databaseId: number;

  @PrimaryColumn('bigint')
  uid: string;

  @Column('integer', { name: 'collection_id' })
  collectionId: number;

  @Field(() => String, { name: 'type', description: 'knowledge or memory.' })
  @Column('text')
  corpus: Corpus;

  @Field(() => String)
  @Column('text')
  id: string;

  @Column('boolean')
  latest: boolean;

  @Column('boolean')
  visible: boolean;

  @Column('text', { name: 'indexing_status' })
  indexingStatus: IndexingStatus;

  @Column('text', { name: 'error_code' })
  errorCode: string;

  @Column('text', { name: 'error_message' })
  errorMessage: string;

  @Column('timestamptz', { name: 'status_updated_at' })
  statusUpdatedAt: Date;

  @Column('integer')
  attempts: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt: Date;

  @Column('uuid', { name: 'lease_token', nullable: true })
  leaseToken: string | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Field(() => String)
  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  filename: string | null;

  @Column('text', { name: 'content_type', nullable: true })
  contentType: string | null;

  @Column('bigint', { name: 'content_bytes' })
  contentBytes: string;

  @Column('text', { name: 'storage_key', nullable: true })
  storageKey: string | null;

  @Column('jsonb', { nullable: true })
  memory: MemoryContent | null;

  @Field(() => GraphQLJSONObject)
  @Column('jsonb')
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject)
  @Column('jsonb', { name: 'additional_metadata' })
  additionalMetadata: JsonObject;

  @Column('jsonb', { name: 'declared_relations', nullable: true })
  declaredRelations: unknown;

  @Column('text', { name: 'evidence_kind', nullable: true })
  evidenceKind: string | null;

  @Column('text', { name: 'evidence_subject', nullable: true })
  evidenceSubject: string | null;

  @Column('integer', { name: 'chunk_count' })
  chunkCount: number;

  @Field(() => Date)
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Field(() => Date)
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
