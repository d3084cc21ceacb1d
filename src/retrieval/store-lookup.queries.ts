import type { DataSource } from 'typeorm';
import { chunksCounter } from '../ingestion/chunks.queries.js';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { prepared } from '../postgres/prepared-statements.js';
import { query } from '../postgres/query.js';
import { Parameters, inCollections } from './lanes.queries.js';
import type { SearchScope } from './lanes.queries.js';

/** How often the terms of a query occur in a store. */
export interface TermStatistics {
  readonly chunks: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/** The same, and how far the store goes. */
export interface StoreTerms extends TermStatistics {
  /** The number of the last chunk; 0 when there is none. */
  readonly newest: number;
}

/** Names, and terms of words, of which it is to be found out whether the store knows them. */
export interface ProbedNames {
  readonly keys: readonly string[];
  readonly terms: readonly number[];
}

/** What of a query is worth a look, by its place: a name that some item mentions, or a word that no text holds. */
export interface NameProbe {
  readonly kind: 'name' | 'unknown';
  readonly nth: number;
}

/** What is asked of a store at once; what is not asked is answered as if there were nothing. */
export interface LookUp {
  readonly terms?: readonly number[];
  readonly names?: { readonly scope: SearchScope; readonly probed: ProbedNames };
}

interface Row {
  readonly kind: 'term' | 'newest' | NameProbe['kind'];
  /** The term, or the place of what was probed, from 1. */
  readonly nth: number;
  readonly amount: number;
}

/**
 * How often terms occur in a store, which chunk is its last, and which names and words it knows: by their indexes alone,
 * whoever may read what mentions them. So a query that names nothing pays for nothing else; a join of `sources` would
 * take longer to plan than this takes to run.
 */
export async function lookUp(
  postgres: DataSource,
  store: Store,
  { terms, names }: LookUp,
): Promise<{ terms: StoreTerms; probes: NameProbe[] }> {
  const parameters = new Parameters();
  const parts = [
    ...(terms ? [termsSql(store, terms, parameters)] : []),
    ...(names ? [namesSql(names.scope, names.probed, parameters)] : []),
  ];
  const rows = await query<Row>(postgres.manager, prepared(parts.join(' union all ')), parameters.values);
  const frequencies = new Map<number, number>();
  const probes: NameProbe[] = [];
  let newest = 0;
  for (const { kind, nth, amount } of rows) {
    if (kind === 'term') frequencies.set(nth, amount);
    else if (kind === 'newest') newest = amount;
    else probes.push({ kind, nth });
  }
  return { terms: { chunks: frequencies.get(chunksCounter) ?? 0, newest, frequencies }, probes };
}

/** The number of chunks in a store and, of these, with each term; and the last chunk. */
export async function findTermStatistics(
  postgres: DataSource,
  store: Store,
  terms: readonly number[],
): Promise<StoreTerms> {
  return (await lookUp(postgres, store, { terms })).terms;
}

function termsSql(store: Store, terms: readonly number[], parameters: Parameters): string {
  return `select 'term' as kind, term as nth, sum(amount)::float8 as amount
            from ${partition('term_frequencies', store)}
           where term = any(${parameters.add([chunksCounter, ...terms])}::int[]) group by term
     union all
    select 'newest', 0, coalesce(max(id), 0)::float8 from ${partition('chunks', store)}`;
}

function namesSql(scope: SearchScope, { keys, terms }: ProbedNames, parameters: Parameters): string {
  const { store } = scope;
  return `select 'name' as kind, k.nth::int as nth, 0::float8 as amount
            from unnest(${parameters.add(keys)}::text[]) with ordinality as k(key, nth)
           where (select true from ${partition('entity_mentions', store)} m
                   where ${inCollections('m', scope, parameters)} and m.name_key = k.key limit 1)
     union all
    select 'unknown', t.nth::int, 0 from unnest(${parameters.add(terms)}::int[]) with ordinality as t(term, nth)
     where (select true from ${partition('term_frequencies', store)} f where f.term = t.term limit 1) is null`;
}
