import type { EntityManager } from 'typeorm';
import { heldFrom } from '../inference/facts.js';
import type { Fact, FactExtraction } from '../inference/facts.js';
import { batchesOf } from '../lib/batches-of.js';
import { query } from '../postgres/query.js';
import { storeTable } from '../postgres/stores.js';
import type { Corpus, Store } from '../postgres/stores.js';
import { unexpiredSql, versionSql } from './sources.queries.js';

/** The facts of a version that is made visible. */
export interface NewFacts {
  readonly version: {
    readonly databaseId: number;
    readonly uid: string;
    readonly collectionId: number;
    readonly corpus: Corpus;
  };
  /** When the item was observed. */
  readonly observedAt: Date;
  readonly extraction: FactExtraction;
}

/** Facts stored by one statement at most, so that none holds the embedded Postgres for long. */
const factRowsMax = 500;

// Facts that are stored beside a memory's own text are numbered from here on; no chunk has such a number.
const besideFrom = 1_000_000;

// How many later facts of a key a search weighs at most. Where thousands have private memories in one
// collection the later ones are others', and each costs a microsecond (without the limit 4,000 of them cost 3
// ms per chunk).
const weighedMax = 1000;

// SQL: the fact `later` repeats the fact `f`; otherwise it contradicts it.
const repeats = '(later.value_key = f.value_key and later.negated = f.negated)';
// SQL: a memory that is kept as it was said does not hide a fact by repeating it: it may be long and speak of
// much else.
const takesNoPlace = `(f.position < ${besideFrom} and later.position >= ${besideFrom} and ${repeats})`;

/**
 * Stores the facts of versions that are visible now. To be called in the transaction that made them visible.
 */
export async function insertFacts(manager: EntityManager, items: readonly NewFacts[]): Promise<void> {
  const rows = items.flatMap(({ version, observedAt, extraction }) =>
    extraction.facts.map((fact, position) => ({
      ...fact,
      ...version,
      position: position + (extraction.areBeside ? besideFrom : 0),
      observedAt: heldFrom(fact, observedAt),
      origin: extraction.origin,
    })),
  );
  for (const some of batchesOf(rows, factRowsMax)) {
    await query(
      manager,
      `insert into facts (database_id, source_uid, position, collection_id, corpus, kind, key, value_key, negated,
         subject, attribute, value, statement, evidence, confidence, origin, observed_at)
       select "databaseId", uid, position, "collectionId", corpus, kind, key, "valueKey", negated, subject, attribute,
         value, statement, evidence, confidence, origin, "observedAt"
       from jsonb_to_recordset($1::jsonb) as f("databaseId" int, uid bigint, position int, "collectionId" int,
         corpus text, kind text, key text, "valueKey" text, negated boolean, subject text, attribute text, value text,
         statement text, evidence text, confidence real, origin text, "observedAt" timestamptz)
        where exists (select from sources s where s.database_id = f."databaseId" and s.uid = f.uid and s.visible)
       on conflict do nothing`,
      [JSON.stringify(some)],
    );
  }
}

/** A later fact that takes the place of an earlier one, because it contradicts or repeats it. */
export interface LaterFact {
  /** The id of its item. */
  readonly id: string;
  readonly statement: string;
  readonly observedAt: Date;
}

/** A stored fact. It is current while no later one takes its place. */
export interface StoredFact extends Pick<
  Fact,
  'kind' | 'subject' | 'attribute' | 'value' | 'statement' | 'evidence' | 'confidence'
> {
  readonly sourceUid: string;
  readonly observedAt: Date;
  readonly supersededBy: LaterFact | null;
  readonly repeatedBy: LaterFact | null;
}

type FactRow = Omit<StoredFact, 'supersededBy' | 'repeatedBy'> & {
  readonly laterId: string | null;
  readonly laterStatement: string;
  readonly laterObservedAt: Date;
  readonly repeats: boolean;
};

/** The facts of versions in the order of their text, each with the latest fact that takes its place. */
export async function findFacts(
  manager: EntityManager,
  { databaseId, uids, now }: { databaseId: number; uids: readonly string[]; now: Date },
): Promise<StoredFact[]> {
  const rows = await query<FactRow>(
    manager,
    `select f.source_uid as "sourceUid", f.kind, f.subject, f.attribute, f.value, f.statement, f.evidence,
            f.confidence, f.observed_at as "observedAt", later.id as "laterId",
            later.statement as "laterStatement", later.observed_at as "laterObservedAt", ${repeats} as repeats
       from facts f cross join lateral ${versionSql('f.database_id', 'f.source_uid')} s
       left join lateral ${laterFactSql('s', '$3')} on true
      where f.database_id = $1 and f.source_uid = any($2::bigint[]) order by f.source_uid, f.position`,
    [databaseId, uids, now],
  );
  return rows.map(({ laterId, laterStatement, laterObservedAt, repeats, ...fact }) => {
    const later =
      laterId === null ? null : { id: laterId, statement: laterStatement, observedAt: laterObservedAt };
    return { ...fact, supersededBy: repeats ? null : later, repeatedBy: repeats ? later : null };
  });
}

/**
 * Which of these chunks of memories stand for facts that later ones contradict or repeat. This is computed at
 * each read: when the later item is deleted or expires, the earlier fact holds again.
 */
export function findOutdated(
  manager: EntityManager,
  store: Store,
  { chunkIds, now }: { chunkIds: readonly string[]; now: Date },
): Promise<Set<string>> {
  const where = `c.id = any($1::bigint[]) and not ${takesNoPlace}`;
  return findWithLaterFact(manager, store, { id: 'c.id', where, ids: chunkIds, now });
}

/** Which of these chunks, by UUID, stand for facts that later ones contradict. */
export function findSuperseded(
  manager: EntityManager,
  store: Store,
  { chunkUuids, now }: { chunkUuids: readonly string[]; now: Date },
): Promise<Set<string>> {
  const where = `c.chunk_uuid = any($1::uuid[]) and not ${repeats}`;
  return findWithLaterFact(manager, store, { id: 'c.chunk_uuid', where, ids: chunkUuids, now });
}

/**
 * The chunks whose facts later ones have taken the place of, as values of the column `id`. `where` is SQL
 * that uses $1, the ids.
 */
async function findWithLaterFact(
  manager: EntityManager,
  store: Store,
  { id, where, ids, now }: { id: string; where: string; ids: readonly string[]; now: Date },
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    manager,
    `select ${id} as id from ${storeTable('chunks', store)} c
      cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
       join facts f on f.database_id = c.database_id and f.source_uid = c.source_uid and f.position = c.position
      cross join lateral ${laterFactSql('s', '$2')}
      where ${where}`,
    [ids, now],
  );
  return new Set(rows.map((row) => row.id));
}

/** A fact of a chunk that a later one contradicts or repeats. */
export interface OutdatedFact {
  readonly attribute: string;
  readonly statement: string;
  readonly laterStatement: string;
  /** The version that holds the later fact, and its position there. */
  readonly laterUid: string;
  readonly laterPosition: number;
  /** Whether the later fact repeats it rather than contradicting it. */
  readonly repeats: boolean;
}

/**
 * SQL: the facts of a chunk `c` of an item `s` that later ones contradict or repeat (OutdatedFact), as JSON;
 * null when there are none. `now` is a parameter. Of facts stored beside a text only those count whose words
 * the chunk has.
 */
export function outdatedFactsSql(now: string): string {
  return `(select jsonb_agg(jsonb_build_object('attribute', f.attribute, 'statement', f.statement,
              'laterStatement', later.statement, 'laterUid', later.source_uid::text, 'laterPosition', later.position,
              'repeats', ${repeats}) order by f.position)
         from facts f cross join lateral ${laterFactSql('s', now, weighedMax)}
        where f.database_id = c.database_id and f.source_uid = c.source_uid and not ${takesNoPlace}
          and (f.position = c.position or (f.position >= ${besideFrom} and strpos(c.content, f.evidence) > 0)))`;
}

// SQL: `later`, the latest fact of a visible item for the same readers that contradicts or repeats `f`. Two
// that affirm different values contradict each other; one that denies a value concerns that value only. Each
// `offset 0` keeps the planner to one way: from the end of facts_key, each item by its own key. Left to itself,
// and without statistics, it scans.
function laterFactSql(source: string, now: string, most: number | 'all' = 'all'): string {
  return `(select fact.*, item.id from (
      select * from facts
       where key = f.key and collection_id = f.collection_id and corpus = f.corpus and database_id = f.database_id
         and (observed_at, source_uid, position) > (f.observed_at, f.source_uid, f.position)
         and (value_key = f.value_key or not (negated or f.negated))
       order by observed_at desc, source_uid desc, position desc limit ${most} offset 0) fact
     cross join lateral (
      select other.id from sources other
       where other.database_id = fact.database_id and other.uid = fact.source_uid and other.visible
         and ${unexpiredSql('other', now)}
         and other.acl is not distinct from ${source}.acl offset 0) item
     order by fact.observed_at desc, fact.source_uid desc, fact.position desc limit 1) later`;
}
