import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type pg from 'pg';
import { timed } from './measuring.js';

const rowsPerFetch = 1000;

/** A table as COPY loads it, and the SQL that creates it and its indexes under another name. */
interface StoredTable {
  readonly columns: string;
  readonly indexes: readonly string[];
  readonly parts: readonly Buffer[];
}

/**
 * Milliseconds that COPY and building the indexes take for the chunks and vectors of a store, or the first of
 * them: on the native Postgres where they are, or on a separate embedded one.
 */
export async function timeBareCopy(
  client: pg.Client,
  store: string,
  { native, rows }: { native: boolean; rows: number },
): Promise<number> {
  const tables = [
    await readTable(client, `chunks_${store}`, `order by id limit ${rows}`),
    await readTable(client, `chunk_vectors_${store}`, `order by chunk_id limit ${rows}`),
  ];
  return native ? loadNative(client, tables) : loadEmbedded(tables);
}

async function readTable(client: pg.Client, table: string, which: string): Promise<StoredTable> {
  const columns = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const indexes = await client.query<{ definition: string }>(
    'select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1::regclass',
    [table],
  );
  const selected = columns.rows.map(({ name }) => `${name}::text`).join(', ');
  const parts: Buffer[] = [];
  await client.query('begin');
  await client.query(`declare stored cursor for select ${selected} from ${table} ${which}`);
  for (;;) {
    const text = `fetch ${rowsPerFetch} from stored`;
    const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
    if (rows.length === 0) break;
    parts.push(Buffer.from(rows.map((row) => `${row.map(copyText).join('\t')}\n`).join('')));
  }
  await client.query('commit');
  return {
    columns: columns.rows.map(({ name, type }) => `${name} ${type}`).join(', '),
    indexes: indexes.rows.map(({ definition }) => definition),
    parts,
  };
}

function copyText(value: string | null): string {
  if (value === null) return '\\N';
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Loads tables with COPY into copies without indexes, then makes the indexes; the milliseconds of both. */
async function loadNative(client: pg.Client, tables: readonly StoredTable[]): Promise<number> {
  // As the server builds its own.
  await client.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`);
  const milliseconds = await load(tables, {
    run: (sql) => client.query(sql),
    copy: (sql, parts) => client.query(new CopyFrom(sql, parts)).ended,
  });
  // What is measured next shares no memory with them.
  for (const n of tables.keys()) await client.query(`drop table bare_${n}`);
  return milliseconds;
}

/** The same in an embedded Postgres of its own, on disk, without a socket in between. */
async function loadEmbedded(tables: readonly StoredTable[]): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'contexture-bench-'));
  const postgres = await PGlite.create({ dataDir, extensions: { vector } });
  try {
    await postgres.exec('create extension vector');
    return await load(tables, {
      run: (sql) => postgres.exec(sql),
      copy: (sql, parts) =>
        postgres.query(sql.replace('stdin', `'/dev/blob'`), [], { blob: new Blob([...parts]) }),
    });
  } finally {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Target {
  run(sql: string): Promise<unknown>;
  copy(sql: string, parts: readonly Buffer[]): Promise<unknown>;
}

async function load(tables: readonly StoredTable[], target: Target): Promise<number> {
  for (const [n, { columns }] of tables.entries()) await target.run(`create table bare_${n} (${columns})`);
  return timed(async () => {
    for (const [n, { parts }] of tables.entries()) await target.copy(`copy bare_${n} from stdin`, parts);
    for (const [n, { indexes }] of tables.entries()) {
      for (const definition of indexes)
        await target.run(definition.replace(/INDEX \S+ ON \S+/, `INDEX ON bare_${n}`));
    }
  });
}

/** What pg's connection offers to whoever submits a query of its own. */
interface CopyConnection {
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** COPY FROM STDIN by pg alone; the names of its methods are those that pg calls. */
class CopyFrom {
  readonly ended: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: Error) => void;

  constructor(
    private readonly sql: string,
    private readonly parts: readonly Buffer[],
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const part of this.parts) connection.sendCopyFromChunk(part);
    connection.endCopyFrom();
  }

  // Of its tag nothing is needed.
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.resolve();
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}
