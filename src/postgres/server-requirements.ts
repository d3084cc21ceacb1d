import type { DataSource } from 'typeorm';
import { StartupError } from '../lib/startup-error.js';
import { queryOne } from './query.js';

const postgresVersionMin = 150_000;
const pgvectorVersionMin = [0, 8] as const;

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  /** The version that would be installed; null when its files are missing. */
  readonly pgvector: string | null;
  /** The schema it is installed in; null while migrations have yet to install it. */
  readonly pgvectorSchema: string | null;
  /** Whether its types are found without naming the schema. */
  readonly pgvectorVisible: boolean;
}

/** Checks what the server needs. @throws StartupError naming what this Postgres, or this database, lacks */
export async function checkServer(dataSource: DataSource): Promise<void> {
  const facts = await queryOne<ServerFacts>(
    dataSource.manager,
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
            a.default_version as pgvector, e.extnamespace::regnamespace::text as "pgvectorSchema",
            to_regtype('vector') is not null as "pgvectorVisible"
       from (select 1) one
       left join pg_available_extensions a on a.name = 'vector'
       left join pg_extension e on e.extname = 'vector'`,
  );
  if (facts) for (const problem of problemsOf(facts)) throw new StartupError(problem);
}

function* problemsOf(facts: ServerFacts): Generator<string> {
  const { version, encoding, pgvector, pgvectorSchema, pgvectorVisible } = facts;
  if (version < postgresVersionMin) yield 'Postgres 15 or newer is required';
  // Other encodings cannot hold every text, or do not compare multi-byte characters.
  if (encoding !== 'UTF8')
    yield `the database of DATABASE_URL has the encoding ${encoding}: make one with encoding 'UTF8'`;
  if (!pgvector) {
    yield 'pgvector is not installed on this Postgres: install pgvector 0.8 or newer on its host';
    return;
  }
  const [major = 0, minor = 0] = pgvector.split('.').map(Number);
  if (major === pgvectorVersionMin[0] && minor < pgvectorVersionMin[1])
    yield `pgvector ${pgvector} is too old: 0.8 or newer is required`;
  if (pgvectorSchema !== null && !pgvectorVisible)
    yield `pgvector is installed in the schema ${pgvectorSchema}: add it to the search_path of the role or the database`;
}
