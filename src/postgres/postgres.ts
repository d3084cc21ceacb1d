import { DataSource } from 'typeorm';
import type { EntityTarget } from 'typeorm';
import type pg from 'pg';
import type { Config } from '../config.js';
import { StartupError } from '../lib/startup-error.js';
import { startEmbeddedPostgres } from './embedded.js';
import { loadMigrations, migrate } from './migrations.js';
import { errorCodeOf, queryOne } from './query.js';

const connectionsMax = 10;
const postgresVersionMin = 150_000;
const pgvectorVersionMin = [0, 8] as const;

export interface Postgres {
  readonly dataSource: DataSource;
  /** The pool behind the data source, shared with Agenda. */
  readonly pool: pg.Pool;
  readonly embedded: boolean;
  /** Resolves with an error when the embedded engine dies; never on a native Postgres. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Connects to DATABASE_URL or starts the embedded Postgres of the data directory, and migrates.
 * @throws StartupError with one clear line when that cannot be done.
 */
export async function openPostgres(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  entities: EntityTarget<object>[],
): Promise<Postgres> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir);
  const address = embedded
    ? { host: embedded.socketFolder, port: 5432, username: 'postgres', database: 'postgres' }
    : { url: config.databaseUrl ?? '' };
  const dataSource = new DataSource({
    type: 'postgres',
    ...address,
    entities: entities as [],
    migrations: loadMigrations(),
    installExtensions: false,
    poolSize: connectionsMax,
    extra: { connectionTimeoutMillis: 10_000 },
  });
  try {
    await connect(dataSource);
    if (!embedded) await checkVersions(dataSource);
    await migrate(dataSource);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
    throw error;
  }
  return {
    dataSource,
    pool: (dataSource.driver as unknown as { master: pg.Pool }).master,
    embedded: embedded !== undefined,
    failed: embedded?.failed ?? new Promise<Error>(() => undefined),
    close: async () => {
      await dataSource.destroy();
      await embedded?.stop();
    },
  };
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
