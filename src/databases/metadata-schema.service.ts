import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import { AppError, invalidInput } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { Database } from './database.entity.js';
import type { DatabasesService } from './databases.service.js';
import { readMetadataSchema } from './metadata-schema.js';
import type { MetadataField, MetadataFieldRequest } from './metadata-schema.js';

interface MetadataSchemaOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
}

/** The declared metadata fields of a database: fields are added later, never changed. */
export class MetadataSchemaService {
  constructor(private readonly options: MetadataSchemaOptions) {}

  /** The fields in the order in which they were declared; none without a schema. */
  async find(caller: Caller, database: string): Promise<readonly MetadataField[]> {
    return (await this.options.databases.find(caller, database)).metadataSchema ?? [];
  }

  /**
   * Adds fields, all or none. @throws AppError DATABASE_NOT_FOUND; INVALID_INPUT for a field that cannot be
   * declared (vector flags are only for creation); SCHEMA_CONFLICT when one of its name exists
   */
  async addFields(
    caller: Caller,
    database: string,
    fields: readonly MetadataFieldRequest[],
  ): Promise<readonly string[]> {
    const { id } = await this.options.databases.findWhole(caller, database, 'changing a metadata schema');
    if (fields.length === 0) throw invalidInput('fields', 'must hold at least one field');
    const added = readMetadataSchema(fields, 'fields');
    const vector = added.findIndex((field) => field.enableDenseEmbedding || field.enableSparseEmbedding);
    if (vector >= 0)
      throw invalidInput(
        `fields[${vector}]`,
        'cannot have a dense or sparse embedding: they are set at creation only',
      );
    await this.options.postgres.transaction(async (manager) => {
      const { metadataSchema } = await manager.findOneOrFail(Database, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      const declared = metadataSchema ?? [];
      const names = new Set(declared.map(({ name }) => name.toLowerCase()));
      const taken = added.find(({ name }) => names.has(name.toLowerCase()));
      if (taken)
        throw new AppError(
          'SCHEMA_CONFLICT',
          `the metadata schema of "${database}" has a field "${taken.name}" already`,
        );
      const whole = readMetadataSchema([...declared, ...added], 'fields');
      await manager.update(Database, { id }, { metadataSchema: whole, updatedAt: this.options.clock.now() });
    });
    return added.map(({ name }) => name);
  }
}
