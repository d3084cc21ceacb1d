import type { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import type { Job, JobOutcome } from '../jobs/define-job.js';
import { unbelievableFrom } from '../lib/clock.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { reasonOf } from '../lib/reason-of.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { query, queryOne } from '../postgres/query.js';
import { CORPORA, createStore, dropStore } from '../postgres/stores.js';
import { cancelBuild } from '../postgres/vector-index.js';
import { Collection } from './collection.entity.js';
import { Database, DatabaseStatus } from './database.entity.js';

interface ProvisioningOptions {
  readonly postgres: DataSource;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Removes some items of a database before its tables are dropped; false when none are left. */
  readonly purgeSources: (databaseId: number) => Promise<boolean>;
}

/** What a job needs to know of the database it has claimed. */
type ClaimedDatabase = Pick<Database, 'id' | 'name' | 'vectorDimensions'>;

const leaseMs = 60_000;
const stillRead = 'its tables are still read';

/** Creates the tables of accepted databases. */
export function provisionDatabases(options: ProvisioningOptions): Job {
  return defineJob({
    name: 'provision-databases',
    everySeconds: 15,
    concurrency: 1,
    run: async () => {
      const database = await claim(options, DatabaseStatus.accepted);
      if (!database) return 'idle';
      try {
        await provision(options, database);
        options.logger.info({ database: database.name }, 'database provisioned');
      } catch (error) {
        if (isStoreUnavailable(error)) return putOff(options, database, error);
        await fail(options, database, error);
      }
      return 'worked';
    },
  });
}

/** Postgres was away or full. The database is not at fault, and the next run completes it. */
async function putOff(
  options: ProvisioningOptions,
  database: ClaimedDatabase,
  cause: unknown,
): Promise<JobOutcome> {
  options.logger.warn({ database: database.name, reason: reasonOf(cause) }, 'provisioning put off');
  await release(options, database);
  return 'idle';
}

async function provision(options: ProvisioningOptions, database: ClaimedDatabase): Promise<void> {
  const { postgres, embedded } = options;
  const { id, vectorDimensions } = database;
  const record = async (
    done: Partial<Pick<Database, 'schedulerReady' | 'graphReady' | 'knowledgeReady' | 'memoriesReady'>>,
  ) => postgres.getRepository(Database).update({ id }, done);
  await record({ schedulerReady: true });
  await createStore(postgres, { databaseId: id, corpus: 'knowledge' }, { vectorDimensions, embedded });
  await record({ knowledgeReady: true });
  await createStore(postgres, { databaseId: id, corpus: 'memory' }, { vectorDimensions, embedded });
  await record({ memoriesReady: true });
  // The tables of the graph are among its stores, so it is ready with them.
  await finish(options, database, { status: DatabaseStatus.ready, graphReady: true });
}

/**
 * Ends provisioning and its lease in one statement: a process killed between two would leave a lease on a
 * ready database.
 */
async function finish(
  options: ProvisioningOptions,
  database: ClaimedDatabase,
  outcome: Partial<Database>,
): Promise<void> {
  const { postgres, clock } = options;
  const { affected } = await postgres
    .getRepository(Database)
    .update(
      { id: database.id, status: DatabaseStatus.accepted },
      { ...outcome, leaseUntil: null, updatedAt: clock.now() },
    );
  // It was deleted meanwhile, and its removal need not wait for the end of the lease.
  if (!affected) await release(options, database);
}

async function fail(options: ProvisioningOptions, database: ClaimedDatabase, cause: unknown): Promise<void> {
  const { postgres, logger } = options;
  const reason = reasonOf(cause);
  logger.error({ database: database.name, reason }, 'provisioning failed');
  const rollbackError = await dropStores(postgres, database.id).then(
    (dropped) => (dropped ? undefined : stillRead),
    reasonOf,
  );
  await finish(options, database, {
    status: DatabaseStatus.failed,
    error: rollbackError === undefined ? reason : `${reason}; the rollback also failed: ${rollbackError}`,
    rollbackFailed: rollbackError !== undefined,
    schedulerReady: false,
    knowledgeReady: false,
    memoriesReady: false,
  });
}

/** Removes deleted databases with everything in them. */
export function purgeDatabases(options: ProvisioningOptions): Job {
  return defineJob({
    name: 'purge-databases',
    everySeconds: 60,
    concurrency: 1,
    run: async () => {
      const database = await claim(options, DatabaseStatus.deleting);
      if (!database) return 'idle';
      try {
        await purgeSome(options, database);
      } catch (error) {
        // The lease is the pause before the next attempt; other databases do not wait for it.
        options.logger.error({ database: database.name, reason: reasonOf(error) }, 'purging failed');
      }
      return 'worked';
    },
  });
}

async function purgeSome(options: ProvisioningOptions, database: ClaimedDatabase): Promise<void> {
  const { postgres, logger } = options;
  if (await options.purgeSources(database.id)) return release(options, database);
  if (!(await dropStores(postgres, database.id))) throw new Error(stillRead);
  await postgres.transaction(async (manager) => {
    await query(manager, 'delete from keyword_averages where database_id = $1', [database.id]);
    await query(manager, 'delete from vector_indexes where database_id = $1', [database.id]);
    await manager.delete(Collection, { databaseId: database.id });
    await manager.delete(Database, { id: database.id });
  });
  logger.info({ database: database.name }, 'database purged');
}

/** Drops the tables of a database; false when a reader of them has to be waited for. */
async function dropStores(postgres: DataSource, databaseId: number): Promise<boolean> {
  for (const corpus of CORPORA) {
    await cancelBuild(postgres, { databaseId, corpus });
    if (!(await dropStore(postgres, { databaseId, corpus }))) return false;
  }
  return true;
}

/**
 * Claims one database that nobody works on, under a lease, so that two processes never work on the same one.
 * The one worked on longest ago comes first: a large or failing one does not hold up the others.
 */
async function claim(
  { postgres, clock }: ProvisioningOptions,
  status: DatabaseStatus,
): Promise<ClaimedDatabase | undefined> {
  const now = clock.now();
  return queryOne<ClaimedDatabase>(
    postgres.manager,
    `update databases set lease_until = $3, updated_at = $2
      where id = (select id from databases where status = $1 and (lease_until is null or lease_until < $2 or lease_until > $4)
                   order by updated_at limit 1 for update skip locked)
      returning id, name, vector_dimensions as "vectorDimensions"`,
    [status, now, new Date(now.getTime() + leaseMs), unbelievableFrom(now)],
  );
}

async function release({ postgres }: ProvisioningOptions, { id }: ClaimedDatabase): Promise<void> {
  await postgres.getRepository(Database).update({ id }, { leaseUntil: null });
}
