import type { AuxiliaryEntity } from './auxiliary-entities.js';
import type { AuxiliaryLink } from './auxiliary.queries.js';
import { sourcesNamespace, uuidOf } from './entity-key.js';
import type { EntityLabel } from './item-graph.js';
import type { GraphItem, GroupOfRelations } from './relations.queries.js';
import { Hydration } from './relations.types.js';
import type { EntityRef, Relation, RelationGroup } from './relations.types.js';
import { LinkRole } from './structure.js';
import type { LinkTarget } from './structure.js';

/** A stored group as it is shown. */
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

/** An entity as relations show it. */
export function toEntity(label: EntityLabel | AuxiliaryEntity, entityId: string): EntityRef {
  const { name, type, namespace, identifier, provider } = label;
  return { name, type, namespace, entityId, identifier, provider, hydration: null };
}

/** An item as relations show it. */
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

/** What a link names while no item that may be read goes by it. */
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

/** What is recorded of two ends, as a group of its own. */
export interface Recorded {
  readonly source: EntityRef;
  readonly target: EntityRef;
  readonly predicate: string;
  readonly rawPredicate: string;
  readonly statedAt: Date;
  readonly synthesized?: boolean;
}

/** Recorded structure as a group of one relation. */
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

/** Both sides of a link: whoever is below another has it above. */
export function linkGroups(link: Omit<Recorded, 'synthesized'>): RelationGroup[] {
  const inverse = inversePredicates[link.predicate];
  const group = recordedGroup(link);
  if (inverse === undefined) return [group];
  const { source: target, target: source } = link;
  const other = { ...link, source, target, predicate: inverse, rawPredicate: inverse, synthesized: true };
  return [group, recordedGroup(other)];
}

/** A link as relations show it; none for what would lead from an item to itself. */
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
  if (other?.uid === item.uid || (role === LinkRole.thread && !other)) return [];
  const to = other ? itemRef(other) : stubRef(target);
  return linkGroups({ source, target: to, predicate, rawPredicate, statedAt });
}

/** Groups, and whether there are more of them. */
export interface JoinedGroups {
  readonly groups: RelationGroup[];
  readonly isTruncated: boolean;
}

/** What is recorded of the same two ends as one group, as many groups as there may be. What is recorded twice stands once. */
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
    // What an item says itself goes before what follows from another one.
    if (!known || (known.synthesized && !relation.synthesized))
      relations.set(relation.relationshipId, relation);
  }
  return { ...group, relations: [...relations.values()] };
}

const inversePredicates: Readonly<Record<string, string>> = { child_of: 'parent_of', parent_of: 'child_of' };

/** The same for the same link, whenever it is read. */
function relationshipId({ source, target, predicate }: Recorded): string {
  const ends = [source.namespace, source.entityId, target.namespace, target.entityId, predicate];
  return uuidOf(JSON.stringify(ends));
}
