import { Arg, Args, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { PageArgs } from '../lib/page.types.js';
import { Database } from './database.entity.js';
import {
  AddMetadataFieldsPayload,
  CollectionConnection,
  CreateDatabaseInput,
  CreateDatabasePayload,
  DatabaseConnection,
  DeletionPayload,
  MetadataSchema,
} from './database.types.js';
import { MetadataFieldInput } from './metadata-field.types.js';

const ofDatabase = { description: 'Name of the database.' };

@Resolver(() => Database)
export class DatabaseResolver {
  @Authorized<Scope>('read')
  @Query(() => DatabaseConnection, { description: 'The databases of the account, sorted by name.' })
  async databases(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<DatabaseConnection> {
    return Object.assign(new DatabaseConnection(), await services.databases.list(caller, page));
  }

  @Authorized<Scope>('read')
  @Query(() => Database, {
    description: 'One database by name; after creation, poll infra.readyForIngestion until it is true.',
  })
  database(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
  ): Promise<Database> {
    return services.databases.find(caller, database);
  }

  @Authorized<Scope>('read')
  @Query(() => CollectionConnection, { description: 'The collections of a database, sorted by name.' })
  async collections(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<CollectionConnection> {
    return Object.assign(new CollectionConnection(), await services.collections.list(caller, database, page));
  }

  @Authorized<Scope>('read')
  @Query(() => MetadataSchema, { description: 'The declared metadata fields of a database.' })
  async metadataSchema(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
  ): Promise<MetadataSchema> {
    return { database, fields: await services.metadataSchema.find(caller, database) };
  }

  @Authorized<Scope>('write')
  @Mutation(() => AddMetadataFieldsPayload, {
    description:
      'Adds fields to the metadata schema of a database, all of them or none. Declared fields cannot be changed or removed.',
  })
  async addMetadataFields(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
    @Arg('fields', () => [MetadataFieldInput], {
      description: 'The fields to add, at least one; dense and sparse embeddings cannot be enabled here.',
    })
    fields: MetadataFieldInput[],
  ): Promise<AddMetadataFieldsPayload> {
    return { database, addedFields: await services.metadataSchema.addFields(caller, database, fields) };
  }

  @Authorized<Scope>('write')
  @Mutation(() => CreateDatabasePayload, {
    description:
      'Creates a database; it is provisioned in the background, and takes items once its infra.readyForIngestion is true.',
  })
  async createDatabase(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => CreateDatabaseInput) input: CreateDatabaseInput,
  ): Promise<CreateDatabasePayload> {
    const { status, name } = await services.databases.create(caller, input);
    return {
      status,
      database: name,
      message: 'Database creation started; poll its status until it is ready',
    };
  }

  @Authorized<Scope>('write')
  @Mutation(() => DeletionPayload, {
    description: 'Hides a database at once and removes it in the background.',
  })
  async deleteDatabase(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
  ): Promise<DeletionPayload> {
    await services.databases.delete(caller, database);
    return { database, status: 'deletion_scheduled', message: 'The database is hidden and will be removed' };
  }

  @Authorized<Scope>('write')
  @Mutation(() => Database, {
    description:
      'Re-embeds a database with the embedding model of this server, in the background; its field reembedding shows the progress.',
  })
  reembedDatabase(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
  ): Promise<Database> {
    return services.reembedding.begin(caller, database);
  }

  @Authorized<Scope>('write')
  @Mutation(() => DeletionPayload, {
    description: 'Hides a collection at once and removes its content in the background.',
  })
  async deleteCollection(
    @Ctx() { services, caller }: RequestContext,
    @Arg('database', () => String, ofDatabase) database: string,
    @Arg('collection', () => String, {
      description: 'Name of the collection; the default one is named default.',
    })
    collection: string,
  ): Promise<DeletionPayload> {
    const name = await services.collections.delete(caller, database, collection);
    return {
      database,
      collection: name,
      status: 'deletion_scheduled',
      message: 'The collection is hidden and will be removed',
    };
  }
}
