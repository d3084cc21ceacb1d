import type { DataSource, QueryRunner } from 'typeorm';
import { StartupError } from '../lib/startup-error.js';
import { errorCodeOf, queryOne } from './query.js';

const postgresVersionMin = 150_000;
const pgvectorVersionMin = [0, 8] as const;
// A busy pooler may give a connection the session that it had before by chance.
const sessionRounds = 3;

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
  /** Whether transactions are read-only unless they say otherwise. */
  readonly readOnly: boolean;
  /** The version that would be installed; null when its files are missing. */
  readonly pgvector: string | null;
  /** The version in this database, which an update of the files leaves as it was. */
  readonly pgvectorInstalled: string | null;
  /** The schema it is installed in; null while migrations have yet to install it. */
  readonly pgvectorSchema: string | null;
  /** Whether its types are found without naming the schema. */
  readonly pgvectorVisible: boolean;
  /** Whether the role may use that schema. */
  readonly pgvectorUsable: boolean;
  readonly role: string;
  readonly schema: string | null;
  /** Whether the role may make tables. */
  readonly mayCreate: boolean;
}

/** Checks what the server needs. @throws StartupError naming what this Postgres, or this database, lacks */
export async function checkServer(dataSource: DataSource): Promise<void> {
  await refuseSharedSessions(dataSource);
  const facts = await queryOne<ServerFacts>(
    dataSource.manager,
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
            pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::boolean as "readOnly",
            a.default_version as pgvector, e.extversion as "pgvectorInstalled", e.extnamespace::regnamespace::text as "pgvectorSchema",
            to_regtype('vector') is not null as "pgvectorVisible", has_schema_privilege(e.extnamespace, 'USAGE') as "pgvectorUsable",
            current_user as role, current_schema() as schema,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate"
       from (select 1) one
       left join pg_available_extensions a on a.name = 'vector'
       left join pg_extension e on e.extname = 'vector'`,
  );
  if (!facts) return;
  for (const problem of problemsOf(facts)) throw new StartupError(problem);
  if (facts.pgvectorSchema === null) await install(dataSource, facts);
}

/** By trying: services that run Postgres for others have rules of their own for who may. @throws StartupError */
async function install(dataSource: DataSource, { role }: ServerFacts): Promise<void> {
  await dataSource.query('create extension if not exists vector').catch((error: unknown) => {
    // What else may happen the first migration tells, which does the same.
    if (errorCodeOf(error) !== '42501') return;
    throw new StartupError(
      `pgvector is not installed in the database of DATABASE_URL, and the role "${role}" may not do it: run CREATE EXTENSION vector there as a superuser`,
    );
  });
}

function* problemsOf(facts: ServerFacts): Generator<string> {
  const { version, encoding, standby, readOnly, role, pgvector, pgvectorInstalled } = facts;
  if (version < postgresVersionMin) yield 'Postgres 15 or newer is required';
  // Other encodings cannot hold every text, or do not compare multi-byte characters.
  if (encoding !== 'UTF8')
    yield `the database of DATABASE_URL has the encoding ${encoding}: make one with encoding 'UTF8'`;
  if (standby) yield 'the Postgres of DATABASE_URL is a standby, which accepts no writes: name its primary';
  if (readOnly)
    yield `transactions of the role "${role}" in the database of DATABASE_URL are read-only: set default_transaction_read_only = off for both`;
  if (!pgvector) {
    yield 'pgvector is not installed on this Postgres: install pgvector 0.8 or newer on its host';
    return;
  }
  if (isTooOld(pgvector)) yield `pgvector ${pgvector} is too old: 0.8 or newer is required`;
  if (pgvectorInstalled !== null && isTooOld(pgvectorInstalled))
    yield `pgvector ${pgvectorInstalled} in the database of DATABASE_URL is too old, and its host has ${pgvector}: run ALTER EXTENSION vector UPDATE there`;
  yield* permissionProblemsOf(facts);
}

function isTooOld(pgvector: string): boolean {
  const [major = 0, minor = 0] = pgvector.split('.').map(Number);
  return major === pgvectorVersionMin[0] && minor < pgvectorVersionMin[1];
}

function* permissionProblemsOf(facts: ServerFacts): Generator<string> {
  const { pgvectorSchema, pgvectorVisible, pgvectorUsable, role, schema, mayCreate } = facts;
  if (pgvectorSchema !== null && !pgvectorUsable)
    yield `pgvector is installed in the schema "${pgvectorSchema}", which the role "${role}" may not use: run GRANT USAGE ON SCHEMA "${pgvectorSchema}" TO "${role}"`;
  if (pgvectorSchema !== null && !pgvectorVisible)
    yield `pgvector is installed in the schema ${pgvectorSchema}: add it to the search_path of the role or the database`;
  if (!mayCreate)
    yield `the role "${role}" of DATABASE_URL may not make tables in ${schema === null ? 'any schema of its search_path' : `the schema "${schema}"`}: run GRANT CREATE ON SCHEMA "${schema ?? 'public'}" TO "${role}", or make it the owner of the database`;
}

/**
 * Prepared statements, settings, LISTEN and advisory locks belong to a session. Behind a pooler that lends
 * Postgres's sessions out by the transaction or statement, two open connections meet in one session, or one
 * finds itself in another; by turns among two is seen at the fourth question. @throws StartupError
 */
async function refuseSharedSessions(dataSource: DataSource): Promise<void> {
  const [one, other] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    for (let round = 0; round < sessionRounds; round++) {
      const seen: number[] = [];
      for (const runner of [one, other, one, one]) seen.push(await sessionOf(runner));
      const [first, second, ...further] = seen;
      if (first === second || further.some((session) => session !== first))
        throw new StartupError(
          'the pooler at DATABASE_URL lends one session of Postgres to several connections: set its mode to session (pool_mode = session in PgBouncer), or connect to Postgres itself',
        );
    }
  } finally {
    await Promise.all([one.release(), other.release()]);
  }
}

async function sessionOf(runner: QueryRunner): Promise<number> {
  const rows = (await runner.query('select pg_backend_pid() as id')) as { id: number }[];
  return rows[0]?.id ?? 0;
}
