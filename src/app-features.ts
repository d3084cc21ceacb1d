import { AccountsService } from './accounts/accounts.service.js';
import { ApiKeysService } from './accounts/api-keys.service.js';
import { IdempotencyService } from './accounts/idempotency.service.js';
import { RateLimiter } from './accounts/rate-limiter.js';
import type { Groundwork } from './app-groundwork.js';
import { ConnectorsService } from './connectors/management/connectors.service.js';
import { ProviderList } from './connectors/management/provider-list.js';
import { ProviderSessions } from './connectors/provider-sessions.js';
import { ConnectorResourcesService } from './connectors/resources/connector-resources.service.js';
import { rereadCollection } from './connectors/resources/resource-store.queries.js';
import { ConnectorSyncsService } from './connectors/sync/connector-syncs.service.js';
import { CollectionsService } from './databases/collections.service.js';
import { DatabasesService } from './databases/databases.service.js';
import { MetadataSchemaService } from './databases/metadata-schema.service.js';
import { ReembeddingService } from './databases/reembedding.service.js';
import { ScopePrefetch } from './databases/scope-prefetch.js';
import { EntitiesService } from './graph/entities/entities.service.js';
import { ListedRelations } from './graph/relations/listed-relations.js';
import { RelationsService } from './graph/relations/relations.service.js';
import { StoredGraph } from './graph/stored/stored-graph.js';
import { SubgraphService } from './graph/subgraph/subgraph.service.js';
import { ContentLinks } from './ingestion/content/content-links.js';
import { ChunksService } from './ingestion/content/chunks.service.js';
import { ContentService } from './ingestion/content/content.service.js';
import { EmbeddingCache } from './ingestion/embedding-cache.js';
import { ItemFinder } from './ingestion/content/item-finder.js';
import { MemoryService } from './ingestion/memories/memory.service.js';
import { StoredMetadataVectors } from './ingestion/metadata-vectors.js';
import { openOcrData } from './ingestion/parsers/ocr/ocr-data.js';
import { parserFor } from './ingestion/parsers/parsers.js';
import { PreparePool } from './ingestion/preparation/prepare-pool.js';
import { HttpClient } from './lib/http-client.js';
import { FeedbackService } from './retrieval/feedback.service.js';
import { QueryLog } from './retrieval/query-log.js';
import { QueryEmbedder } from './retrieval/question/query-embedder.js';
import { QueryRewriter } from './retrieval/question/query-rewriter.js';
import { Reranking } from './retrieval/ranking/reranking.js';
import { Resident, residentDefaults } from './retrieval/resident/resident.js';
import { SearchService } from './retrieval/search.service.js';
import { DeletionService } from './sources/deletion/deletion.service.js';
import { IngestService } from './sources/ingest/ingest.service.js';
import { QueueRoom } from './sources/ingest/queue-room.js';
import { SourceListService } from './sources/lists/source-list.service.js';
import { SourceMetadataService } from './sources/metadata/source-metadata.service.js';
import { IndexingQueue } from './sources/status/indexing-queue.js';
import { IndexingStatusService } from './sources/status/indexing-status.service.js';
import { StatusFeed } from './sources/status/status-feed.js';
import { DeliveriesService } from './webhooks/deliveries.service.js';
import { insertDeliveriesSql } from './webhooks/delivery-outbox.js';
import { DeliveryQueue } from './webhooks/delivery-queue.js';
import { DeliverySender, senderDefaults } from './webhooks/delivery-sender.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

// A query whose embedding takes longer is better answered by words alone.
const queryEmbeddingMsMax = 2000;
const rewritingMsMax = 2000;
const rerankingMsMax = 1500;

/** All features: services, and what jobs, other features and shutdown need of them. */
export type Features = Awaited<ReturnType<typeof createFeatures>>;
type Accounts = ReturnType<typeof createAccounts>;
type Databases = ReturnType<typeof createDatabases>;
type Sources = ReturnType<typeof createSources>;
type Preparation = Awaited<ReturnType<typeof createPreparation>>;

/**
 * Creates the features in their order, each from those before it. @throws StartupError with one clear line
 */
export async function createFeatures(ground: Groundwork) {
  // Parts of later features that earlier ones are given.
  const statusFeed = new StatusFeed(ground.base);
  const preparation = await createPreparation(ground);

  const accounts = createAccounts(ground);
  const databases = createDatabases(ground, accounts, statusFeed);
  const sources = createSources(ground, databases, { ...preparation, statusFeed });
  const graph = createGraph(ground, databases, preparation);
  const ingestion = { ...preparation, ...createReads(ground, databases, sources) };
  const retrieval = createRetrieval(ground, accounts, databases);
  const connectors = createConnectors(ground, accounts, databases);
  const webhooks = createWebhooks(ground);
  return { accounts, databases, sources, graph, ingestion, retrieval, connectors, webhooks };
}

function createAccounts({ config, base }: Groundwork) {
  const { planDeprecatedUrl } = config;
  const prefetch = new ScopePrefetch();
  return {
    prefetch,
    accounts: new AccountsService({ ...base, planDeprecatedUrl, prefetch }),
    apiKeys: new ApiKeysService(base),
    rateLimiter: new RateLimiter(base),
    idempotency: new IdempotencyService(base),
  };
}

function createDatabases({ config, base, models }: Groundwork, { prefetch }: Accounts, watchers: StatusFeed) {
  const { embedder } = models;
  const { databasesMax } = config;
  const databases = new DatabasesService({ ...base, embedder, databasesMax, watchers });
  return {
    databases,
    collections: new CollectionsService({ ...base, databases, prefetch, onDeleted: rereadCollection }),
    metadataSchema: new MetadataSchemaService({ ...base, databases }),
    reembedding: new ReembeddingService({ ...base, databases, embedder }),
  };
}

function createSources(
  { config, base, files }: Groundwork,
  { databases, collections }: Databases,
  { metadataVectors, statusFeed }: Pick<Preparation, 'metadataVectors'> & { readonly statusFeed: StatusFeed },
) {
  const outbox = insertDeliveriesSql;
  const common = { ...base, databases, collections };
  return {
    queue: new IndexingQueue({ ...base, outbox }),
    statusFeed,
    ingest: new IngestService({
      ...common,
      ...files,
      statusFeed,
      room: new QueueRoom({ ...base, queuedMax: config.queuedMax }),
      outbox,
      isSupported: (filename, contentType) => parserFor(filename, contentType) !== undefined,
    }),
    indexingStatus: new IndexingStatusService({
      ...common,
      statusFeed,
      outbox,
      onChanged: () => base.wake('send-webhooks'),
    }),
    sourceList: new SourceListService(common),
    sourceMetadata: new SourceMetadataService({ ...common, metadataVectors }),
    deletion: new DeletionService(common),
  };
}

function createGraph({ base }: Groundwork, { collections }: Databases, { preparePool }: Preparation) {
  const common = { ...base, collections };
  const relations = new RelationsService(common);
  return {
    graph: new StoredGraph({ ...base, extract: (input) => preparePool.extractGraph(input) }),
    relations,
    listedRelations: new ListedRelations(relations),
    subgraph: new SubgraphService(common),
    entities: new EntitiesService(common),
  };
}

/** What items are prepared with before they are stored. */
async function createPreparation({ config, base, models, files, overrides }: Groundwork) {
  const { ocrLanguages, dataDir } = config;
  const embeddings = new EmbeddingCache(base);
  return {
    embeddings,
    metadataVectors: new StoredMetadataVectors({ ...base, ...models, embeddings }),
    preparePool: new PreparePool({
      parsing: { ocrLanguages, ocrDataDir: await openOcrData(ocrLanguages, dataDir) },
      newSpoolPath: () => files.uploads.newPath(),
      sharedChildren: overrides.prepareChildren,
    }),
  };
}

/** Reads of what is stored of an item. */
function createReads({ base, files }: Groundwork, { collections }: Databases, { sourceList }: Sources) {
  const items = new ItemFinder({ ...base, collections });
  return {
    content: new ContentService({ ...base, ...files, items, contentLinks: new ContentLinks(base) }),
    chunks: new ChunksService({ ...base, items }),
    memories: new MemoryService({ ...base, sourceList }),
  };
}

function createRetrieval(
  { config, base, models, exactRowsMax, overrides }: Groundwork,
  { rateLimiter }: Accounts,
  { databases, collections }: Databases,
) {
  /**
   * How long a model may take for a query: this long at most, and no more than this share of the query's
   * deadline.
   */
  const atMost = (ms: number, share: number) => Math.ceil(Math.min(ms, config.queryTimeoutMs * share));
  const queryLog = new QueryLog(base);
  const resident = new Resident(base, { ...residentDefaults, ...overrides.resident });
  return {
    queryLog,
    resident,
    feedback: new FeedbackService({ ...base, databases, rateLimiter, queryLog }),
    search: new SearchService({
      ...base,
      collections,
      queryLog,
      resident,
      exactRowsMax,
      queryEmbedder: new QueryEmbedder({
        ...base,
        ...models,
        queryEmbeddingMsMax: atMost(queryEmbeddingMsMax, 1 / 2),
      }),
      queryRewriter: new QueryRewriter({ ...base, ...models, rewritingMsMax: atMost(rewritingMsMax, 1 / 4) }),
      reranking: new Reranking({ ...base, ...models, rerankingMsMax: atMost(rerankingMsMax, 1 / 4) }),
    }),
  };
}

function createConnectors(
  { config, base, providers, secretBox }: Groundwork,
  { accounts }: Accounts,
  { databases }: Databases,
) {
  const { role, credentialsKeys, connectorsMax, syncsPerDayMax } = config;
  const providerSessions = new ProviderSessions({
    ...base,
    secretBox,
    providers,
    connectors: config.connectors,
  });
  const common = { ...base, databases, providerSessions, syncsPerDayMax };
  return {
    providerSessions,
    connectorProviders: new ProviderList(providerSessions),
    connectors: new ConnectorsService({
      ...common,
      connectorsMax,
      // A key that is kept in DATA_DIR belongs to one process; where roles are split there are other
      // processes.
      sealsCredentials: role === 'all' || credentialsKeys.length > 0,
    }),
    connectorResources: new ConnectorResourcesService(common),
    connectorSyncs: new ConnectorSyncsService({ ...common, isValid: (caller) => accounts.isValid(caller) }),
  };
}

function createWebhooks({ config, base, secretBox, overrides }: Groundwork) {
  const settings = { ...senderDefaults, ...overrides.webhooks };
  const deliveryQueue = new DeliveryQueue(base);
  // Receivers of several accounts may be on one host: none waits for another's connection.
  const connectionsPerHostMax = settings.attemptsMax;
  const http = new HttpClient({ allowPrivate: config.webhookAllowPrivate, connectionsPerHostMax });
  const headerPrefix = config.webhookHeaderPrefix;
  const sender = new DeliverySender({
    ...base,
    ...settings,
    queue: deliveryQueue,
    http,
    secretBox,
    headerPrefix,
  });
  return {
    deliveryQueue,
    sender,
    webhooks: new WebhooksService({ ...base, http, secretBox, sender }),
    deliveries: new DeliveriesService(base),
  };
}
