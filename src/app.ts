import { setTimeout } from 'node:timers/promises';
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
import { EntitiesService } from './graph/entities.service.js';
import { ListedRelations } from './graph/listed-relations.js';
import { RelationsService } from './graph/relations.service.js';
import { SubgraphService } from './graph/subgraph.service.js';
import { StoredGraph } from './graph/stored-graph.js';
import type { Embedder } from './inference/embedder.js';
import type { Completer } from './inference/completer.js';
import { createCompleter } from './inference/completers.js';
import { createEmbedder } from './inference/embedders.js';
import { ContentLinks } from './ingestion/content-links.js';
import { ContentService } from './ingestion/content.service.js';
import { Dependency } from './ingestion/dependency.js';
import { EmbeddingCache, forgetDatabase } from './ingestion/embedding-cache.js';
import { IndexingService } from './ingestion/indexing.service.js';
import {
  endHopelessSources,
  forgetEmbeddings,
  indexLargeSources,
  indexSources,
  maintainStores,
  purgeCollections,
  removeExpiredSources,
  removeOldVersions,
} from './ingestion/ingestion.jobs.js';
import { StoredMetadataVectors } from './ingestion/metadata-vectors.js';
import { KeywordStatistics } from './ingestion/keyword-statistics.js';
import { parserFor } from './ingestion/parsers/parsers.js';
import { IndexingPipeline } from './ingestion/pipeline.js';
import { MemoryService } from './ingestion/memory.service.js';
import { ModelInference } from './ingestion/model-inference.js';
import { PreparePool } from './ingestion/prepare-pool.js';
import { StoreMaintenance } from './ingestion/store-maintenance.js';
import { buildVectorIndexes } from './ingestion/vector-index.jobs.js';
import { VectorIndexes } from './ingestion/vector-indexes.js';
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
import { exactRowsMaxDefault } from './postgres/vector-index.js';
import { forgetOldQueries } from './retrieval/feedback.jobs.js';
import { FeedbackService } from './retrieval/feedback.service.js';
import { QueryLog, forgetQueries } from './retrieval/query-log.js';
import { ResidentVectors } from './retrieval/resident-vectors.js';
import { SearchService } from './retrieval/search.service.js';
import { DeletionService } from './sources/deletion.service.js';
import { IndexingQueue } from './sources/indexing-queue.js';
import { IndexingStatusService } from './sources/indexing-status.service.js';
import { IngestService } from './sources/ingest.service.js';
import { deleteSomeSources } from './sources/old-versions.js';
import { removeOrphanedFiles } from './sources/orphaned-files.jobs.js';
import { SourceListService } from './sources/source-list.service.js';
import { SourceMetadataService } from './sources/source-metadata.service.js';
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
  readonly sourceMetadata: SourceMetadataService;
  readonly indexingStatus: IndexingStatusService;
  readonly sourceList: SourceListService;
  readonly deletion: DeletionService;
  readonly content: ContentService;
  readonly memories: MemoryService;
  readonly relations: RelationsService;
  readonly subgraph: SubgraphService;
  readonly entities: EntitiesService;
  readonly listedRelations: ListedRelations;
  readonly search: SearchService;
  readonly residentVectors: ResidentVectors;
  readonly feedback: FeedbackService;
  readonly queryLog: QueryLog;
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
  /** Rows of a search that are scanned exactly. */
  readonly exactRowsMax?: number;
}

const entities = [Account, ApiKey, Database, Collection];
const readinessMsMax = 5000;

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
  const embeddings = new EmbeddingCache({ postgres: postgres.dataSource, clock, embedder });
  const parts = {
    databasesMax: config.databasesMax,
    planDeprecatedUrl: config.planDeprecatedUrl,
    indexingHoldHours: config.indexingHoldHours,
    queue: new IndexingQueue({ postgres: postgres.dataSource, clock, queuedMax: config.queuedMax }),
    postgres: postgres.dataSource,
    embedded: postgres.embedded,
    openSession: postgres.openSession,
    exactRowsMax: overrides.exactRowsMax ?? exactRowsMaxDefault,
    clock,
    logger,
    embedder,
    completer,
    embeddings,
    metadataVectors: new StoredMetadataVectors({ postgres: postgres.dataSource, embeddings }),
    graph: new StoredGraph({ postgres: postgres.dataSource, embedded: postgres.embedded }),
    storage,
    preparePool,
    residentVectors: new ResidentVectors({ postgres: postgres.dataSource, clock, logger, embedder }),
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
    readiness: () => readiness(postgres, jobs),
    close: async () => {
      await jobs.stop();
      await services.queryLog.flush();
      await preparePool.close();
      await parts.residentVectors.close();
      await embedder.close();
      await completer?.close();
      await postgres.close();
    },
  };
}

async function readiness({ dataSource }: Postgres, jobs: JobRunner): Promise<Record<string, boolean>> {
  const [database, migrations, ready] = await Promise.all([
    answers(dataSource.query('select 1')),
    answers(dataSource.showMigrations().then((pending) => !pending)),
    answers(jobs.ready()),
  ]);
  return { database, migrations, jobs: ready };
}

/** What services and jobs are made of. */
interface Parts {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly embedder: Embedder;
  /** Undefined: rules extract facts. */
  readonly completer: Completer | undefined;
  readonly embeddings: EmbeddingCache;
  readonly metadataVectors: StoredMetadataVectors;
  readonly graph: StoredGraph;
  readonly storage: LocalStorage;
  readonly preparePool: PreparePool;
  readonly residentVectors: ResidentVectors;
  readonly wake: Wake;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly openSession: Postgres['openSession'];
  readonly exactRowsMax: number;
  readonly databasesMax: number | undefined;
  readonly planDeprecatedUrl: string | undefined;
  readonly indexingHoldHours: number;
  readonly queue: IndexingQueue;
}

function createServices(parts: Parts): Services {
  const accounts = new AccountsService(parts);
  const databases = new DatabasesService(parts);
  const collections = new CollectionsService({ ...parts, databases });
  const statusFeed = new StatusFeed();
  const rateLimiter = new RateLimiter(parts.postgres, parts.clock);
  const queryLog = new QueryLog(parts);
  const sourceList = new SourceListService({ ...parts, collections });
  const shared = { ...parts, databases, collections, statusFeed, rateLimiter, queryLog, sourceList };
  const relations = new RelationsService(shared);
  return {
    accounts,
    apiKeys: new ApiKeysService(parts.postgres, parts.clock),
    rateLimiter,
    queryLog,
    feedback: new FeedbackService(shared),
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
    sourceList,
    deletion: new DeletionService(shared),
    content: new ContentService({ ...shared, contentLinks: new ContentLinks(parts) }),
    memories: new MemoryService(shared),
    relations,
    subgraph: new SubgraphService(shared),
    entities: new EntitiesService(shared),
    listedRelations: new ListedRelations(relations),
    sourceMetadata: new SourceMetadataService(shared),
    search: new SearchService(shared),
    residentVectors: parts.residentVectors,
  };
}

/** Every job of the server, in the order in which tests run them. */
function createJobs(parts: Parts, services: Services): readonly Job[] {
  const { postgres, clock, storage, wake } = parts;
  const keywordStatistics = new KeywordStatistics(postgres);
  const { openSession } = parts;
  const vectorIndexes = openSession && new VectorIndexes({ ...parts, openSession });
  const maintenance = new StoreMaintenance({
    postgres,
    keywordStatistics,
    vacuums: parts.embedded,
    onWritten: (store) => {
      if (!vectorIndexes) return;
      vectorIndexes.touch(store);
      wake('build-vector-indexes');
    },
  });
  const indexing = createIndexing(parts, services, { keywordStatistics, maintenance });
  const provisioning = {
    ...parts,
    purgeSources: async (databaseId: number) => {
      const files = await deleteSomeSources(postgres, databaseId);
      for (const file of files ?? []) await storage.remove(file);
      if (files !== undefined) return true;
      return (await forgetDatabase(postgres, databaseId)) || (await forgetQueries(postgres, databaseId));
    },
  };
  return [
    provisionDatabases(provisioning),
    indexSources(indexing),
    indexLargeSources(indexing),
    endHopelessSources(indexing),
    removeExpiredSources(postgres, clock, wake),
    removeOldVersions({ ...parts, maintenance }),
    purgeCollections(postgres, wake),
    purgeDatabases(provisioning),
    maintainStores(maintenance),
    forgetEmbeddings(parts.embeddings),
    forgetOldQueries(services.queryLog),
    ...(vectorIndexes ? [buildVectorIndexes(vectorIndexes)] : []),
    purgeIdempotencyKeys(postgres, clock),
    removeOrphanedFiles({ postgres, storage, logger: parts.logger }),
    ...(parts.embedded ? [maintainEmbeddedPostgres(postgres)] : []),
  ];
}

function createIndexing(
  parts: Parts,
  { indexingStatus }: Services,
  stores: { keywordStatistics: KeywordStatistics; maintenance: StoreMaintenance },
): IndexingService {
  const { embedder, completer, indexingHoldHours } = parts;
  const inference = completer && new ModelInference({ ...parts, completer });
  return new IndexingService({
    ...parts,
    indexingStatus,
    heldMsMax: indexingHoldHours * 3_600_000,
    pipeline: new IndexingPipeline({ ...parts, ...stores, indexingStatus }),
    storage: new Dependency({ ...parts, name: 'storage', errorCode: 'E6001' }),
    embedding: new Dependency({
      ...parts,
      name: 'embedding provider',
      errorCode: 'E4001',
      probe: (signal) => embedder.embedDocuments(['probe'], signal),
    }),
    languageModel: inference && {
      inference,
      dependency: new Dependency({
        ...parts,
        name: 'language model',
        errorCode: 'E5001',
        probe: (signal) => inference.probe(signal),
      }),
    },
  });
}

/** Whether a dependency answers, and soon: whoever asks for readiness does not wait for one that hangs. */
async function answers(check: Promise<unknown>): Promise<boolean> {
  const answered = check.then(
    (result) => result !== false,
    () => false,
  );
  return Promise.race([answered, setTimeout(readinessMsMax, false, { ref: false })]);
}
