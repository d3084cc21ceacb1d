import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { MetadataFieldType } from './metadata-field.types.js';
import type { MetadataField } from './metadata-schema.js';
import type { ReembeddingState } from './reembedding.js';
import { Reembedding } from './reembedding.types.js';

export enum DatabaseStatus {
  accepted = 'accepted',
  ready = 'ready',
  failed = 'failed',
  deleting = 'deleting',
}
registerEnumType(DatabaseStatus, {
  name: 'DatabaseStatus',
  description: 'Whether a database can be used yet.',
  valuesConfig: {
    accepted: { description: 'It is being provisioned.' },
    ready: { description: 'It can be filled and queried.' },
    failed: { description: 'Provisioning failed; create it again.' },
    deleting: { description: 'It is being removed; never shown.' },
  },
});

@ObjectType({
  description: 'Whether the two vector stores have been provisioned: one for knowledge, one for memories.',
})
export class VectorstoreStatus {
  @Field(() => Boolean, { description: 'Whether the store of knowledge is there.' })
  knowledge: boolean;

  @Field(() => Boolean, { description: 'Whether the store of memories is there.' })
  memories: boolean;
}

@ObjectType({ description: 'Which parts of a database have been provisioned.' })
export class DatabaseInfra {
  @Field(() => Boolean, {
    description: 'Whether the database has been taken up by the job that provisions it.',
  })
  schedulerStatus: boolean;

  @Field(() => Boolean, { description: 'Whether the tables of the graph are there.' })
  graphStatus: boolean;

  @Field(() => VectorstoreStatus, { description: 'Whether the stores of chunks and vectors are there.' })
  vectorstoreStatus: VectorstoreStatus;

  @Field(() => Boolean, {
    description: 'Whether everything has been provisioned, so that the database can be filled and queried.',
  })
  readyForIngestion: boolean;
}

const statusMessages: Record<DatabaseStatus, string> = {
  accepted: 'Provisioning runs in the background',
  ready: 'Ready for ingestion',
  failed: 'Provisioning failed: fix the reported error and create the database again',
  deleting: 'Deletion runs in the background',
};

@ObjectType({ description: 'An isolated space for content, for example one per customer.' })
@Entity('databases')
export class Database {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Field(() => String, { name: 'orgId', description: 'The account that the database belongs to.' })
  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Field(() => String, { name: 'database', description: 'The name of the database, unique in the account.' })
  @Column('text')
  name: string;

  @Field(() => DatabaseStatus, { description: 'Whether the database can be used yet.' })
  @Column('text')
  status: DatabaseStatus;

  @Field(() => [MetadataFieldType], {
    name: 'databaseMetadataSchema',
    nullable: true,
    description:
      'The declared metadata fields, in the order of their declaration; null when none were declared.',
  })
  @Column('jsonb', { name: 'metadata_schema', nullable: true })
  metadataSchema: MetadataField[] | null;

  @Field(() => Int, {
    description:
      'The number of dimensions given at creation; it is only shown, since vectors are stored with as many as the model makes.',
  })
  @Column('integer', { name: 'embeddings_dimension' })
  embeddingsDimension: number;

  /** The model that made its vectors; those of different models are never compared. */
  @Column('text', { name: 'embedding_model' })
  embeddingModel: string;

  @Column('integer', { name: 'vector_dimensions' })
  vectorDimensions: number;

  /** Which of its tables of vectors is live. */
  @Column('integer', { name: 'vector_generation', default: 0 })
  vectorGeneration: number;

  @Column('jsonb', { name: 'reembedding', nullable: true })
  reembeddingState: ReembeddingState | null;

  @Field(() => Boolean, { description: 'Internal flag that has no effect; it is stored and returned.' })
  @Column('boolean', { name: 'is_embeddings_tenant' })
  isEmbeddingsTenant: boolean;

  @Column('boolean', { name: 'scheduler_ready' })
  schedulerReady: boolean;

  @Column('boolean', { name: 'graph_ready' })
  graphReady: boolean;

  @Column('boolean', { name: 'knowledge_ready' })
  knowledgeReady: boolean;

  @Column('boolean', { name: 'memories_ready' })
  memoriesReady: boolean;

  @Field(() => String, { description: 'Why provisioning failed; empty otherwise.' })
  @Column('text')
  error: string;

  /**
   * Its tables could not be removed after the failure: it has to be deleted before it can be created again.
   */
  @Column('boolean', { name: 'rollback_failed' })
  rollbackFailed: boolean;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Field(() => Date, { description: 'When the creation was accepted.' })
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Field(() => String, { description: 'Always "split": knowledge and memories are kept apart.' })
  get type(): string {
    return 'split';
  }

  @Field(() => String, { description: 'The status in a sentence, for people to read.' })
  get message(): string {
    return statusMessages[this.status];
  }

  @Field(() => Reembedding, {
    nullable: true,
    description: 'The progress of re-embedding the database; null unless it is being re-embedded.',
  })
  get reembedding(): Reembedding | null {
    const state = this.reembeddingState;
    if (!state) return null;
    const { model, done, total, error } = state;
    return {
      model,
      done,
      total,
      error,
      switched: state.switchedAt !== null,
      startedAt: new Date(state.startedAt),
    };
  }

  @Field(() => DatabaseInfra, { description: 'Which parts have been provisioned.' })
  get infra(): DatabaseInfra {
    return {
      schedulerStatus: this.schedulerReady,
      graphStatus: this.graphReady,
      vectorstoreStatus: { knowledge: this.knowledgeReady, memories: this.memoriesReady },
      readyForIngestion: this.status === DatabaseStatus.ready,
    };
  }
}
