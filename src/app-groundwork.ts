import type { DataSource } from 'typeorm';
import type { Config } from './config.js';
import type { Provider } from './connectors/provider.js';
import { storedDimensions } from './databases/stored-dimensions.js';
import { createCompleter } from './inference/completers.js';
import type { Embedder } from './inference/embedder.js';
import { Embedders, createEmbedder } from './inference/embedders.js';
import { createReranker } from './inference/rerankers.js';
import type { Wake } from './jobs/define-job.js';
import type { ChildPool } from './lib/child-pool.js';
import type { Clock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import { openSecretBox } from './lib/secret-box.js';
import { DatabaseClock } from './postgres/database-clock.js';
import type { Postgres } from './postgres/postgres.js';
import { exactRowsMaxDefault } from './postgres/vector-index.js';
import type { residentDefaults } from './retrieval/resident/resident.js';
import { openOriginals } from './storage/open-originals.js';
import { UploadSpool } from './storage/upload-spool.js';
import type { senderDefaults } from './webhooks/delivery-sender.js';

/** What tests may replace. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly embedder?: Embedder;
  /** Up to how many rows a search scans exactly. */
  readonly exactRowsMax?: number;
  /** Which forms the copies of stores in memory take. */
  readonly resident?: Partial<typeof residentDefaults>;
  /** The child processes that prepare items, shared by several servers in turn. */
  readonly prepareChildren?: ChildPool;
  /** Used instead of the built-in providers. */
  readonly connectorProviders?: readonly Provider[];
  /** How long a receiver of webhooks may take, and how many are waited for at a time. */
  readonly webhooks?: Partial<typeof senderDefaults>;
}

/** What nearly everything is given. */
interface Base {
  readonly postgres: DataSource;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly openSession: Postgres['openSession'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly wake: Wake;
}

/** What features are built on: configuration, Postgres, models, files and the box of secrets. */
export type Groundwork = Awaited<ReturnType<typeof createGroundwork>>;

/** Opens what features are built on. @throws StartupError with one clear line */
export async function createGroundwork(
  config: Config,
  overrides: AppOverrides,
  opened: {
    readonly postgres: Postgres;
    readonly logger: Logger;
    readonly providers: readonly Provider[];
    readonly wake: Wake;
  },
) {
  const { dataSource, embedded, openSession } = opened.postgres;
  const { logger, providers, wake } = opened;
  const databaseClock = new DatabaseClock({ postgres: dataSource, logger });
  if (!overrides.clock) await databaseClock.start();
  const clock = overrides.clock ?? databaseClock;
  const base: Base = { postgres: dataSource, embedded, openSession, clock, logger, wake };
  return {
    config,
    overrides,
    providers,
    base,
    databaseClock,
    models: await createModels(config, overrides, base),
    files: await openFiles(config),
    secretBox: openSecretBox(config.credentialsKeys, config.dataDir),
    exactRowsMax: overrides.exactRowsMax ?? exactRowsMaxDefault,
  };
}

async function createModels(config: Config, overrides: AppOverrides, { postgres, logger }: Base) {
  const knownDimensions = async (model: string, err: string) => {
    const dimensions = await storedDimensions(postgres, model);
    if (dimensions !== undefined)
      logger.warn({ err }, 'until the embedding provider answers, items wait and searches are by words');
    return dimensions;
  };
  const embedder = overrides.embedder ?? (await createEmbedder(config, knownDimensions));
  return {
    /** The configured embedder. */
    embedder,
    embedders: new Embedders(embedder),
    /** Undefined when rules extract facts and graphs. */
    completer: await createCompleter(config),
    reranker: createReranker(config),
  };
}

async function openFiles(config: Config) {
  const uploads = new UploadSpool(config.dataDir);
  await uploads.prepare();
  return { uploads, originals: await openOriginals(config, uploads) };
}
