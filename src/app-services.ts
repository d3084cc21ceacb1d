import { AccountsService } from './accounts/accounts.service.js';
import { ApiKeysService } from './accounts/api-keys.service.js';
import { IdempotencyService } from './accounts/idempotency.service.js';
import { RateLimiter } from './accounts/rate-limiter.js';
import type { Parts } from './app-parts.js';
import { ConnectorResourcesService } from './connectors/connector-resources.service.js';
import { ConnectorSyncsService } from './connectors/connector-syncs.service.js';
import { ConnectorsService } from './connectors/connectors.service.js';
import { readCollectionAnew } from './connectors/resource-store.queries.js';
import { ProviderList } from './connectors/provider-list.js';
import { CollectionsService } from './databases/collections.service.js';
import { DatabasesService } from './databases/databases.service.js';
import { ReembeddingService } from './databases/reembedding.service.js';
import { ScopeForesight } from './databases/scope-foresight.js';
import { MetadataSchemaService } from './databases/metadata-schema.service.js';
import { EntitiesService } from './graph/entities.service.js';
import { ListedRelations } from './graph/listed-relations.js';
import { RelationsService } from './graph/relations.service.js';
import { SubgraphService } from './graph/subgraph.service.js';
import { ContentLinks } from './ingestion/content-links.js';
import { ContentService } from './ingestion/content.service.js';
import { MemoryService } from './ingestion/memory.service.js';
import { parserFor } from './ingestion/parsers/parsers.js';
import { FeedbackService } from './retrieval/feedback.service.js';
import { QueryEmbedder } from './retrieval/query-embedder.js';
import { QueryLog } from './retrieval/query-log.js';
import { QueryRewriter } from './retrieval/query-rewriter.js';
import { Reranking } from './retrieval/reranking.js';
import type { Resident } from './retrieval/resident.js';
import { SearchService } from './retrieval/search.service.js';
import { DeletionService } from './sources/deletion.service.js';
import { IndexingStatusService } from './sources/indexing-status.service.js';
import { IngestService } from './sources/ingest.service.js';
import { SourceListService } from './sources/source-list.service.js';
import { SourceMetadataService } from './sources/source-metadata.service.js';
import { StatusFeed } from './sources/status-feed.js';
import type { UploadSpool } from './storage/upload-spool.js';
import { DeliveriesService } from './webhooks/deliveries.service.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

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
  readonly memories: MemoryService;
  readonly relations: RelationsService;
  readonly subgraph: SubgraphService;
  readonly entities: EntitiesService;
  readonly listedRelations: ListedRelations;
  readonly search: SearchService;
  readonly resident: Resident;
  readonly feedback: FeedbackService;
  readonly queryLog: QueryLog;
  readonly statusFeed: StatusFeed;
  readonly uploads: UploadSpool;
  readonly connectors: ConnectorsService;
  readonly connectorResources: ConnectorResourcesService;
  readonly connectorSyncs: ConnectorSyncsService;
  readonly connectorProviders: ProviderList;
  readonly webhooks: WebhooksService;
  readonly deliveries: DeliveriesService;
}

export function createServices(parts: Parts): Services {
  const foresight = new ScopeForesight();
  const accounts = new AccountsService({ ...parts, foresight });
  const statusFeed = new StatusFeed(parts);
  const databases = new DatabasesService({ ...parts, watchers: statusFeed });
  const collections = new CollectionsService({
    ...parts,
    databases,
    foresight,
    onDeleted: readCollectionAnew,
  });
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
    reembedding: new ReembeddingService({ ...parts, databases }),
    metadataSchema: new MetadataSchemaService({ ...parts, databases }),
    collections,
    statusFeed,
    uploads: parts.uploads,
    indexingStatus: new IndexingStatusService({ ...shared, onChanged: () => parts.wake('send-webhooks') }),
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
    search: new SearchService({
      ...shared,
      queryEmbedder: new QueryEmbedder(parts),
      queryRewriter: new QueryRewriter(parts),
      reranking: new Reranking(parts),
    }),
    resident: parts.resident,
    connectors: new ConnectorsService(shared),
    connectorResources: new ConnectorResourcesService(shared),
    connectorSyncs: new ConnectorSyncsService({ ...parts, isValid: (caller) => accounts.isValid(caller) }),
    connectorProviders: new ProviderList(parts.providerSessions),
    webhooks: new WebhooksService(parts),
    deliveries: new DeliveriesService(parts),
  };
}
