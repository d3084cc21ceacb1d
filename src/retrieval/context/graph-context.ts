import type { DataSource } from 'typeorm';
import { betweenSame } from '../../graph/entities/same-entities.js';
import { groupKey } from '../../graph/entity-key.js';
import { joinGroups, toAuxiliary, toGroup } from '../../graph/relations/relation-groups.js';
import type { GroupOfRelations } from '../../graph/relations/relations.queries.js';
import type { RelationGroup } from '../../graph/relations/relations.types.js';
import { withSettledTypes } from '../../graph/stored/settled-types.js';
import { addToList } from '../../lib/add-to-list.js';
import { LIMITS } from '../../limits.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { GraphExploration } from '../lanes/graph-lane.js';
import type { FoundGroup } from '../lanes/graph-lane.queries.js';
import { findPaths } from '../lanes/graph-paths.js';
import type { GraphPath, Step } from '../lanes/graph-paths.js';
import type { SearchScope } from '../search-scope.js';
import { findFoundRelations } from './found-relations.queries.js';
import type { FoundRelations } from './found-relations.queries.js';
import type { ChunkRelationGroup, GraphContext, QueryPath } from './graph-context.types.js';
import { choosePaths } from './query-paths.js';
import { contextOf } from './stated-context.js';

/** A chunk of an answer, with what its relations need. */
export interface AnswerChunk {
  readonly hit: { readonly score: number };
  readonly row: Pick<ChunkRow, 'chunkUuid' | 'sourceUid' | 'corpus' | 'hasRelations'>;
}

/**
 * Hits whose score is below this share of the best have nothing to do with the query, and neither have their
 * relations.
 */
const hitShareMin = 0.1;

/** The graph context of an answer without relations. */
export function emptyGraphContext(): GraphContext {
  return { queryPaths: [], chunkRelations: [], chunkIdToGroupIds: {} };
}

/**
 * Reads what the graph says about a query (`exploration`) and the chunks found for it, in the form of the
 * API.
 */
export async function readGraphContext(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { exploration, found }: { exploration: GraphExploration; found: readonly AnswerChunk[] },
): Promise<GraphContext> {
  const relations = await Promise.all(
    scopes.map(async (scope): Promise<FoundRelations> => {
      const rows = found
        .map(({ row }) => row)
        .filter(({ corpus, hasRelations }) => hasRelations && corpus === scope.store.corpus);
      const sourceUids = [...new Set(rows.map(({ sourceUid }) => sourceUid))];
      const chunkUuids = rows.map(({ chunkUuid }) => chunkUuid);
      return rows.length > 0
        ? findFoundRelations(postgres, scope, { chunkUuids, sourceUids })
        : { groups: [], links: [] };
    }),
  );
  // Scores relative to the best hit, so that paths are compared alike, however well the best hit fits.
  const best = found[0]?.hit.score || 1;
  const hits = new Map(found.map(({ hit, row }) => [row.chunkUuid, hit.score / best]));
  const { same, steps: explored } = exploration;
  const meant = relations.map(({ groups, links }) => ({ groups: betweenSame(groups, same), links }));
  const all = [...explored.map(({ group }) => group), ...meant.flatMap(({ groups }) => groups)];
  const weighing = { ...exploration, hits };
  const shown = choosePaths(findPaths(explored, weighing), weighing);
  const typed = typedSteps(shown, all);
  const queryPaths = shown.map((path) => toQueryPath(path, typed));
  const settled = meant.map(({ groups, links }) => ({ groups: withSettledTypes(groups, all), links }));
  const chunkRelations = chunkGroups(settled, found);
  const chunkIdToGroupIds: Record<string, string[]> = {};
  for (const { sourceChunkIds, groupId } of [...queryPaths, ...chunkRelations])
    for (const id of sourceChunkIds) (chunkIdToGroupIds[id] ??= []).push(groupId);
  return { queryPaths, chunkRelations, chunkIdToGroupIds };
}

/** The groups that paths are shown with, by step. */
function typedSteps(paths: readonly GraphPath[], all: readonly GroupOfRelations[]): Map<Step, FoundGroup> {
  const steps = [...new Set(paths.flatMap((path) => path.steps))];
  const typed = withSettledTypes(
    steps.map(({ group }) => group),
    all,
  );
  return new Map(steps.map((step, index) => [step, typed[index] ?? step.group]));
}

function toQueryPath({ steps, score }: GraphPath, typed: ReadonlyMap<Step, FoundGroup>): QueryPath {
  const triplets = steps.flatMap((step) => {
    const { relation } = step;
    const group = typed.get(step) ?? step.group;
    const { source, target, relations } = toGroup({ ...group, relations: [relation] });
    return relations.map((shown) => ({ source, relation: shown, target }));
  });
  return {
    triplets,
    relevancyScore: score,
    combinedContext: contextOf(triplets),
    groupId: groupKey(triplets.map(({ relation }) => relation.relationshipId)),
    sourceChunkIds: [...new Set(steps.flatMap(({ chunkUuids }) => [...chunkUuids]))].slice(
      0,
      LIMITS.pathChunksMax,
    ),
  };
}

/**
 * The relations that chunks state, and with the first chunk of an item the item's own links; most relevant
 * first.
 */
function chunkGroups(
  relations: readonly FoundRelations[],
  found: readonly AnswerChunk[],
): ChunkRelationGroup[] {
  const ofChunks = new Map<string, ChunkRelationGroup[]>();
  const add = ({ row }: AnswerChunk, group: ChunkRelationGroup) => addToList(ofChunks, row.chunkUuid, group);
  const byUuid = new Map(found.map((chunk) => [chunk.row.chunkUuid, chunk]));
  const byItem = new Map<string, AnswerChunk[]>();
  for (const chunk of found) addToList(byItem, chunk.row.sourceUid, chunk);
  for (const { groups, links } of relations) {
    for (const row of groups) {
      const chunk = byUuid.get(row.chunkUuid ?? '');
      if (chunk) add(chunk, toChunkGroup(toGroup(row), [chunk], ''));
    }
    const recorded = new Map<string, RelationGroup[]>();
    for (const link of links) {
      // A uid comes as a number in JSON.
      const uid = String(link.item.uid);
      recorded.set(uid, [...(recorded.get(uid) ?? []), ...toAuxiliary(link)]);
    }
    for (const [uid, all] of recorded) {
      const chunks = byItem.get(uid) ?? [];
      const [first] = chunks;
      const { groups: joined } = joinGroups(all, LIMITS.relationsOfFoundMax);
      if (first) for (const group of joined) add(first, toChunkGroup(group, chunks, uid));
    }
  }
  const best = Math.max(0, ...found.map(({ hit }) => hit.score));
  return found
    .filter(({ hit }) => hit.score >= best * hitShareMin)
    .flatMap(({ row }) => ofChunks.get(row.chunkUuid) ?? [])
    .slice(0, LIMITS.relationsOfFoundMax)
    .sort((a, b) => b.relevancyScore - a.relevancyScore);
}

function toChunkGroup(
  group: RelationGroup,
  chunks: readonly AnswerChunk[],
  sourceUid: string,
): ChunkRelationGroup {
  const confidence = Math.max(0, ...group.relations.map((relation) => relation.confidence));
  const best = Math.max(0, ...chunks.map(({ hit }) => hit.score));
  return {
    ...group,
    relevancyScore: best * confidence,
    combinedContext: contextOf(group.relations.map((relation) => ({ ...group, relation }))),
    groupId: groupKey([sourceUid, ...group.relations.map(({ relationshipId }) => relationshipId)]),
    sourceChunkIds: chunks.map(({ row }) => row.chunkUuid),
  };
}
