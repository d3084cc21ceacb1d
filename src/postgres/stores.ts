import type { DataSource, EntityManager } from 'typeorm';
import { errorCodeOf, query, queryOne } from './query.js';
import { createVectorTable, findVectorTables } from './vector-tables.js';

/** The two kinds of content, in the order in which an item is looked for; each has its own store in every database. */
export const CORPORA = ['knowledge', 'memory'] as const;
export type Corpus = (typeof CORPORA)[number];

/** The content of one corpus in one database: the tables that hold it. */
export interface Store {
  readonly databaseId: number;
  readonly corpus: Corpus;
}

/** A name that no other store has. */
export function storeName({ databaseId, corpus }: Store): string {
  return `${databaseId} ${corpus}`;
}

/** Groups rows by the store that they belong to. */
export function groupByStore<Row>(rows: readonly Row[], storeOf: (row: Row) => Store): [Store, Row[]][] {
  const groups = new Map<string, [Store, Row[]]>();
  for (const row of rows) {
    const { databaseId, corpus } = storeOf(row);
    const key = storeName({ databaseId, corpus });
    const group = groups.get(key);
    if (group) group[1].push(row);
    else groups.set(key, [{ databaseId, corpus }, [row]]);
  }
  return [...groups.values()];
}

/** What the tables of a store are copied from; those of its vectors (vector-tables) also depend on the model. */
type Template = 'chunks' | 'term_frequencies' | 'relation_groups' | 'item_links' | 'entity_mentions';

/** Columns whose statistics are costly and would only mislead the planner: each is reached by its own index. */
const opaqueColumns: Record<Template, readonly string[]> = {
  chunks: ['content', 'layout', 'terms', 'term_counts', 'keyword', 'word_codes'],
  term_frequencies: [],
  relation_groups: ['source', 'target', 'relations'],
  item_links: ['target'],
  entity_mentions: [],
};
/** The kinds of tables that a store has, besides those of its vectors. */
export const storeTemplates = Object.keys(opaqueColumns) as readonly Template[];

const lockTimeoutMs = 1000;
const pendingTermsKibibytes = 256;
const lockNotAvailable = '55P03';

/** The name of a store's table. Queries name it directly, so that no table of another database is ever opened. */
export function storeTable(template: Template, store: Store): string {
  return `${template}_${store.databaseId}_${store.corpus}`;
}

/**
 * Creates a store's tables, or completes what an interrupted creation left. They stand alone, copied from
 * their template (defined by a migration), so nothing of another database is read or locked. Each statement
 * is a transaction, so that on the embedded Postgres others get their turn in between.
 */
export async function createStore(
  { manager }: DataSource,
  store: Store,
  { vectorDimensions, embedded }: { vectorDimensions: number; embedded: boolean },
): Promise<void> {
  for (const template of storeTemplates) {
    const name = storeTable(template, store);
    await query(
      manager,
      `create table if not exists ${name}
         (like ${template} including defaults including indexes including storage)`,
    );
    const changes = opaqueColumns[template].map((column) => `alter column ${column} set statistics 0`);
    if (changes.length > 0) await query(manager, `alter table ${name} ${changes.join(', ')}`);
  }
  await createVectorTable(manager, { ...store, generation: 0 }, vectorDimensions);
  if (!embedded) await keepPendingTerms(manager, store);
}

/**
 * New terms go into a list that is merged into the index when it is full, at half the cost of storing a
 * chunk. Every search reads the list, so it is short. The planner of the embedded Postgres would scan the
 * table because of it.
 */
async function keepPendingTerms(manager: EntityManager, store: Store): Promise<void> {
  const index = await queryOne<{ name: string }>(
    manager,
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
       join pg_am a on a.oid = c.relam and a.amname = 'gin' where i.indrelid = to_regclass($1)`,
    [storeTable('chunks', store)],
  );
  if (!index) throw new Error(`${storeTable('chunks', store)} has no index of its terms`);
  await query(
    manager,
    `alter index ${index.name} set (fastupdate = on, gin_pending_list_limit = ${pendingTermsKibibytes})`,
  );
}

/**
 * Drops a store's tables, or what an interrupted removal left. Returns false when someone is still reading
 * one of them: waiting longer would hold up whoever comes next.
 */
export async function dropStore(postgres: DataSource, store: Store): Promise<boolean> {
  const ofVectors = await findVectorTables(postgres.manager, store);
  for (const name of [...storeTemplates.map((template) => storeTable(template, store)), ...ofVectors])
    if (!(await dropTable(postgres, name))) return false;
  return true;
}

/** Drops a table if it exists; false when someone is still reading it. */
export function dropTable(postgres: DataSource, name: string): Promise<boolean> {
  return withLockTimeout(postgres, (manager) => query(manager, `drop table if exists ${name}`));
}

/** Runs a transaction that does not wait long for a lock; false when it would have to. */
async function withLockTimeout(
  postgres: DataSource,
  work: (manager: EntityManager) => Promise<unknown>,
): Promise<boolean> {
  try {
    await postgres.transaction(async (manager) => {
      await query(manager, `set local lock_timeout = ${lockTimeoutMs}`);
      await work(manager);
    });
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== lockNotAvailable) throw error;
    return false;
  }
}
