import { sourcesNamespace, uuidOf } from '../entity-key.js';
import type { EntityLabel } from '../item-graph.js';
import type { AuxiliaryEntity } from '../stored/auxiliary-entities.js';
import { LinkRole } from '../structure.js';
import type { LinkTarget } from '../structure.js';
import type { AuxiliaryLink } from '../subgraph/auxiliary.queries.js';
import type { GraphItem, GroupOfRelations } from './relations.queries.js';
import { Hydration } from './relations.types.js';
import type { EntityRef, Relation, RelationGroup } from './relations.types.js';

const inversePredicates: Readonly<Record<string, string>> = { child_of: 'parent_of', parent_of: 'child_of' };

/** A stored group of relations in the form of the API. */
export function toGroup(row: GroupOfRelations): RelationGroup {
  const { statedAt: timestamp, sourceEntity, targetEntity } = row;
  const chunkId = row.relations.some(({ anchored }) => anchored) ? null : row.chunkUuid;
  const epochSeconds = timestamp.getTime() / 1000;
  return {
    source: toEntity(row.source, sourceEntity),
    target: toEntity(row.target, targetEntity),
    relations: row.relations.map((kept) => ({
      canonicalPredicate: kept.predicate,
      rawPredicate: kept.raw,
      context: kept.context,
      confidence: kept.confidence,
      temporalDetails: kept.temporal,
      timestamp,
      epochSeconds,
      relationshipId: kept.id,
      chunkId,
      sourceEntityId: sourceEntity,
      targetEntityId: targetEntity,
      synthesized: null,
      origin: kept.origin,
    })),
    chunkId,
    truncated: null,
  };
}

/** An entity in the form of the API. */
export function toEntity(label: EntityLabel | AuxiliaryEntity, entityId: string): EntityRef {
  const { name, type, namespace, identifier, provider } = label;
  return { name, type, namespace, entityId, identifier, provider, hydration: null };
}

/** An item as an end of a relation. */
export function itemRef(item: GraphItem): EntityRef {
  return {
    name: item.title,
    type: 'SOURCE',
    namespace: sourcesNamespace,
    entityId: item.id,
    identifier: item.appExternalId,
    provider: item.appProvider ?? '',
    hydration: Hydration.resolved,
  };
}

/** The target of a link as an end of a relation, for lack of a readable item. */
export function stubRef({ id, provider, externalId }: LinkTarget): EntityRef {
  const name = id ?? externalId ?? '';
  return {
    name,
    type: 'SOURCE',
    namespace: sourcesNamespace,
    entityId: id ?? (provider ? `${provider}:${name}` : name),
    identifier: externalId ?? null,
    provider: provider ?? '',
    hydration: Hydration.stub,
  };
}

/** A recorded connection between two ends. */
export interface Recorded {
  readonly source: EntityRef;
  readonly target: EntityRef;
  readonly predicate: string;
  readonly rawPredicate: string;
  readonly statedAt: Date;
  readonly synthesized?: boolean;
}

/** A recorded connection as a group of one relation. */
function recordedGroup(recorded: Recorded): RelationGroup {
  const { source, target, predicate, rawPredicate, statedAt: timestamp, synthesized = false } = recorded;
  const relation: Relation = {
    canonicalPredicate: predicate,
    rawPredicate,
    context: '',
    confidence: 1,
    temporalDetails: null,
    timestamp,
    epochSeconds: timestamp.getTime() / 1000,
    relationshipId: relationshipId(recorded),
    chunkId: '',
    sourceEntityId: source.entityId,
    targetEntityId: target.entityId,
    synthesized: synthesized || null,
    origin: 'structure',
  };
  return { source, target, relations: [relation], chunkId: '', truncated: false };
}

/** The group of a link and, for `child_of` and `parent_of`, that of its other side. */
export function linkGroups(link: Omit<Recorded, 'synthesized'>): RelationGroup[] {
  const inverse = inversePredicates[link.predicate];
  const group = recordedGroup(link);
  if (inverse === undefined) return [group];
  const { source: target, target: source } = link;
  const other = { ...link, source, target, predicate: inverse, rawPredicate: inverse, synthesized: true };
  return [group, recordedGroup(other)];
}

/** A link in the form of the API; empty when it would lead from an item to itself. */
export function toAuxiliary(link: AuxiliaryLink): RelationGroup[] {
  const { item, other, role, key, target, predicate, rawPredicate, statedAt } = link;
  const source = itemRef(item);
  if (role === LinkRole.entity) {
    const { name = '', type = '', namespace = '', identifier = null, provider } = target;
    const entity = toEntity({ name, type, namespace, identifier, provider: provider ?? '' }, key);
    const isOnItem = predicate === 'comment_on';
    const ends = isOnItem ? { source: entity, target: source } : { source, target: entity };
    return [recordedGroup({ ...ends, predicate, rawPredicate, statedAt })];
  }
  if (other?.uid === item.uid) return [];
  const to = other ? itemRef(other) : stubRef(target);
  return linkGroups({ source, target: to, predicate, rawPredicate, statedAt });
}

/** Groups, and whether there are more. */
export interface JoinedGroups {
  readonly groups: RelationGroup[];
  readonly isTruncated: boolean;
}

/** Joins groups with the same two ends, without repeated relations, into at most `max` groups. */
export function joinGroups(groups: Iterable<RelationGroup>, max: number): JoinedGroups {
  const joined = new Map<string, RelationGroup>();
  for (const group of groups) {
    const { source, target } = group;
    const key = JSON.stringify([source.namespace, source.entityId, target.namespace, target.entityId]);
    const known = joined.get(key);
    if (!known && joined.size >= max) return { groups: [...joined.values()], isTruncated: true };
    joined.set(key, known ? joinTwo(known, group) : group);
  }
  return { groups: [...joined.values()], isTruncated: false };
}

function joinTwo(group: RelationGroup, other: RelationGroup): RelationGroup {
  const relations = new Map(group.relations.map((relation) => [relation.relationshipId, relation]));
  for (const relation of other.relations) {
    const known = relations.get(relation.relationshipId);
    // An item's own statement has priority over one derived from the other side.
    if (!known || (known.synthesized && !relation.synthesized))
      relations.set(relation.relationshipId, relation);
  }
  return { ...group, relations: [...relations.values()] };
}

/** The id of a recorded relation; the same at each reading. */
function relationshipId({ source, target, predicate }: Recorded): string {
  const ends = [source.namespace, source.entityId, target.namespace, target.entityId, predicate];
  return uuidOf(JSON.stringify(ends));
}
