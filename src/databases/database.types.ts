import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../lib/page.types.js';
import { Collection } from './collection.entity.js';
import { Database, DatabaseStatus } from './database.entity.js';
import { MetadataFieldInput, MetadataFieldType } from './metadata-field.types.js';

@InputType()
export class CreateDatabaseInput {
  @Field(() => String, { description: 'At most 255 lowercase letters, digits, - and _.' })
  database: string;

  @Field(() => [MetadataFieldInput], {
    nullable: true,
    description: 'Declared metadata fields, at most 32, of which at most 6 vector lanes.',
  })
  databaseMetadataSchema?: MetadataFieldInput[] | null;

  @Field(() => Int, { nullable: true, description: 'Default 1536, or what the configured model makes.' })
  embeddingsDimension?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Internal; stored and echoed. Default false.' })
  isEmbeddingsTenant?: boolean | null;
}

@ObjectType({ description: 'A database was accepted; poll database.infra.readyForIngestion.' })
export class CreateDatabasePayload {
  @Field(() => DatabaseStatus)
  status: DatabaseStatus;

  @Field(() => String)
  database: string;

  @Field(() => String)
  message: string;
}

@ObjectType({ description: 'A deletion runs in the background; what it removes is hidden already.' })
export class DeletionPayload {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true })
  collection?: string | null;

  @Field(() => String, { description: 'Always deletion_scheduled.' })
  status: string;

  @Field(() => String)
  message: string;
}

@ObjectType({ description: 'The declared metadata fields of a database, in the order of their declaration.' })
export class MetadataSchema {
  @Field(() => String)
  database: string;

  @Field(() => [MetadataFieldType])
  fields: readonly MetadataFieldType[];
}

@ObjectType({ description: 'Fields were added to a metadata schema.' })
export class AddMetadataFieldsPayload {
  @Field(() => String)
  database: string;

  @Field(() => [String], { description: 'Their names.' })
  addedFields: readonly string[];
}

@ObjectType({ description: 'A database whose provisioning failed.' })
export class FailedDatabase {
  @Field(() => String)
  database: string;

  @Field(() => String)
  error: string;
}

@ObjectType({
  description: 'Databases of the account that are ready or provisioning, by name; failed ones apart.',
})
export class DatabaseConnection extends connectionOf(Database) {
  @Field(() => [FailedDatabase])
  failedDatabases: FailedDatabase[];

  @Field(() => [String])
  get names(): string[] {
    return this.nodes.map((node) => node.name);
  }

  @Field(() => [String])
  get failedNames(): string[] {
    return this.failedDatabases.map((failed) => failed.database);
  }

  @Field(() => String)
  get message(): string {
    return `Databases: ${this.totalCount}`;
  }
}

@ObjectType({ description: 'Collections of a database, by name; none before the first write.' })
export class CollectionConnection extends connectionOf(Collection) {
  @Field(() => [String])
  get names(): string[] {
    return this.nodes.map((node) => node.name);
  }

  @Field(() => String)
  get message(): string {
    return `Collections: ${this.totalCount}`;
  }
}
