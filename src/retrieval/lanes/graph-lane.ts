import type { DataSource } from 'typeorm';
import { betweenSame, bothSame, joinNamesakes, withNamesakes } from '../../graph/entities/same-entities.js';
import type { SameEntities } from '../../graph/entities/same-entities.js';
import { joinBearers } from '../../graph/entities/same-bearers.js';
import { companyTypes } from '../../graph/entity-key.js';
import { LIMITS } from '../../limits.js';
import { findOutdated } from '../../sources/facts.queries.js';
import { analyze } from '../../text/analyzer.js';
import { inEach } from '../collection-scopes.js';
import { findNamed } from '../question/named-entities.js';
import { wordsOfQuery } from '../question/query-names.js';
import type { SearchScope } from '../search-scope.js';
import { bestFirst } from './lane-hits.js';
import { findBearers, findGroupsAround, findMentioning, findNamesakes } from './graph-lane.queries.js';
import type { FoundGroup } from './graph-lane.queries.js';
import { rankPaths, toSteps } from './graph-paths.js';
import type { MeantEntity, Step } from './graph-paths.js';
import type { LaneHit } from './lanes.queries.js';

/** What the graph knows around the entities that a query names. */
export interface GraphExploration {
  readonly named: readonly MeantEntity[];
  readonly steps: readonly Step[];
  /** What the query asks for, apart from the names in it. */
  readonly terms: ReadonlySet<string>;
  /** The words of the query, folded. */
  readonly words: readonly string[];
  /** Which entities are the same as others. */
  readonly same: SameEntities;
  /** Chunks that state a relation found, or mention an entity named. */
  readonly hits: readonly LaneHit[];
}

/** The exploration of a graph that knows nothing, or was not asked. */
export const nothingExplored: GraphExploration = {
  named: [],
  steps: [],
  terms: new Set(),
  words: [],
  same: new Map(),
  hits: [],
};

const groupsOfNamedMax = 48;
const neighboursMax = 24;
const groupsOfNeighbourMax = 12;
const mentionShare = 0.2;
const laneHitsMax = 50;

/**
 * Looks for entities that the query names, and goes up to two steps from them, only through items that may be
 * found. A query that names none costs one look-up in an index.
 */
export async function exploreGraph(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  query: string,
): Promise<GraphExploration> {
  const found = await findNamed(postgres, scopes, query);
  const chosen = chooseEntities(found);
  if (chosen.length === 0) return nothingExplored;
  const ids = chosen.map(({ id }) => id);
  const around = (entityIds: readonly string[], limit: number) =>
    inEach(scopes, (scope) => groupsAround(postgres, scope, { entityIds, limit }));
  const [near, mentions] = await Promise.all([
    around(ids, groupsOfNamedMax),
    inEach(scopes, (scope) => findMentioning(postgres, scope, ids)),
  ]);
  const terms = new Set(analyze(query));
  for (const { key } of found) for (const term of analyze(key)) terms.delete(term);
  const hitsBefore = new Map<string, number>();
  const neighbours = neighboursOf(toSteps(near, terms), { named: chosen, terms, hits: hitsBefore });
  const same = await findSame(postgres, scopes, { ids: [...ids, ...neighbours], near });
  const named = chooseEntities(chosen.map((each) => ({ ...each, id: same.get(each.id) ?? each.id })));
  const next = withNamesakes([...ids, ...neighbours], same).filter((id) => !ids.includes(id));
  const far = next.length > 0 ? await around(next, groupsOfNeighbourMax) : [];
  const steps = toSteps(betweenSame([...near, ...far], same), terms);
  const weighing = { named, terms, hits: hitsBefore };
  const scores = new Map<string, number>();
  const score = (chunkId: string, by: number) => scores.set(chunkId, Math.max(scores.get(chunkId) ?? 0, by));
  for (const path of rankPaths(steps, weighing))
    for (const step of path.steps) for (const chunkId of step.chunkIds) score(chunkId, path.score);
  for (const { chunkId, nth } of mentions) score(chunkId, mentionShare * (chosen[nth - 1]?.strength ?? 0));
  const hits = [...scores].map(([id, best]): LaneHit => ({ id, score: best }));
  return {
    named,
    steps,
    terms,
    words: wordsOfQuery(query),
    same,
    hits: bestFirst(hits).slice(0, laneHitsMax),
  };
}

/** Which of some entities are the same company or person as another. */
async function findSame(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { ids, near }: { ids: readonly string[]; near: readonly FoundGroup[] },
): Promise<SameEntities> {
  const companies = companiesAmong(ids, near);
  const [namesakes, bearers] = await Promise.all([
    companies.length > 0 ? inEach(scopes, (scope) => findNamesakes(postgres, scope, companies)) : [],
    inEach(scopes, (scope) => findBearers(postgres, scope, ids)),
  ]);
  return bothSame(joinNamesakes(namesakes), joinBearers(bearers));
}

/**
 * The entities that may be companies, and so may appear elsewhere with a legal form: no people, and no
 * places.
 */
function companiesAmong(ids: readonly string[], groups: readonly FoundGroup[]): string[] {
  const others = new Set(
    groups.flatMap(({ sourceEntity, targetEntity, source, target }) => [
      ...(mayBeCompany(source.type) ? [] : [sourceEntity]),
      ...(mayBeCompany(target.type) ? [] : [targetEntity]),
    ]),
  );
  return ids.filter((id) => !others.has(id));
}

function mayBeCompany(type: string): boolean {
  return companyTypes.includes(type.toUpperCase());
}

/** The entities to which the best steps from the named ones lead. */
function neighboursOf(steps: readonly Step[], weighing: Parameters<typeof rankPaths>[1]): string[] {
  const named = new Set(weighing.named.map(({ id }) => id));
  const reached = rankPaths(steps, weighing).flatMap(({ steps: [step, ...more] }) =>
    step && more.length === 0
      ? [step.group.sourceEntity, step.group.targetEntity].filter((id) => !named.has(id))
      : [],
  );
  return [...new Set(reached)].slice(0, neighboursMax);
}

/** The groups of relations around entities, without those that a later fact contradicts. */
async function groupsAround(
  postgres: DataSource,
  scope: SearchScope,
  wanted: { entityIds: readonly string[]; limit: number },
): Promise<FoundGroup[]> {
  const groups = await findGroupsAround(postgres, scope, wanted);
  const inferred = groups.flatMap(({ chunkId, inferred: made }) =>
    made && chunkId !== null ? [chunkId] : [],
  );
  if (inferred.length === 0) return groups;
  const { store, now } = scope;
  const outdated = await findOutdated(postgres.manager, store, { chunkIds: [...new Set(inferred)], now });
  return groups.filter(({ chunkId }) => chunkId === null || !outdated.has(chunkId));
}

function chooseEntities(found: readonly MeantEntity[]): MeantEntity[] {
  const entities = new Map<string, MeantEntity>();
  for (const { id, strength, first, last } of found)
    if (strength > (entities.get(id)?.strength ?? 0)) entities.set(id, { id, strength, first, last });
  return [...entities.values()].sort((a, b) => b.strength - a.strength).slice(0, LIMITS.queryEntitiesMax);
}
