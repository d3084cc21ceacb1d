import pg from 'pg';
import { DataSource } from 'typeorm';
import type { EntityTarget } from 'typeorm';
import type { Config } from '../config.js';
import { StartupError } from '../lib/startup-error.js';
import { DataDirectoryInUse } from './data-directory-lock.js';
import { embeddedSocketFolder, startEmbeddedPostgres } from './embedded.js';
import type { EmbeddedPostgres } from './embedded.js';
import { loadMigrations, migrate } from './migrations.js';
import { keepPlans } from './prepared-statements.js';
import { allowCancelling, errorCodeOf } from './query.js';
import { patchRowParsing } from './result-rows.js';
import { checkServer } from './server-requirements.js';
import { applySessionSettings } from './session-settings.js';
import { registerTimestampParser } from './timestamps.js';
import { endSilentConnection } from './watched-client.js';

// They take turns: the engine has one backend.
const poolSizeEmbedded = 10;
const everyConnection = {
  connectionTimeoutMillis: 10_000,
  // What pg_stat_activity calls them, unless DATABASE_URL says it.
  fallback_application_name: 'contexture',
} as const;

export interface Postgres {
  readonly dataSource: DataSource;
  /** The pool behind the data source, shared with Agenda. */
  readonly pool: pg.Pool;
  readonly embedded: boolean;
  /** Opens a connection outside of the pool, for work of minutes; undefined on the embedded Postgres. */
  readonly openSession: (() => Promise<pg.Client>) | undefined;
  /** Resolves with an error if the embedded engine dies; never on a native Postgres. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

interface OpenOptions {
  /**
   * Connects to the embedded Postgres of a server that is running on the data directory; for command line
   * tools.
   */
  readonly joinRunning?: boolean;
}

/**
 * Connects to DATABASE_URL, or starts the embedded Postgres of the data directory; then migrates. @throws
 * StartupError with one clear line when that cannot be done
 */
export async function openPostgres(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePoolSize'> &
    Partial<Pick<Config, 'statementTimeoutMs'>>,
  entities: EntityTarget<object>[],
  { joinRunning = false }: OpenOptions = {},
): Promise<Postgres> {
  registerTimestampParser();
  patchRowParsing();
  const embedded = config.databaseUrl ? undefined : await startOrJoin(config.dataDir, joinRunning);
  const joined = embedded === 'joined';
  const engine = joined ? undefined : embedded;
  // Not limited yet: migrations may take long, and the embedded engine answers or ends with this process.
  let statementMsMax: number | undefined;
  const dataSource = createDataSource(config, entities, () => statementMsMax);
  try {
    await connect(dataSource);
    if (!embedded) await checkServer(dataSource);
    // A server that is joined has already migrated.
    if (!joined) await migrate(dataSource);
    if (!embedded) statementMsMax = config.statementTimeoutMs;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await engine?.stop();
    throw error;
  }
  const canceller = config.databaseUrl ? openCanceller(dataSource, config.databaseUrl) : undefined;
  return {
    dataSource,
    pool: (dataSource.driver as unknown as { master: pg.Pool }).master,
    embedded: embedded !== undefined,
    openSession: config.databaseUrl ? sessionOpener(config.databaseUrl) : undefined,
    failed: engine?.failed ?? new Promise<Error>(() => undefined),
    close: async () => {
      await canceller?.end();
      await dataSource.destroy();
      await engine?.stop();
    },
  };
}

/** Connects to nothing yet. `statementMsMax` is asked at each statement; undefined: it may take any time. */
function createDataSource(
  { databaseUrl, dataDir, databasePoolSize }: Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePoolSize'>,
  entities: EntityTarget<object>[],
  statementMsMax: () => number | undefined,
): DataSource {
  const isNative = databaseUrl !== undefined;
  const address = isNative
    ? { url: databaseUrl }
    : { host: embeddedSocketFolder(dataDir), port: 5432, username: 'postgres', database: 'postgres' };
  return new DataSource({
    type: 'postgres',
    // Else TypeORM looks for it: beside the bundled server that is another copy, of which nothing is patched.
    driver: pg,
    ...address,
    entities: entities as [],
    migrations: loadMigrations(),
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: isNative ? databasePoolSize : poolSizeEmbedded,
    extra: {
      // Sends a statement before the previous one has been answered: see inSnapshot.
      pipeline: true,
      ...everyConnection,
      onConnect: async (client: pg.PoolClient) => {
        // The statement under way reports a lost connection. Pool and TypeORM listen by turns, and while a
        // client is handed on neither does: unheard, the error would end the process.
        client.on('error', () => undefined);
        if (isNative) keepPlans(client);
        endSilentConnection(client, statementMsMax);
        if (isNative) await applySessionSettings(client);
      },
    },
  });
}

/**
 * A connection of its own, opened when first needed: the pool may be full of the very statements to cancel.
 */
function openCanceller(dataSource: DataSource, connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, ...everyConnection });
  // An idle connection that dies is replaced at the next use.
  pool.on('error', () => undefined);
  allowCancelling(dataSource, (processId) => pool.query('select pg_cancel_backend($1)', [processId]));
  return pool;
}

function sessionOpener(connectionString: string): () => Promise<pg.Client> {
  return async () => {
    const client = new pg.Client({ connectionString, ...everyConnection });
    // The statement under way reports a lost connection.
    client.on('error', () => undefined);
    await client.connect();
    await applySessionSettings(client);
    return client;
  };
}

async function startOrJoin(dataDir: string, joinRunning: boolean): Promise<EmbeddedPostgres | 'joined'> {
  try {
    return await startEmbeddedPostgres(dataDir);
  } catch (error) {
    if (joinRunning && error instanceof DataDirectoryInUse) return 'joined';
    throw error;
  }
}

async function connect(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    // pg's message names the host, user or database, never the password.
    const reason = error instanceof Error && error.message ? error.message : String(errorCodeOf(error));
    throw new StartupError(`cannot connect to Postgres (DATABASE_URL): ${reason}`);
  }
}
