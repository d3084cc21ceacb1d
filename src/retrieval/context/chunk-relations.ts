import { groupKey, sourcesNamespace } from '../../graph/entity-key.js';
import { joinGroups, toAuxiliary, toGroup } from '../../graph/relations/relation-groups.js';
import type { GroupOfRelations } from '../../graph/relations/relations.queries.js';
import type { EntityRef, RelationGroup } from '../../graph/relations/relations.types.js';
import type { AuxiliaryLink } from '../../graph/subgraph/auxiliary.queries.js';
import { groupBy } from '../../lib/group-by.js';
import { LIMITS } from '../../limits.js';
import { analyze } from '../../text/analyzer.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import { isAskedBy } from './asked-predicates.js';
import type { FoundRelations } from './found-relations.queries.js';
import type { ChunkRelationGroup } from './graph-context.types.js';
import { withOtherForm } from '../../text/offices.js';
import { contextOf } from './stated-context.js';

/** A chunk of an answer, with what its relations need. */
export interface AnswerChunk {
  readonly hit: { readonly score: number };
  readonly row: Pick<ChunkRow, 'chunkUuid' | 'sourceUid' | 'corpus' | 'hasRelations'>;
}

/** Relations with the chunks that state them; `sourceUid` is set for the links of an item. */
interface Stated {
  readonly group: RelationGroup;
  readonly chunks: readonly AnswerChunk[];
  readonly sourceUid: string;
  /** How many terms of the query the relations say. */
  readonly covered: number;
}

/**
 * Hits whose score is below this share of the best have nothing to do with the query, and neither have their
 * relations.
 */
const hitShareMin = 0.1;
/** What is left of the relevance of relations that say nothing of what the query asks. */
const unaskedShare = 0.5;

/** The terms of a query, and the chunks found for it that have to do with it. */
interface Asked {
  readonly terms: readonly string[];
  readonly near: readonly AnswerChunk[];
}

/**
 * The relations that chunks state, and with the first chunk of an item the item's own links; most relevant
 * first. Of each chunk and item those are taken that say most of what the query asks.
 */
export function relationsOfChunks(
  relations: readonly FoundRelations[],
  { query, found }: { query: string; found: readonly AnswerChunk[] },
): ChunkRelationGroup[] {
  const best = Math.max(0, ...found.map(({ hit }) => hit.score));
  const near = found.filter(({ hit }) => hit.score >= best * hitShareMin);
  const asked: Asked = { terms: [...new Set(analyze(query))], near };
  const places = new Map(near.map((chunk, index) => [chunk, index]));
  const placeOf = ({ chunks: [first] }: Stated) => (first ? places.get(first) : undefined) ?? near.length;
  const all = relations.flatMap(({ groups, links }) => [
    ...ofChunks(groups, asked),
    ...ofItems(links, asked),
  ]);
  const stated = withoutRepeated(all.sort((a, b) => placeOf(a) - placeOf(b)));
  const most = Math.max(0, ...stated.map(({ covered }) => covered));
  return stated
    .map((each) => toChunkGroup(each, most))
    .sort((a, b) => b.relevancyScore - a.relevancyScore)
    .slice(0, LIMITS.relationsOfFoundMax);
}

function ofChunks(groups: readonly GroupOfRelations[], { terms, near }: Asked): Stated[] {
  const byChunk = groupBy(groups, ({ chunkUuid }) => chunkUuid);
  return near.flatMap((chunk) =>
    (byChunk.get(chunk.row.chunkUuid) ?? [])
      .map((row) => {
        const group = toGroup(row);
        return { group, chunks: [chunk], sourceUid: '', covered: coveredBy(group, terms) };
      })
      .sort((a, b) => b.covered - a.covered)
      .slice(0, LIMITS.relationsOfChunkMax),
  );
}

/** The links of items; of links that say as much of what is asked, one of each predicate first. */
function ofItems(links: readonly AuxiliaryLink[], { terms, near }: Asked): Stated[] {
  // A uid comes as a number in JSON.
  const byItem = groupBy(links, ({ item }) => String(item.uid));
  return [...byItem].flatMap(([sourceUid, own]) => {
    const chunks = near.filter(({ row }) => row.sourceUid === sourceUid);
    if (chunks.length === 0) return [];
    const alike = new Map<string, number>();
    const chosen = own
      .flatMap((link) => {
        const groups = toAuxiliary(link);
        const [group] = groups;
        if (!group) return [];
        const predicate = group.relations[0]?.canonicalPredicate ?? '';
        const before = alike.get(predicate) ?? 0;
        alike.set(predicate, before + 1);
        return [{ groups, before, covered: coveredBy(group, terms, link.item.id) }];
      })
      .sort((a, b) => b.covered - a.covered || a.before - b.before)
      .slice(0, LIMITS.relationsOfFoundItemMax);
    const itemId = own[0]?.item.id;
    const { groups } = joinGroups(
      chosen.flatMap((each) => each.groups),
      LIMITS.relationsOfFoundMax,
    );
    return groups.map((group) => {
      // Who got a mail answers nothing of what is asked of him, although it has his name.
      const covered = isAskedFor(group, terms) ? coveredBy(group, terms, itemId) : 0;
      return { group, chunks, sourceUid, covered };
    });
  });
}

/**
 * How many terms of a query relations say by their predicates and ends, or are asked for by. The title of the
 * item whose links they are does not count: it says why the item was found, and nothing of its links.
 */
function coveredBy(
  { source, target, relations }: RelationGroup,
  terms: readonly string[],
  itemId?: string,
): number {
  const isOwn = ({ namespace, entityId }: EntityRef) => namespace === sourcesNamespace && entityId === itemId;
  const words = [
    ...[source, target].flatMap((end) => (isOwn(end) ? [] : [end.name])),
    ...relations.flatMap(({ canonicalPredicate: name, rawPredicate }) => [
      name.replaceAll('_', ' '),
      withOtherForm(rawPredicate),
    ]),
  ];
  const said = new Set(analyze(words.join(' ')));
  const isAsked = (term: string) =>
    relations.some(({ canonicalPredicate }) => isAskedBy(term, canonicalPredicate));
  return terms.filter((term) => said.has(term) || isAsked(term)).length;
}

/** Whether a query has a word for what relations say, beside the names of their ends. */
function isAskedFor({ relations }: RelationGroup, terms: readonly string[]): boolean {
  return relations.some(({ canonicalPredicate: name }) => {
    const said = new Set(analyze(name.replaceAll('_', ' ')));
    return terms.some((term) => said.has(term) || isAskedBy(term, name));
  });
}

/** What several chunks state appears once, with the chunk that answers the query best, and names all of them. */
function withoutRepeated(stated: readonly Stated[]): Stated[] {
  const shown: Stated[] = [];
  const places = new Map<string, number>();
  for (const each of stated) {
    const keys = statementsOf(each.group);
    const [at, ...others] = [...new Set(keys.map((key) => places.get(key)))];
    const known = at === undefined ? undefined : shown[at];
    if (at !== undefined && known && others.length === 0) {
      shown[at] = { ...known, chunks: [...new Set([...known.chunks, ...each.chunks])] };
      continue;
    }
    for (const key of keys) if (!places.has(key)) places.set(key, shown.length);
    shown.push(each);
  }
  return shown;
}

function statementsOf({ source, target, relations }: RelationGroup): string[] {
  return relations.map(({ canonicalPredicate, temporalDetails }) =>
    JSON.stringify([source.entityId, canonicalPredicate, target.entityId, temporalDetails]),
  );
}

function toChunkGroup({ group, chunks, sourceUid, covered }: Stated, most: number): ChunkRelationGroup {
  const confidence = Math.max(0, ...group.relations.map((relation) => relation.confidence));
  const best = Math.max(0, ...chunks.map(({ hit }) => hit.score));
  const asked = most === 0 ? 1 : covered / most;
  const triplets = group.relations.map((relation) => ({
    source: group.source,
    relation,
    target: group.target,
  }));
  return {
    ...group,
    triplets,
    relevancyScore: best * confidence * (unaskedShare + (1 - unaskedShare) * asked),
    combinedContext: contextOf(triplets),
    groupId: groupKey([sourceUid, ...group.relations.map(({ relationshipId }) => relationshipId)]),
    sourceChunkIds: chunks.map(({ row }) => row.chunkUuid),
  };
}
