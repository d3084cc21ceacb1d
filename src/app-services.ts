import type { AccountsService } from './accounts/accounts.service.js';
import type { ApiKeysService } from './accounts/api-keys.service.js';
import type { IdempotencyService } from './accounts/idempotency.service.js';
import type { RateLimiter } from './accounts/rate-limiter.js';
import type { Features } from './app-features.js';
import type { Groundwork } from './app-groundwork.js';
import type { ConnectorsService } from './connectors/management/connectors.service.js';
import type { ProviderList } from './connectors/management/provider-list.js';
import type { ConnectorResourcesService } from './connectors/resources/connector-resources.service.js';
import type { ConnectorSyncsService } from './connectors/sync/connector-syncs.service.js';
import type { CollectionsService } from './databases/collections.service.js';
import type { DatabasesService } from './databases/databases.service.js';
import type { MetadataSchemaService } from './databases/metadata-schema.service.js';
import type { ReembeddingService } from './databases/reembedding.service.js';
import type { EntitiesService } from './graph/entities/entities.service.js';
import type { ListedRelations } from './graph/relations/listed-relations.js';
import type { RelationsService } from './graph/relations/relations.service.js';
import type { SubgraphService } from './graph/subgraph/subgraph.service.js';
import type { ChunksService } from './ingestion/content/chunks.service.js';
import type { ContentService } from './ingestion/content/content.service.js';
import type { MemoryService } from './ingestion/memories/memory.service.js';
import type { FeedbackService } from './retrieval/feedback.service.js';
import type { Resident } from './retrieval/resident/resident.js';
import type { SearchService } from './retrieval/search.service.js';
import type { DeletionService } from './sources/deletion/deletion.service.js';
import type { IngestService } from './sources/ingest/ingest.service.js';
import type { SourceListService } from './sources/lists/source-list.service.js';
import type { SourceMetadataService } from './sources/metadata/source-metadata.service.js';
import type { IndexingStatusService } from './sources/status/indexing-status.service.js';
import type { StatusFeed } from './sources/status/status-feed.js';
import type { UploadSpool } from './storage/upload-spool.js';
import type { DeliveriesService } from './webhooks/deliveries.service.js';
import type { WebhooksService } from './webhooks/webhooks.service.js';

/** What resolvers may call. */
export interface Services {
  readonly accounts: AccountsService;
  readonly apiKeys: ApiKeysService;
  readonly rateLimiter: RateLimiter;
  readonly idempotency: IdempotencyService;
  readonly databases: DatabasesService;
  readonly reembedding: ReembeddingService;
  readonly metadataSchema: MetadataSchemaService;
  readonly collections: CollectionsService;
  readonly ingest: IngestService;
  readonly sourceMetadata: SourceMetadataService;
  readonly indexingStatus: IndexingStatusService;
  readonly sourceList: SourceListService;
  readonly deletion: DeletionService;
  readonly content: ContentService;
  readonly chunks: ChunksService;
  readonly memories: MemoryService;
  readonly relations: RelationsService;
  readonly subgraph: SubgraphService;
  readonly entities: EntitiesService;
  readonly listedRelations: ListedRelations;
  readonly search: SearchService;
  readonly resident: Resident;
  readonly feedback: FeedbackService;
  readonly statusFeed: StatusFeed;
  readonly uploads: UploadSpool;
  readonly connectors: ConnectorsService;
  readonly connectorResources: ConnectorResourcesService;
  readonly connectorSyncs: ConnectorSyncsService;
  readonly connectorProviders: ProviderList;
  readonly webhooks: WebhooksService;
  readonly deliveries: DeliveriesService;
}

/** The part of the features that resolvers may call; the rest is hidden from them. */
export function servicesOf(features: Features, { files }: Groundwork): Services {
  const { accounts, databases, sources, graph, ingestion, retrieval, connectors, webhooks } = features;
  return {
    ...accounts,
    ...databases,
    ...sources,
    ...graph,
    ...ingestion,
    ...retrieval,
    ...connectors,
    ...webhooks,
    uploads: files.uploads,
  };
}
