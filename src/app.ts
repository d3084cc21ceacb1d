import type { DataSource } from 'typeorm';
import { Account } from './accounts/account.entity.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ApiKey } from './accounts/api-key.entity.js';
import { ApiKeysService } from './accounts/api-keys.service.js';
import { purgeIdempotencyKeys } from './accounts/idempotency.jobs.js';
import { IdempotencyService } from './accounts/idempotency.service.js';
import { RateLimiter } from './accounts/rate-limiter.js';
import type { Config } from './config.js';
import { Collection } from './databases/collection.entity.js';
import { CollectionsService } from './databases/collections.service.js';
import { Database } from './databases/database.entity.js';
import { DatabasesService } from './databases/databases.service.js';
import { MetadataSchemaService } from './databases/metadata-schema.service.js';
import { provisionDatabases, purgeDatabases } from './databases/provisioning.jobs.js';
import type { Embedder } from './inference/embedder.js';
import type { Completer } from './inference/completer.js';
import { createCompleter } from './inference/completers.js';
import { createEmbedder } from './inference/embedders.js';
import { IndexingService } from './ingestion/indexing.service.js';
import {
  indexSources,
  maintainStores,
  purgeCollections,
  removeOldVersions,
} from './ingestion/ingestion.jobs.js';
import { KeywordStatistics } from './ingestion/keyword-statistics.js';
import { parserFor } from './ingestion/parsers/parsers.js';
import { removeSomeFacts } from './ingestion/facts.queries.js';
import { MemoryService } from './ingestion/memory.service.js';
import { PreparePool } from './ingestion/prepare-pool.js';
import { StoreMaintenance } from './ingestion/store-maintenance.js';
import type { Job, Wake } from './jobs/define-job.js';
import { createJobRunner } from './jobs/runner.js';
import type { JobRunner } from './jobs/runner.js';
import { systemClock } from './lib/clock.js';
import type { Clock } from './lib/clock.js';
import { createLogger } from './lib/logger.js';
import type { Logger } from './lib/logger.js';
import { openPostgres } from './postgres/postgres.js';
import type { Postgres } from './postgres/postgres.js';
import { maintainEmbeddedPostgres } from './postgres/upkeep.jobs.js';
import { SearchService } from './retrieval/search.service.js';
import { IndexingQueue } from './sources/indexing-queue.js';
import { IndexingStatusService } from './sources/indexing-status.service.js';
import { IngestService } from './sources/ingest.service.js';
import { deleteSomeSources } from './sources/old-versions.js';
import { StatusFeed } from './sources/status-feed.js';
import { LocalStorage } from './storage/local-storage.js';

/** What resolvers may call. */
export interface Services {
  readonly accounts: AccountsService;
  readonly apiKeys: ApiKeysService;
  readonly rateLimiter: RateLimiter;
  readonly idempotency: IdempotencyService;
  readonly databases: DatabasesService;
  readonly metadataSchema: MetadataSchemaService;
  readonly collections: CollectionsService;
  readonly ingest: IngestService;
  readonly indexingStatus: IndexingStatusService;
  readonly memories: MemoryService;
  readonly search: SearchService;
  readonly statusFeed: StatusFeed;
  readonly storage: LocalStorage;
}

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly services: Services;
  readonly jobs: JobRunner;
  readonly postgres: Postgres;
  /** What /readyz answers: each dependency and whether it is up. */
  readiness(): Promise<Record<string, boolean>>;
  close(): Promise<void>;
}

/** What tests replace. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly embedder?: Embedder;
}

const entities = [Account, ApiKey, Database, Collection];

/** The composition root: the only place where services are made. @throws StartupError with one clear line. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const embedder = overrides.embedder ?? (await createEmbedder(config));
  const completer = createCompleter(config);
  const postgres = await openPostgres(config, entities);
  const storage = new LocalStorage(config.dataDir);
  await storage.prepare();
  const preparePool = new PreparePool();
  const wake = (job: string) => jobs.wake(job);
  const parts = {
    databasesMax: config.databasesMax,
    planDeprecatedUrl: config.planDeprecatedUrl,
    postgres: postgres.dataSource,
    embedded: postgres.embedded,
    clock,
    logger,
    embedder,
    completer,
    storage,
    preparePool,
    wake,
  };
  const services = createServices(parts);
  const jobs = createJobRunner({
    jobs: createJobs(parts, services),
    backend: config.mongodbUrl
      ? { kind: 'mongodb', url: config.mongodbUrl }
      : { kind: 'postgres', pool: postgres.pool, notifications: !postgres.embedded },
    runsJobs: config.role !== 'web',
    logger,
  });
  return {
    config,
    logger,
    jobs,
    postgres,
    services,
    readiness: async () => ({
      database: await answers(postgres.dataSource.query('select 1')),
      migrations: await answers(postgres.dataSource.showMigrations().then((pending) => !pending)),
      jobs: await answers(jobs.ready()),
    }),
    close: async () => {
      await jobs.stop();
      await preparePool.close();
      await embedder.close();
      await completer?.close();
      await postgres.close();
    },
  };
}

/** What services and jobs are made of. */
interface Parts {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly embedder: Embedder;
  /** Undefined: rules extract facts. */
  readonly completer: Completer | undefined;
  readonly storage: LocalStorage;
  readonly preparePool: PreparePool;
  readonly wake: Wake;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly databasesMax: number | undefined;
  readonly planDeprecatedUrl: string | undefined;
}

function createServices(parts: Parts): Services {
  const accounts = new AccountsService(parts);
  const databases = new DatabasesService(parts);
  const collections = new CollectionsService({ ...parts, databases });
  const statusFeed = new StatusFeed();
  const shared = { ...parts, databases, collections, statusFeed };
  return {
    accounts,
    apiKeys: new ApiKeysService(parts.postgres, parts.clock),
    rateLimiter: new RateLimiter(parts.postgres, parts.clock),
    idempotency: new IdempotencyService(parts.postgres, parts.clock),
    databases,
    metadataSchema: new MetadataSchemaService({ ...parts, databases }),
    collections,
    statusFeed,
    storage: parts.storage,
    indexingStatus: new IndexingStatusService(shared),
    ingest: new IngestService({
      ...shared,
      isSupported: (filename, contentType) => parserFor(filename, contentType) !== undefined,
    }),
    memories: new MemoryService(shared),
    search: new SearchService(shared),
  };
}

/** Every job of the server, in the order in which tests run them. */
function createJobs(parts: Parts, { indexingStatus }: Services): readonly Job[] {
  const { postgres, clock, storage, wake } = parts;
  const keywordStatistics = new KeywordStatistics(postgres);
  const maintenance = new StoreMaintenance({ postgres, keywordStatistics, vacuums: parts.embedded });
  const queue = new IndexingQueue(postgres, clock);
  const provisioning = {
    ...parts,
    purgeSources: async (databaseId: number) => {
      const files = await deleteSomeSources(postgres, databaseId);
      for (const file of files ?? []) await storage.remove(file);
      return files !== undefined || removeSomeFacts(postgres.manager, databaseId);
    },
  };
  return [
    provisionDatabases(provisioning),
    indexSources(new IndexingService({ ...parts, queue, indexingStatus, keywordStatistics, maintenance })),
    removeOldVersions({ postgres, storage, maintenance }),
    purgeCollections(postgres, wake),
    purgeDatabases(provisioning),
    maintainStores(maintenance),
    purgeIdempotencyKeys(postgres, clock),
    ...(parts.embedded ? [maintainEmbeddedPostgres(postgres)] : []),
  ];
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  return check.then(
    (result) => result !== false,
    () => false,
  );
}
