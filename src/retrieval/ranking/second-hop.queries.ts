import type { DataSource } from 'typeorm';
import { unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { sparseVector } from '../lanes/sparse-vector.js';
import { foundItem, inCollections, isFiltered, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';

/** A chunk of the first pass, from which a second hop may start. */
export interface Seed {
  readonly id: string;
  readonly sourceUid: string;
  readonly position: number;
  readonly title: string;
  readonly content: string;
  /** The terms of the query that it contains. */
  readonly covered: readonly number[];
  /** The entities of the graph that it mentions, by name. */
  readonly names: readonly string[];
}

const namesOfSeedMax = 24;
const contentCharactersMax = 4000;

/** Reads the chunks to start from; those of items that may not be found are left out. */
export function findSeeds(
  postgres: DataSource,
  scope: SearchScope,
  wanted: { chunkIds: readonly string[]; terms: readonly number[]; withEntities: boolean },
): Promise<Seed[]> {
  const parameters = new SqlParameters();
  const { store } = scope;
  const names = wanted.withEntities
    ? `array(select m.name from ${storeTable('entity_mentions', store)} m
              where m.source_uid = c.source_uid and (m.chunks = '{}' or c.position = any(m.chunks))
              limit ${namesOfSeedMax})`
    : `'{}'::text[]`;
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `select c.id, c.source_uid as "sourceUid", c.position, s.title, left(c.content, ${contentCharactersMax}) as content,
            array(select t from unnest(c.terms) t where t = any(${parameters.add(wanted.terms)}::int[])) as covered,
            ${names} as names
       from ${storeTable('chunks', store)} c
      cross join lateral ${foundItem('c.source_uid', scope, parameters)} s
      where c.id = any(${unseenList(parameters.add(wanted.chunkIds), 'bigint[]')})`,
    ),
    parameters.values,
  );
}

/** A way from a seed to other chunks, by a name that the seed contains. */
export interface Bridge {
  /** The terms of the name; a chunk has to contain all of them. */
  readonly terms: readonly number[];
  /**
   * The weights by which chunks are scored: those of the name's terms, and of the query terms that the seed
   * lacks.
   */
  readonly weights: ReadonlyMap<number, number>;
  /** The query terms that the seed lacks. */
  readonly open: readonly number[];
}

/** The place of a seed, and the weights of the query terms that it lacks. */
export interface OpenSeed {
  readonly sourceUid: string;
  readonly position: number;
  readonly weights: ReadonlyMap<number, number>;
}

/** A chunk that a second hop reaches. */
export interface Reached {
  readonly kind: 'bridge' | 'neighbour';
  /** The index of the bridge or the seed that led to it, from 1. */
  readonly nth: number;
  readonly id: string;
  /** Its BM25 score by the weights of the bridge or the seed. */
  readonly score: number;
  /** Its BM25 score by the whole query. */
  readonly own: number;
  /** The query terms that it contains and the seed lacks. */
  readonly added: readonly number[];
}

interface Ways {
  readonly bridges: readonly Bridge[];
  readonly seeds: readonly OpenSeed[];
  readonly query: ReadonlyMap<number, number>;
  readonly limit: number;
}

/**
 * Follows all bridges at once. Returns the best few visible chunks that each leads to, and the chunks next to
 * the seeds.
 */
export function followWays(
  postgres: DataSource,
  scope: SearchScope,
  { bridges, seeds, query: weights, limit }: Ways,
): Promise<Reached[]> {
  const parameters = new SqlParameters();
  const chunks = storeTable('chunks', scope.store);
  const texts = (list: readonly string[]) => `${parameters.add(list)}::text[]`;
  // As parameters, the vectors are parsed once, and not once for every chunk that they are compared with.
  const vectors = (list: readonly ReadonlyMap<number, number>[]) =>
    `${parameters.add(list.map(sparseVector))}::sparsevec[]`;
  const here = inCollections('c', scope, parameters);
  const isVisible = (alias: string) => `exists ${foundItem(`${alias}.source_uid`, scope, parameters)}`;
  // Without a filter nearly all chunks may be found, so that, as in the lanes, only the best are checked.
  const candidates = isFiltered(scope) || scope.hidesItems ? `and ${isVisible('c')}` : '';
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `with reached as materialized (
         select 'bridge' as kind, b.nth, c.id, b.weights, b.open::int[] as open
           from unnest(${unseenList(parameters.add(bridges.map(({ terms }) => `{${terms.join()}}`)), 'text[]')},
                       ${vectors(bridges.map((bridge) => bridge.weights))},
                       ${texts(bridges.map(({ open }) => `{${open.join()}}`))})
                with ordinality as b(terms, weights, open, nth)
          cross join lateral (
            select c.id from ${chunks} c where c.terms @> b.terms::int[] and ${here} ${candidates}
             order by c.keyword <#> b.weights, c.id limit ${limit}) c
         union all
         select 'neighbour', n.nth, c.id, n.weights, n.open::int[]
           from unnest(${unseenList(parameters.add(seeds.map(({ sourceUid }) => sourceUid)), 'bigint[]')},
                       ${parameters.add(seeds.map(({ position }) => position))}::int[],
                       ${vectors(seeds.map((seed) => seed.weights))},
                       ${texts(seeds.map((seed) => `{${[...seed.weights.keys()].join()}}`))})
                with ordinality as n(uid, position, weights, open, nth)
           join ${chunks} c on c.source_uid = n.uid
             and (c.position = n.position - 1 or c.position = n.position + 1))
     select r.kind, r.nth::int as nth, r.id, -(c.keyword <#> r.weights) as score,
            -(c.keyword <#> ${parameters.add(sparseVector(weights))}::sparsevec) as own,
            array(select t from unnest(r.open) t where t = any(c.terms)) as added
       from reached r
      cross join lateral (select keyword, terms, source_uid from ${chunks} where id = r.id limit 1) c
      where ${isVisible('c')}`,
    ),
    parameters.values,
  );
}
