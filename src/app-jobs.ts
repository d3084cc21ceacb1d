import { purgeIdempotencyKeys } from './accounts/idempotency.jobs.js';
import type { Features } from './app-features.js';
import type { Groundwork } from './app-groundwork.js';
import {
  applyConnectorAcls,
  purgeConnectors,
  removeGoneItems,
  syncConnectors,
} from './connectors/sync/connectors.jobs.js';
import { ItemCleanup, deleteConnectorsOf } from './connectors/sync/item-cleanup.js';
import { PageStore } from './connectors/sync/page-store.js';
import { SyncQueue } from './connectors/sync/sync-queue.js';
import { SyncRun } from './connectors/sync/sync-run.js';
import { provisionDatabases, purgeDatabases } from './databases/provisioning.jobs.js';
import { Dependency } from './ingestion/dependency.js';
import type { DependencyOptions } from './ingestion/dependency.js';
import { deleteEmbeddingsOf } from './ingestion/embedding-cache.js';
import { IndexingService } from './ingestion/indexing.service.js';
import {
  buildGraphs,
  endHopelessSources,
  forgetEmbeddings,
  indexLargeSources,
  indexSources,
  maintainStores,
  purgeCollections,
  removeExpiredSources,
  removeOldVersions,
} from './ingestion/ingestion.jobs.js';
import { KeywordStatistics } from './ingestion/keyword-statistics/keyword-statistics.js';
import { ModelInference } from './ingestion/model-inference.js';
import { IndexingPipeline } from './ingestion/pipeline.js';
import { Reembedder } from './ingestion/reembedding/reembedder.js';
import { reembedDatabases } from './ingestion/reembedding/reembedding.jobs.js';
import { StoreMaintenance } from './ingestion/store-maintenance.js';
import { buildVectorIndexes } from './ingestion/vector-index/vector-index.jobs.js';
import { VectorIndexes } from './ingestion/vector-index/vector-indexes.js';
import type { Job } from './jobs/define-job.js';
import { hourMs } from './lib/units.js';
import { maintainEmbeddedPostgres } from './postgres/upkeep.jobs.js';
import { forgetOldQueries } from './retrieval/feedback.jobs.js';
import { deleteQueriesOf } from './retrieval/query-log.js';
import { deleteSomeSources } from './sources/deletion/old-versions.queries.js';
import { removeOrphanedFiles } from './sources/deletion/orphaned-files.jobs.js';
import { deleteDeliveriesOf } from './webhooks/deliveries.queries.js';
import { endOrphanedDeliveries, forgetOldDeliveries, sendWebhooks } from './webhooks/webhooks.jobs.js';

/** All jobs of the server, in the order in which tests run them: what most of them need stands first. */
export function createJobs(ground: Groundwork, features: Features): readonly Job[] {
  const { base, files } = ground;
  const { postgres, clock, embedded, wake } = base;
  const keywordStatistics = new KeywordStatistics(base);
  const vectorIndexes = createVectorIndexes(ground);
  const maintenance = new StoreMaintenance({
    postgres,
    keywordStatistics,
    vacuums: embedded,
    onWritten: (store) => {
      if (!vectorIndexes) return;
      vectorIndexes.touch(store);
      wake('build-vector-indexes');
    },
  });
  const indexing = createIndexing(ground, features, { keywordStatistics, maintenance });
  const provisioning = createProvisioning(ground);
  const { graph, ingestion, retrieval, webhooks } = features;
  const [sync, ...afterSyncs] = createConnectorJobs(ground, features);
  return [
    provisionDatabases(provisioning),
    sync,
    indexSources(indexing),
    indexLargeSources(indexing),
    buildGraphs(indexing),
    maintainStores(maintenance),
    ...afterSyncs,
    endHopelessSources(indexing),
    removeExpiredSources(postgres, clock, wake),
    removeOldVersions({ ...base, ...files, ...graph, maintenance }),
    purgeCollections(postgres, wake),
    purgeDatabases(provisioning),
    reembedDatabases(createReembedder(ground, features, vectorIndexes)),
    forgetEmbeddings(ingestion.embeddings),
    forgetOldQueries(retrieval.queryLog),
    sendWebhooks(webhooks.sender),
    endOrphanedDeliveries(webhooks.deliveryQueue),
    forgetOldDeliveries(webhooks.deliveryQueue, clock),
    ...(vectorIndexes ? [buildVectorIndexes(vectorIndexes)] : []),
    purgeIdempotencyKeys(postgres, clock),
    removeOrphanedFiles({ ...base, ...files }),
    ...(embedded ? [maintainEmbeddedPostgres(postgres)] : []),
  ];
}

/** What databases are provisioned and purged with; each feature removes its own rows. */
function createProvisioning({ base, files }: Groundwork) {
  const { postgres } = base;
  return {
    ...base,
    purgeSources: async (databaseId: number) => {
      if (await deleteSomeSources(postgres, databaseId, (keys) => files.originals.remove(keys))) return true;
      const deletions = [deleteEmbeddingsOf, deleteQueriesOf, deleteDeliveriesOf, deleteConnectorsOf];
      for (const deleteSome of deletions) if (await deleteSome(postgres, databaseId)) return true;
      return false;
    },
  };
}

/** Undefined on the embedded Postgres, which has no separate sessions to build an index in. */
function createVectorIndexes({ base, exactRowsMax }: Groundwork): VectorIndexes | undefined {
  const { openSession } = base;
  return openSession && new VectorIndexes({ ...base, openSession, exactRowsMax });
}

function createReembedder(
  { base, models, config }: Groundwork,
  { ingestion }: Features,
  vectorIndexes: VectorIndexes | undefined,
): Reembedder {
  return new Reembedder({
    ...base,
    ...models,
    ...ingestion,
    vectorIndexes,
    readMsMax: config.queryTimeoutMs,
  });
}

function createConnectorJobs(
  { config, base, files }: Groundwork,
  { sources, connectors }: Features,
): readonly [Job, ...Job[]] {
  const queue = new SyncQueue({ ...base, syncsPerDayMax: config.syncsPerDayMax });
  const pages = new PageStore({ ...base, ...files, queue, ingest: sources.ingest });
  const cleanup = new ItemCleanup({ ...base, deletion: sources.deletion });
  const run = new SyncRun({ ...base, sessions: connectors.providerSessions, queue, pages });
  return [
    syncConnectors(queue, run),
    removeGoneItems(cleanup),
    applyConnectorAcls(cleanup),
    purgeConnectors(cleanup, base.wake),
  ];
}

function createIndexing(
  { config, base, models, files }: Groundwork,
  { sources, graph: { graph }, ingestion }: Features,
  stores: { keywordStatistics: KeywordStatistics; maintenance: StoreMaintenance },
): IndexingService {
  const { embedder, embedders, completer } = models;
  const { originals, uploads } = files;
  const { queue, indexingStatus } = sources;
  const inference = completer && new ModelInference({ ...base, ...ingestion, originals, graph, completer });
  const dependency = (options: Pick<DependencyOptions, 'name' | 'errorCode' | 'probe'>) =>
    new Dependency({ ...base, ...options });
  return new IndexingService({
    ...base,
    queue,
    indexingStatus,
    embedders,
    heldMsMax: config.indexingHoldHours * hourMs,
    pipeline: new IndexingPipeline({
      ...base,
      ...ingestion,
      ...stores,
      embedders,
      originals,
      graph,
      queue,
      indexingStatus,
      graphsLater: completer !== undefined,
    }),
    storage: dependency({ name: 'storage', errorCode: 'E6001' }),
    originals: dependency({
      name: 'storage of files',
      errorCode: 'E6001',
      probe: async (signal) => {
        // Chunks on their way, and copies of originals, pass through the spool.
        await uploads.probe();
        await originals.probe(signal);
      },
    }),
    embedding: dependency({
      name: 'embedding provider',
      errorCode: 'E4001',
      probe: (signal) => embedder.embedDocuments(['probe'], signal),
    }),
    languageModel: inference && {
      inference,
      dependency: dependency({
        name: 'language model',
        errorCode: 'E5001',
        probe: (signal) => inference.probe(signal),
      }),
    },
  });
}
