import { DataSource } from 'typeorm';
import type { EntityTarget } from 'typeorm';
import pg from 'pg';
import type { Config } from '../config.js';
import { StartupError } from '../lib/startup-error.js';
import { DataDirectoryInUse } from './data-directory-lock.js';
import { embeddedSocketFolder, startEmbeddedPostgres } from './embedded.js';
import type { EmbeddedPostgres } from './embedded.js';
import { loadMigrations, migrate } from './migrations.js';
import { keepPlans } from './prepared-statements.js';
import { allowCancelling, errorCodeOf, queryOne } from './query.js';
import { patchRowParsing } from './result-rows.js';
import { registerTimestampParser } from './timestamps.js';
import { endSilentConnection } from './watched-client.js';

const connectionsMax = 10;
const postgresVersionMin = 150_000;
const pgvectorVersionMin = [0, 8] as const;

export interface Postgres {
  readonly dataSource: DataSource;
  /** The pool behind the data source, shared with Agenda. */
  readonly pool: pg.Pool;
  readonly embedded: boolean;
  /** Makes a connection outside of the pool, for work of minutes; undefined on the embedded Postgres. */
  readonly openSession: (() => Promise<pg.Client>) | undefined;
  /** Resolves with an error when the embedded engine dies; never on a native Postgres. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

interface OpenOptions {
  /** Join the embedded Postgres of a server that runs on the data directory: for command line tools. */
  readonly joinRunning?: boolean;
}

/**
 * Connects to DATABASE_URL or starts the embedded Postgres of the data directory, and migrates.
 * @throws StartupError with one clear line when that cannot be done.
 */
export async function openPostgres(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'statementTimeoutMs'>>,
  entities: EntityTarget<object>[],
  { joinRunning = false }: OpenOptions = {},
): Promise<Postgres> {
  registerTimestampParser();
  patchRowParsing();
  const embedded = config.databaseUrl ? undefined : await startOrJoin(config.dataDir, joinRunning);
  const joined = embedded === 'joined';
  const engine = joined ? undefined : embedded;
  const address = embedded
    ? { host: embeddedSocketFolder(config.dataDir), port: 5432, username: 'postgres', database: 'postgres' }
    : { url: config.databaseUrl ?? '' };
  // Migrations may take long; the embedded engine answers or ends with this process.
  let statementMsMax: number | undefined;
  const dataSource = new DataSource({
    type: 'postgres',
    ...address,
    entities: entities as [],
    migrations: loadMigrations(),
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: connectionsMax,
    extra: {
      connectionTimeoutMillis: 10_000,
      onConnect: async (client: pg.PoolClient) => {
        if (!embedded) keepPlans(client);
        endSilentConnection(client, () => statementMsMax);
        // Compiling a statement that looks dear takes half a second, and it runs for milliseconds.
        if (!embedded) await client.query('set jit = off');
      },
    },
  });
  try {
    await connect(dataSource);
    if (!embedded) await checkVersions(dataSource);
    // The server that is joined has migrated already.
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

/** A connection of its own, made when it is first needed: the pool may be full of what is to be cancelled. */
function openCanceller(dataSource: DataSource, connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000 });
  // An idle connection that dies is replaced by the next use.
  pool.on('error', () => undefined);
  allowCancelling(dataSource, (processId) => pool.query('select pg_cancel_backend($1)', [processId]));
  return pool;
}

function sessionOpener(connectionString: string): () => Promise<pg.Client> {
  return async () => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
    // Of a connection that is lost the statement under way tells.
    client.on('error', () => undefined);
    await client.connect();
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
    // The message of pg names host, user or database, never the password.
    const reason = error instanceof Error && error.message ? error.message : String(errorCodeOf(error));
    throw new StartupError(`cannot connect to Postgres (DATABASE_URL): ${reason}`);
  }
}

async function checkVersions(dataSource: DataSource): Promise<void> {
  const row = await queryOne<{ server: number; pgvector: string | null }>(
    dataSource.manager,
    `select current_setting('server_version_num')::int as server,
            (select default_version from pg_available_extensions where name = 'vector') as pgvector`,
  );
  if ((row?.server ?? 0) < postgresVersionMin) throw new StartupError('Postgres 15 or newer is required');
  if (!row?.pgvector) {
    throw new StartupError(
      'pgvector is not installed on this Postgres: install pgvector 0.8 or newer on its host',
    );
  }
  const [major = 0, minor = 0] = row.pgvector.split('.').map(Number);
  if (major === pgvectorVersionMin[0] && minor < pgvectorVersionMin[1]) {
    throw new StartupError(`pgvector ${row.pgvector} is too old: 0.8 or newer is required`);
  }
}
