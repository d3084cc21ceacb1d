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
import { allowCancelling, errorCodeOf } from './query.js';
import { patchRowParsing } from './result-rows.js';
import { checkServer } from './server-requirements.js';
import { registerTimestampParser } from './timestamps.js';
import { endSilentConnection } from './watched-client.js';

const connectionsMax = 10;
// Compiling a statement that looks dear takes half a second, and it runs for milliseconds. Dates are read in one form, and
// statements are written for one isolation, whatever a role or a database has as its own.
const sessionSettings = `set jit = off; set datestyle = 'ISO'; set default_transaction_isolation = 'read committed'`;

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
      // A statement is sent though the one before it is not answered: see inSnapshot.
      pipeline: true,
      connectionTimeoutMillis: 10_000,
      onConnect: async (client: pg.PoolClient) => {
        // The statement under way tells of a connection that is lost. Pool and TypeORM listen by turns, and neither does in the
        // moment in which one that is waited for is handed on: unheard it would end the process.
        client.on('error', () => undefined);
        if (!embedded) keepPlans(client);
        endSilentConnection(client, () => statementMsMax);
        if (!embedded) await client.query(sessionSettings);
      },
    },
  });
  try {
    await connect(dataSource);
    if (!embedded) await checkServer(dataSource);
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
