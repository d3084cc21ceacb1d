import { And, In, MoreThan } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { mayTouch, refusePrincipals } from '../accounts/caller.js';
import type { Caller } from '../accounts/caller.js';
import { AppError, invalidInput } from '../errors.js';
import type { Embedder } from '../inference/embedder.js';
import type { Wake } from '../jobs/define-job.js';
import { boundedNumber } from '../lib/bounded-number.js';
import type { Clock } from '../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../lib/list-cursor.js';
import type { ListOrder } from '../lib/list-cursor.js';
import { connection, pageRange, rowsOf } from '../lib/page.types.js';
import type { Connection, PageArgs } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { prepared } from '../postgres/prepared-statements.js';
import { isUniqueViolation, queryOne } from '../postgres/query.js';
import { lockByName } from '../postgres/transaction-lock.js';
import { checkDatabaseName } from './database-name.js';
import { Database, DatabaseStatus } from './database.entity.js';
import type { CreateDatabaseInput, FailedDatabase } from './database.types.js';
import { readMetadataSchema } from './metadata-schema.js';
import { holdReady } from './ready-databases.queries.js';

interface DatabasesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly embedder: Embedder;
  readonly wake: Wake;
  /** How many databases an account may have; undefined for any number. */
  readonly databasesMax: number | undefined;
  readonly watchers: DatabaseWatchers;
}

/** Those who follow the statuses of a database's items, in every process. */
interface DatabaseWatchers {
  /** Tells them that the database is gone, once the transaction commits. */
  announceEnd(manager: EntityManager, databaseId: number): Promise<void>;
  /** Tells those of this process, where it is the only one; to be called after the commit. */
  publishEnd(databaseId: number): void;
}

type NewDatabase = Omit<Partial<Database>, 'infra' | 'reembedding'> & Pick<Database, 'accountId' | 'name'>;

const listed = In([DatabaseStatus.accepted, DatabaseStatus.ready]);
const shown = In([DatabaseStatus.accepted, DatabaseStatus.ready, DatabaseStatus.failed]);

/** The databases of accounts. */
export class DatabasesService {
  constructor(private readonly options: DatabasesOptions) {}

  /**
   * Accepts a new database, which a job then provisions. One that could not be provisioned is tried again.
   */
  async create(caller: Caller, input: CreateDatabaseInput): Promise<Database> {
    checkDatabaseName(input.database, 'database');
    refuseForeign(caller, input.database);
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
      rollbackFailed: false,
      createdAt: now,
      updatedAt: now,
    };
    const created = (await this.retryFailed(row)) ?? (await this.insert(row));
    this.options.wake('provision-databases');
    return created;
  }

  /** @throws AppError DATABASE_NOT_FOUND when it does not exist, is being deleted or belongs to another account. */
  async find(caller: Caller, name: string): Promise<Database> {
    refuseForeign(caller, name);
    const { postgres } = this.options;
    // Most requests pass here: plain SQL costs a third of what the repository does.
    const row = await queryOne<Database>(
      postgres.manager,
      prepared(`select ${this.columns} from databases where account_id = $1 and name = $2 and status <> $3`),
      [caller.accountId, name, DatabaseStatus.deleting],
    );
    if (!row) throw databaseNotFound(name);
    return Object.assign(new Database(), row);
  }

  /**
   * Finds a database for a change to everything in it. A key with principals, which may not know of all that,
   * is refused `change`. @throws AppError DATABASE_NOT_FOUND, FORBIDDEN
   */
  async findWhole(caller: Caller, name: string, change: string): Promise<Database> {
    const found = await this.find(caller, name);
    refusePrincipals(caller, change);
    return found;
  }

  /**
   * Finds a database that has been provisioned. @throws AppError DATABASE_NOT_FOUND, TENANT_INFRA_NOT_READY
   */
  async findReady(caller: Caller, name: string): Promise<Database> {
    const found = await this.find(caller, name);
    checkReady(found);
    return found;
  }

  /** The account's databases that are ready or being provisioned, and the names of those that failed. */
  async list(
    caller: Caller,
    args: PageArgs,
  ): Promise<Connection<Database> & { failedDatabases: FailedDatabase[] }> {
    const range = pageRange(args);
    const order: ListOrder<Database> = {
      list: `databases.${caller.accountId}`,
      keyOf: ({ name }) => [name],
      forms: [KEY_FORMS.text],
    };
    const [behind] = keyBehind(range.cursor, order) ?? [];
    const names = caller.databases ? [In([...caller.databases])] : [];
    const ofCaller = {
      accountId: caller.accountId,
      ...(names[0] ? { name: names[0] } : {}),
    };
    const rows = await this.databases.find({
      where: {
        ...ofCaller,
        status: listed,
        ...(behind === undefined ? {} : { name: And(...names, MoreThan(behind)) }),
      },
      order: { name: 'asc' },
      ...rowsOf(range),
    });
    const total = await this.databases.countBy({ ...ofCaller, status: listed });
    const failed = await this.databases.find({
      where: { ...ofCaller, status: DatabaseStatus.failed },
      order: { name: 'asc' },
      take: LIMITS.pageSizeMax,
    });
    const failedDatabases = failed.map(({ name, error }) => ({ database: name, error }));
    return { ...connection(rows, total, { range, order }), failedDatabases };
  }

  /**
   * Hides the database at once and removes it in the background, once provisioning has ended; then its name
   * is free.
   */
  async delete(caller: Caller, name: string): Promise<void> {
    const found = await this.findWhole(caller, name, 'deleting a database');
    const { postgres, clock, watchers, wake } = this.options;
    await postgres.transaction(async (manager) => {
      const result = await manager.update(
        Database,
        { id: found.id, status: shown },
        { status: DatabaseStatus.deleting, updatedAt: clock.now() },
      );
      if (result.affected === 0) throw databaseNotFound(name);
      await watchers.announceEnd(manager, found.id);
    });
    watchers.publishEnd(found.id);
    wake('purge-databases');
  }

  private get databases() {
    return this.options.postgres.getRepository(Database);
  }

  private get columns(): string {
    const { columns } = this.databases.metadata;
    return columns.map(({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`).join(', ');
  }

  private readDimension(requested: number | null | undefined): number {
    const { dimensionsShown } = this.options.embedder;
    const asked = requested ?? dimensionsShown.default;
    const dimension = boundedNumber(asked, 'embeddings_dimension', LIMITS.embeddingsDimensionMax);
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

  private async retryFailed(row: NewDatabase): Promise<Database | undefined> {
    const { accountId, name, ...changes } = row;
    const failed = { accountId, name, status: DatabaseStatus.failed };
    const result = await this.databases.update({ ...failed, rollbackFailed: false }, changes);
    if (result.affected) return this.databases.create(row);
    const stuck = await this.databases.findOneBy({ ...failed, rollbackFailed: true });
    if (!stuck) return undefined;
    throw new AppError(
      'INTERNAL_ERROR',
      `database "${name}" failed to provision (${stuck.error}); delete the database first and create it again`,
    );
  }

  /** @throws AppError DATABASE_ALREADY_EXISTS, or FORBIDDEN when the plan allows no more. */
  private async insert(row: NewDatabase): Promise<Database> {
    const { accountId, name } = row;
    const taken = new AppError(
      'DATABASE_ALREADY_EXISTS',
      `database "${name}" exists already or is still being deleted`,
    );
    if (await this.databases.existsBy({ accountId, name })) throw taken;
    try {
      await this.options.postgres.transaction(async (manager) => {
        await this.checkPlan(manager, accountId);
        await manager.insert(Database, row);
      });
      return this.databases.create(row);
    } catch (error) {
      throw isUniqueViolation(error) ? taken : error;
    }
  }

  // Locks the account, so that concurrent requests cannot pass the limit together.
  private async checkPlan(manager: EntityManager, accountId: string): Promise<void> {
    const { databasesMax } = this.options;
    if (databasesMax === undefined) return;
    await lockByName(manager, `databases:${accountId}`);
    const count = await manager.countBy(Database, { accountId, status: shown });
    if (count < databasesMax) return;
    throw new AppError(
      'FORBIDDEN',
      `the plan of this account allows no further database (at most ${databasesMax}, and it has ${count}); delete one first`,
    );
  }
}

/** The same answer for a database that does not exist and one that the caller may not know of. */
export function databaseNotFound(name: string): AppError {
  return new AppError('DATABASE_NOT_FOUND', `database "${name}" does not exist`);
}

/**
 * Keeps a database from being deleted until the transaction ends. @throws AppError DATABASE_NOT_FOUND when it has been deleted
 * since it was found
 */
export async function holdDatabase(
  manager: EntityManager,
  { id, name }: Pick<Database, 'id' | 'name'>,
): Promise<void> {
  if (!(await holdReady(manager, id))) throw databaseNotFound(name);
}

/**
 * A database outside of the key's list does not exist for it, and an empty name is a missing one.
 * @throws AppError DATABASE_NOT_FOUND, INVALID_INPUT
 */
export function refuseForeign(caller: Caller, name: string): void {
  if (name === '') throw invalidInput('database', 'must not be empty');
  if (!mayTouch(caller, name)) throw databaseNotFound(name);
}

/** @throws AppError TENANT_INFRA_NOT_READY until provisioning has finished. */
export function checkReady({ name, status, error }: Pick<Database, 'name' | 'status' | 'error'>): void {
  if (status === DatabaseStatus.ready) return;
  const reason = status === DatabaseStatus.failed ? `failed to provision: ${error}` : 'is still provisioning';
  throw new AppError('TENANT_INFRA_NOT_READY', `database "${name}" ${reason}`, { retryAfterSeconds: 1 });
}
