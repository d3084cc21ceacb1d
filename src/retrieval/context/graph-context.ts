import type { DataSource } from 'typeorm';
import { betweenSame } from '../../graph/entities/same-entities.js';
import { groupKey } from '../../graph/entity-key.js';
import { toGroup } from '../../graph/relations/relation-groups.js';
import type { GroupOfRelations } from '../../graph/relations/relations.queries.js';
import { withSettledTypes } from '../../graph/stored/settled-types.js';
import { LIMITS } from '../../limits.js';
import type { GraphExploration } from '../lanes/graph-lane.js';
import type { FoundGroup } from '../lanes/graph-lane.queries.js';
import { rankPaths } from '../lanes/graph-paths.js';
import type { GraphPath, Step } from '../lanes/graph-paths.js';
import type { SearchScope } from '../search-scope.js';
import { relationsOfChunks } from './chunk-relations.js';
import type { AnswerChunk } from './chunk-relations.js';
import { findFoundRelations } from './found-relations.queries.js';
import type { FoundRelations } from './found-relations.queries.js';
import type { GraphContext, QueryPath } from './graph-context.types.js';
import { choosePaths } from './query-paths.js';
import { contextOf } from './stated-context.js';

/** The graph context of an answer without relations. */
export function emptyGraphContext(): GraphContext {
  return { queryPaths: [], chunkRelations: [], chunkIdToGroupIds: {} };
}

/** A query, what the graph knows around the entities that it names, and the chunks found for it. */
export interface AnsweredQuery {
  readonly query: string;
  readonly exploration: GraphExploration;
  readonly found: readonly AnswerChunk[];
}

/**
 * Reads what the graph says about a query (`exploration`) and the chunks found for it, in the form of the
 * API.
 */
export async function readGraphContext(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { query, exploration, found }: AnsweredQuery,
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
  const shown = choosePaths(rankPaths(explored, weighing), weighing);
  const typed = typedSteps(shown, all);
  const queryPaths = shown.map((path) => toQueryPath(path, typed));
  const settled = meant.map(({ groups, links }) => ({ groups: withSettledTypes(groups, all), links }));
  const chunkRelations = relationsOfChunks(settled, { query, found });
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
