import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../lib/page.types.js';
import { Collection } from './collection.entity.js';
import { Database, DatabaseStatus } from './database.entity.js';
import { MetadataFieldInput, MetadataFieldType } from './metadata-field.types.js';

@InputType({ description: 'The name of a new database, and its metadata fields.' })
export class CreateDatabaseInput {
  @Field(() => String, {
    description: 'The name of the database: 1 to 255 lowercase letters, digits, - and _.',
  })
  database: string;

  @Field(() => [MetadataFieldInput], {
    nullable: true,
    description:
      'The metadata fields to declare, at most 32; together they may have at most 6 dense or sparse embeddings.',
  })
  databaseMetadataSchema?: MetadataFieldInput[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of dimensions that is shown for the database; default: 1536, or the number that the configured embedding model makes.',
  })
  embeddingsDimension?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Internal flag that has no effect; it is stored and returned. Default false.',
  })
  isEmbeddingsTenant?: boolean | null;
}

@ObjectType({
  description: 'A database that is being created; poll database.infra.readyForIngestion until it is true.',
})
export class CreateDatabasePayload {
  @Field(() => DatabaseStatus, { description: 'Always accepted: the database is being provisioned.' })
  status: DatabaseStatus;

  @Field(() => String, { description: 'The name of the new database.' })
  database: string;

  @Field(() => String, { description: 'What happens next, for people to read.' })
  message: string;
}

@ObjectType({ description: 'A deletion that runs in the background; what it removes is already hidden.' })
export class DeletionPayload {
  @Field(() => String, {
    description: 'The name of the database that is deleted, or from which a collection is.',
  })
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the collection that is deleted; null when the database is.',
  })
  collection?: string | null;

  @Field(() => String, { description: 'Always deletion_scheduled.' })
  status: string;

  @Field(() => String, { description: 'What happens next, for people to read.' })
  message: string;
}

@ObjectType({ description: 'The declared metadata fields of a database, in the order of their declaration.' })
export class MetadataSchema {
  @Field(() => String, { description: 'The name of the database.' })
  database: string;

  @Field(() => [MetadataFieldType], {
    description: 'The declared fields; empty when none are, and metadata may have any keys.',
  })
  fields: readonly MetadataFieldType[];
}

@ObjectType({ description: 'The fields that were added to a metadata schema.' })
export class AddMetadataFieldsPayload {
  @Field(() => String, { description: 'The name of the database.' })
  database: string;

  @Field(() => [String], { description: 'The names of the added fields.' })
  addedFields: readonly string[];
}

@ObjectType({ description: 'A database whose provisioning failed.' })
export class FailedDatabase {
  @Field(() => String, { description: 'The name of the database.' })
  database: string;

  @Field(() => String, { description: 'Why provisioning failed.' })
  error: string;
}

@ObjectType({
  description:
    'The databases of the account that are ready or being provisioned, sorted by name; failed ones are listed separately.',
})
export class DatabaseConnection extends connectionOf(Database) {
  @Field(() => [FailedDatabase], {
    description: 'The databases whose provisioning failed, at most 1000, sorted by name.',
  })
  failedDatabases: FailedDatabase[];

  @Field(() => [String], { description: 'The names of the databases, as in nodes.' })
  get names(): string[] {
    return this.nodes.map((node) => node.name);
  }

  @Field(() => [String], { description: 'The names of the failed databases, as in failedDatabases.' })
  get failedNames(): string[] {
    return this.failedDatabases.map((failed) => failed.database);
  }

  @Field(() => String, { description: 'The number of databases in a sentence, for people to read.' })
  get message(): string {
    return `Databases: ${this.totalCount}`;
  }
}

@ObjectType({ description: 'The collections of a database, sorted by name; empty before the first write.' })
export class CollectionConnection extends connectionOf(Collection) {
  @Field(() => [String], { description: 'The names of the collections, as in nodes.' })
  get names(): string[] {
    return this.nodes.map((node) => node.name);
  }

  @Field(() => String, { description: 'The number of collections in a sentence, for people to read.' })
  get message(): string {
    return `Collections: ${this.totalCount}`;
  }
}
