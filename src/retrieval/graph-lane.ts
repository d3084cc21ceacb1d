import type { DataSource } from 'typeorm';
import { entityId } from '../graph/entity-key.js';
import { findOutdated } from '../ingestion/facts.queries.js';
import { LIMITS } from '../limits.js';
import { analyze, stem, termId } from '../text/analyzer.js';
import { bestFirst } from './best-first.js';
import { findGroupsAround, findMentioning, lookUpNames, probeNames } from './graph-lane.queries.js';
import type { FoundGroup, NamedByItems } from './graph-lane.queries.js';
import { findPaths, toSteps } from './graph-paths.js';
import type { NamedEntity, Step } from './graph-paths.js';
import type { LaneHit, SearchScope } from './lanes.queries.js';
import { QueryNames, longestOf } from './query-names.js';
import type { NameCandidate } from './query-names.js';

/** What the graph knows around the entities that a query names. */
export interface GraphExploration {
  readonly named: readonly NamedEntity[];
  readonly steps: readonly Step[];
  /** What the query asks for beside the names in it. */
  readonly terms: ReadonlySet<string>;
  /** Chunks that state what was reached, or mention who was named. */
  readonly hits: readonly LaneHit[];
}

/** A graph of which nothing is known, or wanted. */
export const nothingExplored: GraphExploration = { named: [], steps: [], terms: new Set(), hits: [] };

const aliasStrength = 0.9;
const misspeltStrength = 0.7;
// Several entities of one name: each may be the one.
const ambiguousStrength = 0.8;
const entitiesPerNameMax = 3;
const groupsOfNamedMax = 48;
const neighboursMax = 24;
const groupsOfNeighbourMax = 12;
const mentionShare = 0.2;
const laneHitsMax = 50;
const wordsLookedUpMax = 32;

/**
 * Looks for entities that the query names and goes up to two steps from them, through nothing but items that may be found.
 * A query that names none costs one look-up by index.
 */
export async function exploreGraph(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  query: string,
): Promise<GraphExploration> {
  const found = await findNamed(postgres, scopes, query);
  const named = chooseEntities(found);
  if (named.length === 0) return nothingExplored;
  const ids = named.map(({ id }) => id);
  const around = (entityIds: readonly string[], limit: number) =>
    atOnce(scopes, (scope) => groupsAround(postgres, scope, { entityIds, limit }));
  const [near, mentions] = await Promise.all([
    around(ids, groupsOfNamedMax),
    atOnce(scopes, (scope) => findMentioning(postgres, scope, ids)),
  ]);
  const terms = new Set(analyze(query));
  for (const { key } of found) for (const term of analyze(key)) terms.delete(term);
  const weighing = { named, terms, hits: new Map<string, number>() };
  const neighbours = neighboursOf(toSteps(near), weighing);
  const far = neighbours.length > 0 ? await around(neighbours, groupsOfNeighbourMax) : [];
  const steps = toSteps([...near, ...far]);
  const scores = new Map<string, number>();
  const score = (chunkId: string, by: number) => scores.set(chunkId, Math.max(scores.get(chunkId) ?? 0, by));
  for (const path of findPaths(steps, weighing))
    for (const step of path.steps) for (const chunkId of step.chunkIds) score(chunkId, path.score);
  for (const { chunkId, nth } of mentions) score(chunkId, mentionShare * (named[nth - 1]?.strength ?? 0));
  const hits = [...scores].map(([id, best]): LaneHit => ({ id, score: best }));
  return { named, steps, terms, hits: bestFirst(hits).slice(0, laneHitsMax) };
}

/** A name in the query with one of the entities that go by it. */
interface FoundName extends NameCandidate {
  readonly id: string;
  readonly mentions: number;
  readonly strength: number;
}

async function findNamed(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  query: string,
): Promise<FoundName[]> {
  const names = new QueryNames(query);
  const words = names.plainWords.slice(0, wordsLookedUpMax);
  const terms = words.map((word) => termId(stem(word)));
  const written = await findNames(postgres, scopes, { names: names.candidates, terms, emails: names.emails });
  const unknown = new Set(words.filter((_, index) => written.unknown.has(index + 1)));
  const respelt = unknown.size > 0 ? names.respelt(unknown, written.named) : [];
  if (respelt.length === 0) return written.named;
  const meant = await findNames(postgres, scopes, { names: respelt, terms: [], emails: [] });
  const weaker = meant.named.map((name) => ({ ...name, strength: name.strength * misspeltStrength }));
  return [...written.named, ...weaker];
}

/** What may be a name, and what is asked of the words beside. */
interface Asked {
  readonly names: readonly NameCandidate[];
  readonly terms: readonly number[];
  readonly emails: readonly string[];
}

/** Which names and addresses entities go by, the longest names; and which terms no text holds, by their place. */
async function findNames(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { names, terms, emails }: Asked,
): Promise<{ named: FoundName[]; unknown: ReadonlySet<number> }> {
  const all = [...new Set(names.map(({ key }) => key))];
  if (all.length === 0 && emails.length === 0) return { named: [], unknown: new Set() };
  const probes = await atOnce(scopes, (scope) => probeNames(postgres, scope, { keys: all, terms }));
  const known = new Set(probes.flatMap(({ kind, nth }) => (kind === 'name' ? [nth] : [])));
  const keys = all.filter((_, index) => known.has(index + 1));
  const missing = new Map<number, number>();
  for (const { kind, nth } of probes) if (kind === 'unknown') missing.set(nth, (missing.get(nth) ?? 0) + 1);
  const unknown = new Set([...missing].flatMap(([nth, count]) => (count === scopes.length ? [nth] : [])));
  if (keys.length === 0 && emails.length === 0) return { named: [], unknown };
  const rows = await atOnce(scopes, (scope) =>
    lookUpNames(postgres, scope, { keys, ids: idsOf(emails, scope) }),
  );
  const addressed = rows.flatMap(({ kind, entityId: id }) =>
    kind === 'id' ? [{ key: '', first: -1, last: -1, id, mentions: 1, strength: 1 }] : [],
  );
  return { named: [...addressed, ...longestOf(toNames(names, keys, rows))], unknown };
}

function toNames(
  candidates: readonly NameCandidate[],
  keys: readonly string[],
  rows: readonly NamedByItems[],
): FoundName[] {
  const known = new Map<string, Map<string, { mentions: number; strength: number }>>();
  for (const { kind, nth, entityId: id, isAlias, mentions } of rows) {
    const key = keys[nth - 1];
    if (kind !== 'name' || key === undefined) continue;
    const entities = known.get(key) ?? new Map<string, { mentions: number; strength: number }>();
    const before = entities.get(id);
    const own = isAlias ? aliasStrength : 1;
    entities.set(id, {
      mentions: mentions + (before?.mentions ?? 0),
      strength: Math.max(own, before?.strength ?? 0),
    });
    known.set(key, entities);
  }
  return candidates.flatMap((candidate) => {
    const entities = [...(known.get(candidate.key) ?? [])];
    const share = entities.length > 1 ? ambiguousStrength : 1;
    return entities
      .sort(([, a], [, b]) => b.strength - a.strength || b.mentions - a.mentions)
      .slice(0, entitiesPerNameMax)
      .map(([id, entity]) => ({
        ...candidate,
        id,
        mentions: entity.mentions,
        strength: entity.strength * share,
      }));
  });
}

function chooseEntities(found: readonly FoundName[]): NamedEntity[] {
  const entities = new Map<string, NamedEntity>();
  for (const { id, strength } of found)
    if (strength > (entities.get(id)?.strength ?? 0)) entities.set(id, { id, strength });
  return [...entities.values()].sort((a, b) => b.strength - a.strength).slice(0, LIMITS.queryEntitiesMax);
}

/** Where the best steps from the named entities lead to. */
function neighboursOf(steps: readonly Step[], weighing: Parameters<typeof findPaths>[1]): string[] {
  const named = new Set(weighing.named.map(({ id }) => id));
  const reached = findPaths(steps, weighing).flatMap(({ steps: [step, ...more] }) =>
    step && more.length === 0
      ? [step.group.sourceEntity, step.group.targetEntity].filter((id) => !named.has(id))
      : [],
  );
  return [...new Set(reached)].slice(0, neighboursMax);
}

/** What a later fact contradicts is not said any more. */
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

function idsOf(emails: readonly string[], { collectionIds }: SearchScope): string[] {
  return emails.flatMap((identifier) =>
    collectionIds.map((collectionId) =>
      entityId(collectionId, { name: identifier, type: null, namespace: null, identifier }),
    ),
  );
}

async function atOnce<Found>(
  scopes: readonly SearchScope[],
  find: (scope: SearchScope) => Promise<Found[]>,
): Promise<Found[]> {
  return (await Promise.all(scopes.map(find))).flat();
}
