import type { DataSource } from 'typeorm';
import type { Config } from './config.js';
import type { Provider } from './connectors/provider.js';
import { ProviderSessions } from './connectors/provider-sessions.js';
import { StoredGraph } from './graph/stored-graph.js';
import type { Completer } from './inference/completer.js';
import { createCompleter } from './inference/completers.js';
import type { Embedder } from './inference/embedder.js';
import { Embedders, createEmbedder } from './inference/embedders.js';
import type { Reranker } from './inference/reranker.js';
import { createReranker } from './inference/rerankers.js';
import { EmbeddingCache } from './ingestion/embedding-cache.js';
import { StoredMetadataVectors } from './ingestion/metadata-vectors.js';
import { openOcrData } from './ingestion/parsers/ocr/ocr-data.js';
import { PreparePool } from './ingestion/prepare-pool.js';
import type { Wake } from './jobs/define-job.js';
import type { ChildPool } from './lib/child-pool.js';
import { systemClock } from './lib/clock.js';
import type { Clock } from './lib/clock.js';
import { HttpClient } from './lib/http-client.js';
import type { Logger } from './lib/logger.js';
import { openSecretBox } from './lib/secret-box.js';
import type { SecretBox } from './lib/secret-box.js';
import type { Postgres } from './postgres/postgres.js';
import { exactRowsMaxDefault } from './postgres/vector-index.js';
import { Resident, wholeVectorsMaxDefault } from './retrieval/resident.js';
import { IndexingQueue } from './sources/indexing-queue.js';
import type { OutboxSql } from './sources/status-outbox.js';
import { openOriginals } from './storage/open-originals.js';
import type { Originals } from './storage/originals.js';
import { UploadSpool } from './storage/upload-spool.js';
import { insertDeliveriesSql } from './webhooks/delivery-outbox.js';
import { DeliveryQueue } from './webhooks/delivery-queue.js';
import { DeliverySender, senderDefaults } from './webhooks/delivery-sender.js';
import type { SenderOptions } from './webhooks/delivery-sender.js';

// Beyond it words alone are the better answer.
const queryEmbeddingMsMax = 2000;
const rewritingMsMax = 2000;
const rerankingMsMax = 1500;

/** What tests replace. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly embedder?: Embedder;
  /** Rows of a search that are scanned exactly. */
  readonly exactRowsMax?: number;
  /** Bytes of vectors that are kept in memory as they are; beyond, they are sketched. */
  readonly wholeVectorsMax?: number;
  /** Where items are prepared, for several servers in turn. */
  readonly prepareChildren?: ChildPool;
  /** In place of those that there are. */
  readonly connectorProviders?: readonly Provider[];
  /** How long a receiver of webhooks may take, and how many are waited for at a time. */
  readonly webhooks?: Partial<typeof senderDefaults>;
}

/** What there is before the parts. */
interface Groundwork {
  readonly postgres: Postgres;
  readonly logger: Logger;
  readonly providers: readonly Provider[];
  readonly wake: Wake;
}

/** Makes what services and jobs are made of. @throws StartupError with one clear line. */
export async function createParts(
  config: Config,
  overrides: AppOverrides,
  { postgres: { dataSource, embedded, openSession }, logger, providers, wake }: Groundwork,
): Promise<Parts> {
  const clock = overrides.clock ?? systemClock;
  const embedder = overrides.embedder ?? (await createEmbedder(config));
  const completer = await createCompleter(config);
  const uploads = new UploadSpool(config.dataDir);
  await uploads.prepare();
  const originals = await openOriginals(config, uploads);
  const preparePool = await createPreparePool(config, uploads, overrides);
  const embeddings = new EmbeddingCache({ postgres: dataSource, clock });
  const embedders = new Embedders(embedder);
  const delivery = createDelivery(config, { postgres: dataSource, clock, logger, wake }, overrides);
  return {
    ...delivery,
    ...createConnectorParts(config, { ...delivery, postgres: dataSource, clock, providers }),
    databasesMax: config.databasesMax,
    planDeprecatedUrl: config.planDeprecatedUrl,
    indexingHoldHours: config.indexingHoldHours,
    queue: new IndexingQueue({
      postgres: dataSource,
      clock,
      queuedMax: config.queuedMax,
      outbox: insertDeliveriesSql,
    }),
    outbox: insertDeliveriesSql,
    postgres: dataSource,
    embedded,
    openSession,
    exactRowsMax: overrides.exactRowsMax ?? exactRowsMaxDefault,
    clock,
    logger,
    embedder,
    embedders,
    readMsMax: config.queryTimeoutMs,
    queryEmbeddingMsMax: Math.ceil(Math.min(queryEmbeddingMsMax, config.queryTimeoutMs / 2)),
    completer,
    rewritingMsMax: Math.ceil(Math.min(rewritingMsMax, config.queryTimeoutMs / 4)),
    reranker: createReranker(config),
    rerankingMsMax: Math.ceil(Math.min(rerankingMsMax, config.queryTimeoutMs / 4)),
    embeddings,
    metadataVectors: new StoredMetadataVectors({ postgres: dataSource, embeddings, embedders }),
    uploads,
    originals,
    graph: new StoredGraph({
      postgres: dataSource,
      embedded,
      extract: (input) => preparePool.extractGraph(input),
    }),
    preparePool,
    resident: new Resident(
      { postgres: dataSource, clock, logger },
      overrides.wholeVectorsMax ?? wholeVectorsMaxDefault,
    ),
    wake,
  };
}

/** What webhooks are sent with. */
function createDelivery(
  config: Config,
  parts: Pick<SenderOptions, 'clock' | 'logger' | 'wake'> & { postgres: DataSource },
  overrides: AppOverrides,
) {
  const settings = { ...senderDefaults, ...overrides.webhooks };
  const queue = new DeliveryQueue(parts);
  // Receivers of several accounts may share a host: none waits for another's connection.
  const connectionsPerHostMax = settings.attemptsMax;
  const http = new HttpClient({ allowPrivate: config.webhookAllowPrivate, connectionsPerHostMax });
  const secretBox = openSecretBox(config.credentialsKeys, config.dataDir);
  const headerPrefix = config.webhookHeaderPrefix;
  const sender = new DeliverySender({ ...parts, ...settings, queue, http, secretBox, headerPrefix });
  return { http, secretBox, sender, deliveryQueue: queue };
}

/** What connectors are made of. */
function createConnectorParts(
  { connectors, role, credentialsKeys, connectorsMax, syncsPerDayMax }: Config,
  {
    postgres,
    clock,
    secretBox,
    providers,
  }: { postgres: DataSource; clock: Clock; secretBox: SecretBox; providers: readonly Provider[] },
) {
  return {
    providerSessions: new ProviderSessions({
      postgres,
      clock,
      secretBox,
      connectors,
      providers,
    }),
    // The key that is kept in DATA_DIR is that of one process; where roles are split, there are others.
    sealsCredentials: role === 'all' || credentialsKeys.length > 0,
    connectorsMax,
    syncsPerDayMax,
  };
}

/** What services and jobs are made of. */
export interface Parts extends ReturnType<typeof createDelivery>, ReturnType<typeof createConnectorParts> {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The configured one. */
  readonly embedder: Embedder;
  readonly embedders: Embedders;
  /** Deadline of reads. */
  readonly readMsMax: number;
  /** How long a query waits for its vector. */
  readonly queryEmbeddingMsMax: number;
  /** Undefined: rules extract facts and graphs. */
  readonly completer: Completer | undefined;
  /** How long a query waits for the language model. */
  readonly rewritingMsMax: number;
  readonly reranker: Reranker | undefined;
  readonly rerankingMsMax: number;
  readonly embeddings: EmbeddingCache;
  readonly metadataVectors: StoredMetadataVectors;
  readonly uploads: UploadSpool;
  readonly originals: Originals;
  readonly graph: StoredGraph;
  readonly preparePool: PreparePool;
  readonly resident: Resident;
  readonly wake: Wake;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly openSession: Postgres['openSession'];
  readonly exactRowsMax: number;
  readonly databasesMax: number | undefined;
  readonly planDeprecatedUrl: string | undefined;
  readonly indexingHoldHours: number;
  readonly queue: IndexingQueue;
  readonly outbox: OutboxSql;
}

async function createPreparePool(
  { ocrLanguages, dataDir }: Config,
  uploads: UploadSpool,
  { prepareChildren }: AppOverrides,
): Promise<PreparePool> {
  const ocrDataDir = await openOcrData(ocrLanguages, dataDir);
  return new PreparePool({
    parsing: { ocrLanguages, ocrDataDir },
    newSpoolPath: () => uploads.newPath(),
    sharedChildren: prepareChildren,
  });
}
