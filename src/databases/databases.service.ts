import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/accounts.service.js';
import { AppError, invalidInput } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import type { Embedder } from '../inference/embedder.js';
import type { Clock } from '../lib/clock.js';
import { connection, pageRange } from '../lib/page.types.js';
import type { Connection, PageArgs } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { isUniqueViolation } from '../postgres/query.js';
import { Database, DatabaseStatus } from './database.entity.js';
import type { CreateDatabaseInput, FailedDatabase } from './database.types.js';
import { readMetadataSchema } from './metadata-schema.js';

interface DatabasesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly embedder: Embedder;
  readonly wake: Wake;
}

const listed = In([DatabaseStatus.accepted, DatabaseStatus.ready]);
const shown = In([DatabaseStatus.accepted, DatabaseStatus.ready, DatabaseStatus.failed]);

export class DatabasesService {
  constructor(private readonly options: DatabasesOptions) {}

  /** Accepts a database; provisioning follows as a job. A failed one is created again. */
  async create(caller: Caller, input: CreateDatabaseInput): Promise<Database> {
    checkDatabaseName(input.database);
    const now = this.options.clock.now();
    const row = {
      accountId: caller.accountId,
      name: input.database,
      status: DatabaseStatus.accepted,
      metadataSchema: input.databaseMetadataSchema ? readMetadataSchema(input.databaseMetadataSchema) : null,
      embeddingsDimension: this.readDimension(input.embeddingsDimension),
      embeddingModel: this.options.embedder.model,
      vectorDimensions: this.options.embedder.dimensions,
      isEmbeddingsTenant: input.isEmbeddingsTenant ?? false,
      schedulerReady: false,
      graphReady: false,
      knowledgeReady: false,
      memoriesReady: false,
      error: '',
      createdAt: now,
      updatedAt: now,
    };
    const created = (await this.retryFailed(row)) ?? (await this.insert(row));
    this.options.wake('provision-databases');
    return created;
  }

  /** @throws AppError DATABASE_NOT_FOUND when it does not exist, is being deleted or belongs to another account. */
  async find(caller: Caller, name: string): Promise<Database> {
    const found = await this.databases.findOneBy({ accountId: caller.accountId, name, status: shown });
    if (!found) throw databaseNotFound(name);
    return found;
  }

  /** @throws AppError TENANT_INFRA_NOT_READY until provisioning has finished. */
  async findReady(caller: Caller, name: string): Promise<Database> {
    const found = await this.find(caller, name);
    checkReady(found);
    return found;
  }

  /** Databases of the account that are ready or provisioning, and the names of those that failed. */
  async list(
    caller: Caller,
    args: PageArgs,
  ): Promise<Connection<Database> & { failedDatabases: FailedDatabase[] }> {
    const range = pageRange(args);
    const accountId = caller.accountId;
    const [nodes, total] = await this.databases.findAndCount({
      where: { accountId, status: listed },
      order: { name: 'asc' },
      skip: range.offset,
      take: range.limit,
    });
    const failed = await this.databases.find({
      where: { accountId, status: DatabaseStatus.failed },
      order: { name: 'asc' },
      take: LIMITS.pageSizeMax,
    });
    const failedDatabases = failed.map(({ name, error }) => ({ database: name, error }));
    return { ...connection(nodes, total, range), failedDatabases };
  }

  /** Hides the database at once and removes it in the background (after a provisioning that still runs); its name is free when that is done. */
  async delete(caller: Caller, name: string): Promise<void> {
    const found = await this.find(caller, name);
    const result = await this.databases.update(
      { id: found.id, status: shown },
      { status: DatabaseStatus.deleting, updatedAt: this.options.clock.now() },
    );
    if (result.affected === 0) throw databaseNotFound(name);
    this.options.wake('purge-databases');
  }

  private get databases() {
    return this.options.postgres.getRepository(Database);
  }

  private readDimension(requested: number | null | undefined): number {
    const { dimensionsShown } = this.options.embedder;
    const dimension = requested ?? dimensionsShown.default;
    if (dimension < 1 || dimension > LIMITS.embeddingsDimensionMax) {
      throw invalidInput(
        'embeddings_dimension',
        `must be 1 to ${LIMITS.embeddingsDimensionMax}, not ${dimension}`,
      );
    }
    if (dimension < dimensionsShown.min || dimension > dimensionsShown.max) {
      const range =
        dimensionsShown.min === dimensionsShown.max
          ? `${dimensionsShown.min}`
          : `${dimensionsShown.min} to ${dimensionsShown.max}`;
      throw invalidInput(
        'embeddings_dimension',
        `is ${dimension}; the embedding model of this server makes ${range}`,
      );
    }
    return dimension;
  }

  private async retryFailed(row: Omit<Partial<Database>, 'infra'>): Promise<Database | undefined> {
    const { accountId, name, ...changes } = row;
    const where = { accountId: accountId ?? '', name: name ?? '', status: DatabaseStatus.failed };
    const result = await this.databases.update(where, changes);
    return result.affected ? this.databases.create(row) : undefined;
  }

  private async insert(row: Omit<Partial<Database>, 'infra'>): Promise<Database> {
    try {
      await this.databases.insert(row);
      return this.databases.create(row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError(
        'DATABASE_ALREADY_EXISTS',
        `database "${row.name}" exists already or is still being deleted`,
      );
    }
  }
}

/** The same answer for a name that does not exist and one that the caller may not know of. */
export function databaseNotFound(name: string): AppError {
  return new AppError('DATABASE_NOT_FOUND', `database "${name}" does not exist`);
}

/** @throws AppError TENANT_INFRA_NOT_READY until provisioning has finished. */
export function checkReady({ name, status, error }: Pick<Database, 'name' | 'status' | 'error'>): void {
  if (status === DatabaseStatus.ready) return;
  const reason = status === DatabaseStatus.failed ? `failed to provision: ${error}` : 'is still provisioning';
  throw new AppError('TENANT_INFRA_NOT_READY', `database "${name}" ${reason}`, { retryAfterSeconds: 1 });
}

function checkDatabaseName(name: string): void {
  if (name.length === 0) throw invalidInput('database', 'must not be empty');
  if (name.length > LIMITS.databaseNameCharactersMax) {
    throw invalidInput(
      'database',
      `has ${name.length} characters; at most ${LIMITS.databaseNameCharactersMax}`,
    );
  }
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw invalidInput('database', `"${name}" may hold only lowercase letters, digits, - and _`);
  }
}
