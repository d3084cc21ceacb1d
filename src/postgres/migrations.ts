import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { packageRoot } from '../lib/package-root.js';
import { StartupError } from '../lib/startup-error.js';
import { query, tableExists } from './query.js';

const folder = join(packageRoot, 'migrations');
const filePattern = /^(\d{13})-([a-z0-9-]+)\.up\.sql$/;
// Arbitrary; no other advisory lock uses it.
const advisoryLock = 7_205_759_403;

type MigrationClass = new () => MigrationInterface;

/** One TypeORM migration per pair of SQL files, in the order of their timestamps. */
export function loadMigrations(): MigrationClass[] {
  return readdirSync(folder)
    .filter((file) => filePattern.test(file))
    .sort()
    .map(migrationFromFile);
}

function migrationFromFile(file: string): MigrationClass {
  const [, timestamp = '', name = ''] = filePattern.exec(file) ?? [];
  const read = (direction: 'up' | 'down') =>
    readFileSync(join(folder, `${timestamp}-${name}.${direction}.sql`), 'utf8');
  return class implements MigrationInterface {
    name = `${name}${timestamp}`;
    // A migration that commits on its way cannot run in a transaction.
    transaction = !/^\s*commit;/m.test(read('up'));
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(read('up'));
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(read('down'));
    }
  };
}

/**
 * Brings the schema up to date; processes that start together wait for one another.
 * @throws StartupError when the schema is newer than this code.
 */
export async function migrate(postgres: DataSource): Promise<void> {
  const lock = postgres.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [advisoryLock]);
    await refuseNewerSchema(postgres);
    await postgres.runMigrations();
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [advisoryLock]).catch(() => undefined);
    await lock.release();
  }
}

async function refuseNewerSchema(postgres: DataSource): Promise<void> {
  if (!(await tableExists(postgres.manager, 'migrations'))) return;
  const known = new Set(postgres.migrations.map((migration) => migration.name));
  const applied = await query<{ name: string }>(postgres.manager, 'select name from migrations order by id');
  const unknown = applied.filter((row) => !known.has(row.name));
  if (unknown.length > 0) {
    const names = unknown.map((row) => row.name).join(', ');
    throw new StartupError(
      `the schema of this Postgres is newer than this server (unknown: ${names}); update the server`,
    );
  }
}
