import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { vectorText } from '../src/postgres/vector-parameters.js';
import { makeNativeDatabase } from './server.js';

// As deep as a query for ten chunks reads its lanes.
const laneDepth = 50;
/** So many texts are an answer. */
export const shown = 10;
const rankConstant = 60;
const rowsPerInsert = 500;

export interface PeerRow {
  /** From 1. */
  readonly id: number;
  readonly text: string;
  readonly vector: Float32Array;
}

export interface PeerQuery {
  readonly text: string;
  readonly vector: Float32Array;
}

export type PeerWay = 'words' | 'meaning' | 'both';

/** Another store of texts and vectors, as somebody uses it who reads its guide. What it finds are ids, best first. */
export interface PeerStore {
  readonly name: string;
  readonly find: Readonly<Record<PeerWay, (query: PeerQuery) => Promise<readonly number[]>>>;
  close(): Promise<void>;
}

/** Reads packages of a folder of the caller's: none of them is a dependency here. */
export type Packages = NodeJS.Require;

export const packagesOf = (folder: string): Packages => createRequire(resolve(folder, 'package.json'));

/** Every store, by the packages that it takes. */
export const peerStores: readonly {
  readonly packages: readonly string[];
  readonly open: (packages: Packages, rows: readonly PeerRow[]) => Promise<PeerStore>;
}[] = [
  { packages: ['better-sqlite3', 'sqlite-vec'], open: openSqlite },
  { packages: ['@lancedb/lancedb'], open: openLance },
  { packages: ['@zvec/zvec'], open: openZvec },
];

/** By reciprocal ranks, as hybrid search is described in the guides of stores that leave it to their users. */
function fuse(lanes: readonly (readonly number[])[]): number[] {
  const scores = new Map<number, number>();
  for (const lane of lanes)
    for (const [rank, id] of lane.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (rankConstant + rank));
  const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, shown);
  return best.map(([id]) => id);
}

function makeFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'contexture-bench-peer-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

interface SqliteStatement {
  run(...values: unknown[]): unknown;
  pluck(): { all(...values: unknown[]): number[]; get(...values: unknown[]): unknown };
}

interface Sqlite {
  exec(sql: string): void;
  pragma(sql: string): void;
  prepare(sql: string): SqliteStatement;
  transaction(work: () => void): () => void;
  close(): void;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

async function openSqlite(packages: Packages, rows: readonly PeerRow[]): Promise<PeerStore> {
  const Database = packages('better-sqlite3') as new (path: string) => Sqlite;
  const folder = makeFolder();
  const database = new Database(join(folder.path, 'peer.db'));
  (packages('sqlite-vec') as { load(database: Sqlite): void }).load(database);
  const dimensions = rows[0]?.vector.length ?? 0;
  database.pragma('journal_mode = wal');
  database.exec(`create virtual table words using fts5(body);
    create virtual table vectors using vec0(embedding float[${dimensions}] distance_metric=cosine)`);
  const addText = database.prepare('insert into words (rowid, body) values (?, ?)');
  const addVector = database.prepare('insert into vectors (rowid, embedding) values (?, ?)');
  database.transaction(() => {
    for (const { id, text, vector } of rows) {
      addText.run(BigInt(id), text);
      addVector.run(BigInt(id), bytesOf(vector));
    }
  })();
  const byWords = database
    .prepare(`select rowid from words where words match ? order by bm25(words) limit ${laneDepth}`)
    .pluck();
  const byVector = database
    .prepare(`select rowid from vectors where embedding match ? and k = ${laneDepth} order by distance`)
    .pluck();
  const textOf = database.prepare('select body from words where rowid = ?').pluck();
  const anyOf = (text: string) => text.replaceAll(/\S+/g, '"$&"').replaceAll(' ', ' OR ');
  const words = ({ text }: PeerQuery) => byWords.all(anyOf(text));
  const meaning = ({ vector }: PeerQuery) => byVector.all(bytesOf(vector));
  return Promise.resolve({
    name: 'SQLite FTS5 + sqlite-vec',
    find: {
      words: (query) => Promise.resolve(words(query)),
      meaning: (query) => Promise.resolve(meaning(query)),
      both: (query) => {
        const ids = fuse([words(query), meaning(query)]);
        for (const id of ids) textOf.get(id);
        return Promise.resolve(ids);
      },
    },
    close: () => {
      database.close();
      return Promise.resolve(folder.remove());
    },
  });
}

interface LanceQuery {
  limit(count: number): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  fullTextSearch(text: string): LanceQuery;
  rerank(reranker: unknown): LanceQuery;
  toArray(): Promise<{ id: number }[]>;
}

interface LanceTable {
  createIndex(column: string, options: unknown): Promise<void>;
  search(query: string | Float32Array, type?: string): LanceQuery;
  query(): { nearestTo(vector: Float32Array): LanceQuery };
}

interface Lance {
  connect(
    path: string,
  ): Promise<{ createTable(name: string, rows: readonly object[]): Promise<LanceTable>; close(): void }>;
  readonly Index: { fts(): unknown };
  readonly rerankers: { readonly RRFReranker: { create(): Promise<unknown> } };
}

async function openLance(packages: Packages, rows: readonly PeerRow[]): Promise<PeerStore> {
  const lance = packages('@lancedb/lancedb') as Lance;
  const folder = makeFolder();
  const connection = await lance.connect(folder.path);
  const table = await connection.createTable(
    'texts',
    rows.map(({ id, text, vector }) => ({ id, text, vector: [...vector] })),
  );
  await table.createIndex('text', { config: lance.Index.fts() });
  const reranker = await lance.rerankers.RRFReranker.create();
  const idsOf = async (query: LanceQuery) => (await query.toArray()).map(({ id }) => id);
  return {
    name: 'LanceDB',
    find: {
      words: ({ text }) => idsOf(table.search(text, 'fts').select(['id']).limit(laneDepth)),
      meaning: ({ vector }) => idsOf(table.search(vector).select(['id']).limit(laneDepth)),
      both: ({ text, vector }) =>
        idsOf(
          table
            .query()
            .nearestTo(vector)
            .fullTextSearch(text)
            .rerank(reranker)
            .select(['id', 'text'])
            .limit(shown),
        ),
    },
    close: () => {
      connection.close();
      return Promise.resolve(folder.remove());
    },
  };
}

interface ZvecLane {
  readonly fieldName: string;
  readonly fts?: { readonly matchString: string };
  readonly vector?: Float32Array;
}

interface ZvecCollection {
  insertSync(rows: readonly object[]): unknown;
  optimizeSync(): void;
  querySync(query: ZvecLane & { readonly topk: number; readonly outputFields: readonly string[] }): {
    id: string;
  }[];
  multiQuerySync(query: { readonly queries: readonly object[]; readonly topk: number }): { id: string }[];
  closeSync(): void;
}

interface Zvec {
  readonly ZVecCollectionSchema: new (schema: object) => unknown;
  readonly ZVecDataType: { readonly STRING: number; readonly VECTOR_FP32: number };
  readonly ZVecIndexType: { readonly FTS: number; readonly HNSW: number };
  readonly ZVecMetricType: { readonly IP: number };
  ZVecCreateAndOpen(path: string, schema: unknown): ZvecCollection;
}

async function openZvec(packages: Packages, rows: readonly PeerRow[]): Promise<PeerStore> {
  const zvec = packages('@zvec/zvec') as Zvec;
  const folder = makeFolder();
  const { ZVecDataType: type, ZVecIndexType: index } = zvec;
  const schema = new zvec.ZVecCollectionSchema({
    name: 'texts',
    fields: [{ name: 'text', dataType: type.STRING, indexParams: { indexType: index.FTS } }],
    vectors: {
      name: 'embedding',
      dataType: type.VECTOR_FP32,
      dimension: rows[0]?.vector.length,
      indexParams: { indexType: index.HNSW, metricType: zvec.ZVecMetricType.IP },
    },
  });
  const collection = zvec.ZVecCreateAndOpen(join(folder.path, 'peer'), schema);
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    collection.insertSync(
      rows.slice(start, start + rowsPerInsert).map(({ id, text, vector }) => ({
        id: String(id),
        fields: { text },
        vectors: { embedding: vector },
      })),
    );
  collection.optimizeSync();
  const idsOf = (found: readonly { id: string }[]) => Promise.resolve(found.map(({ id }) => Number(id)));
  const words = ({ text }: PeerQuery): ZvecLane => ({ fieldName: 'text', fts: { matchString: text } });
  const meaning = ({ vector }: PeerQuery): ZvecLane => ({ fieldName: 'embedding', vector });
  const lane = { topk: laneDepth, outputFields: [] };
  return Promise.resolve({
    name: 'zvec',
    find: {
      words: (query) => idsOf(collection.querySync({ ...words(query), ...lane })),
      meaning: (query) => idsOf(collection.querySync({ ...meaning(query), ...lane })),
      both: (query) => {
        const queries = [words(query), meaning(query)].map((one) => ({ ...one, numCandidates: laneDepth }));
        return idsOf(collection.multiQuerySync({ queries, topk: shown }));
      },
    },
    close: () => {
      collection.closeSync();
      return Promise.resolve(folder.remove());
    },
  });
}

/** What a developer writes by hand: ts_rank and a vector index on a native Postgres. */
export async function openPlainPostgres(serverUrl: string, rows: readonly PeerRow[]): Promise<PeerStore> {
  const database = await makeNativeDatabase(serverUrl);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('create extension vector');
  await client.query(`create table texts (
    id int primary key, body text, embedding vector(${rows[0]?.vector.length ?? 0}),
    words tsvector generated always as (to_tsvector('english', body)) stored)`);
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const some = rows.slice(start, start + rowsPerInsert);
    await client.query('insert into texts select * from unnest($1::int[], $2::text[], $3::vector[])', [
      some.map(({ id }) => id),
      some.map(({ text }) => text),
      some.map(({ vector }) => vectorText(vector)),
    ]);
  }
  await client.query('create index on texts using gin (words)');
  await client.query('create index on texts using hnsw (embedding vector_ip_ops)');
  await client.query('vacuum analyze texts');
  // Without it the index finds no more than 40.
  await client.query('set hnsw.ef_search = 100');
  const idsOf = async (name: string, text: string, value: unknown) => {
    const { rows: found } = await client.query<{ id: number }>({ name, text, values: [value] });
    return found.map(({ id }) => id);
  };
  const words = ({ text }: PeerQuery) =>
    idsOf(
      'words',
      `select id from texts, to_tsquery('english', $1) as query where words @@ query
        order by ts_rank(words, query) desc limit ${laneDepth}`,
      text.replaceAll(' ', ' | '),
    );
  const meaning = ({ vector }: PeerQuery) =>
    idsOf(
      'meaning',
      `select id from texts order by embedding <#> $1::vector limit ${laneDepth}`,
      vectorText(vector),
    );
  return {
    name: 'Postgres by hand (ts_rank, HNSW)',
    find: {
      words,
      meaning,
      both: async (query) => {
        const ids = fuse([await words(query), await meaning(query)]);
        await idsOf('texts', 'select id, body from texts where id = any($1::int[])', ids);
        return ids;
      },
    },
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
}
