import { purgeIdempotencyKeys } from './accounts/idempotency.jobs.js';
import type { Parts } from './app-parts.js';
import type { Services } from './app-services.js';
import {
  applyConnectorAcls,
  purgeConnectors,
  removeGoneItems,
  syncConnectors,
} from './connectors/connectors.jobs.js';
import { ItemCleanup, forgetConnectors } from './connectors/item-cleanup.js';
import { PageStore } from './connectors/page-store.js';
import { SyncQueue } from './connectors/sync-queue.js';
import { SyncRun } from './connectors/sync-run.js';
import { provisionDatabases, purgeDatabases } from './databases/provisioning.jobs.js';
import { Dependency } from './ingestion/dependency.js';
import { forgetDatabase } from './ingestion/embedding-cache.js';
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
import { KeywordStatistics } from './ingestion/keyword-statistics.js';
import { ModelInference } from './ingestion/model-inference.js';
import { IndexingPipeline } from './ingestion/pipeline.js';
import { Reembedder } from './ingestion/reembedder.js';
import { reembedDatabases } from './ingestion/reembedding.jobs.js';
import { StoreMaintenance } from './ingestion/store-maintenance.js';
import { buildVectorIndexes } from './ingestion/vector-index.jobs.js';
import { VectorIndexes } from './ingestion/vector-indexes.js';
import type { Job } from './jobs/define-job.js';
import { maintainEmbeddedPostgres } from './postgres/upkeep.jobs.js';
import { forgetOldQueries } from './retrieval/feedback.jobs.js';
import { forgetQueries } from './retrieval/query-log.js';
import { deleteSomeSources } from './sources/old-versions.js';
import { removeOrphanedFiles } from './sources/orphaned-files.jobs.js';
import { forgetDeliveries } from './webhooks/delivery-queue.js';
import { endOrphanedDeliveries, forgetOldDeliveries, sendWebhooks } from './webhooks/webhooks.jobs.js';

/** Every job of the server, in the order in which tests run them. */
export function createJobs(parts: Parts, services: Services): readonly Job[] {
  const { postgres, clock, originals, wake } = parts;
  const keywordStatistics = new KeywordStatistics(postgres, parts);
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
      if (await deleteSomeSources(postgres, databaseId, (keys) => originals.remove(keys))) return true;
      const forget = [forgetDatabase, forgetQueries, forgetDeliveries, forgetConnectors];
      for (const forgetSome of forget) if (await forgetSome(postgres, databaseId)) return true;
      return false;
    },
  };
  return [
    provisionDatabases(provisioning),
    ...createConnectorJobs(parts, services),
    indexSources(indexing),
    indexLargeSources(indexing),
    buildGraphs(indexing),
    endHopelessSources(indexing),
    removeExpiredSources(postgres, clock, wake),
    removeOldVersions({ ...parts, maintenance }),
    purgeCollections(postgres, wake),
    purgeDatabases(provisioning),
    maintainStores(maintenance),
    reembedDatabases(new Reembedder({ ...parts, vectorIndexes })),
    forgetEmbeddings(parts.embeddings),
    forgetOldQueries(services.queryLog),
    sendWebhooks(parts.sender),
    endOrphanedDeliveries(parts.deliveryQueue),
    forgetOldDeliveries(parts.deliveryQueue, clock),
    ...(vectorIndexes ? [buildVectorIndexes(vectorIndexes)] : []),
    purgeIdempotencyKeys(postgres, clock),
    removeOrphanedFiles(parts),
    ...(parts.embedded ? [maintainEmbeddedPostgres(postgres)] : []),
  ];
}

function createConnectorJobs(parts: Parts, services: Services): readonly Job[] {
  const queue = new SyncQueue(parts);
  const pages = new PageStore({ ...parts, queue, ingest: services.ingest });
  const cleanup = new ItemCleanup({ ...parts, deletion: services.deletion });
  return [
    syncConnectors(queue, new SyncRun({ ...parts, sessions: parts.providerSessions, queue, pages })),
    removeGoneItems(cleanup),
    applyConnectorAcls(cleanup),
    purgeConnectors(cleanup, parts.wake),
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
    pipeline: new IndexingPipeline({
      ...parts,
      ...stores,
      indexingStatus,
      graphsLater: completer !== undefined,
    }),
    storage: new Dependency({ ...parts, name: 'storage', errorCode: 'E6001' }),
    originals: new Dependency({
      ...parts,
      name: 'storage of files',
      errorCode: 'E6001',
      probe: (signal) => parts.originals.probe(signal),
    }),
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
