import { clip } from '../lib/characters.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { actorsNamespace, emailOf, entityId, isPerson, isProduct, nameKey } from './entity-key.js';
import type { AppContent } from '../sources/source.types.js';
import { accountOf, actorsOf } from './stored/auxiliary-entities.js';
import type { AuxiliaryEntity } from './stored/auxiliary-entities.js';
import type { LocatedGraph } from './stored/located-graph.js';
import { LinkRole } from './structure.js';
import type { ItemLink } from './structure.js';

/** An entity as it is shown in relations. */
export interface EntityLabel {
  readonly name: string;
  readonly type: string;
  readonly namespace: string;
  readonly identifier: string | null;
  readonly provider: string;
}

/** Where a relation comes from: supplied with the item, or extracted from its text. */
export type RelationOrigin = 'byog' | 'extracted';

/** A relation as stored in its group. */
export interface KeptRelation {
  readonly id: string;
  readonly predicate: string;
  readonly raw: string;
  readonly context: string;
  readonly confidence: number;
  readonly temporal: string | null;
  readonly origin: RelationOrigin;
  /** True when the relation's chunk does not name both of its ends. */
  readonly anchored?: boolean;
}

/** The relations that one chunk states between two entities. */
export interface NewRelationGroup {
  readonly chunk: number | null;
  readonly sourceEntity: string;
  readonly targetEntity: string;
  readonly source: EntityLabel;
  readonly target: EntityLabel;
  readonly relations: readonly KeptRelation[];
}

/** A name by which an item mentions an entity. */
export interface NewMention extends EntityLabel {
  readonly entityId: string;
  readonly isAlias: boolean;
  readonly nameKey: string;
  readonly chunks: readonly number[];
}

const nameCharactersMax = 256;
const chunksOfMentionMax = 50;

/** Groups the relations of a graph by their two entities and their chunk, in their order. */
export function relationGroups(
  collectionId: number,
  graph: LocatedGraph,
  origin: RelationOrigin,
): NewRelationGroup[] {
  const entities = graph.entities.map((entity) => ({
    id: entityId(collectionId, entity),
    label: labelOf(entity),
  }));
  const groups = new Map<string, NewRelationGroup & { relations: KeptRelation[] }>();
  for (const relation of graph.relations) {
    const source = entities[relation.source];
    const target = entities[relation.target];
    if (!source || !target) continue;
    const key = `${source.id} ${target.id} ${relation.chunk}`;
    const group = groups.get(key) ?? {
      chunk: relation.chunk,
      sourceEntity: source.id,
      targetEntity: target.id,
      source: source.label,
      target: target.label,
      relations: [],
    };
    group.relations.push(keep(relation, origin));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function keep(relation: LocatedGraph['relations'][number], origin: RelationOrigin): KeptRelation {
  return {
    id: unorderedUuid(),
    predicate: relation.predicate,
    raw: relation.rawPredicate,
    context: relation.context,
    confidence: relation.confidence,
    temporal: relation.temporalDetails,
    origin,
    ...(relation.anchored ? { anchored: true } : {}),
  };
}

/**
 * Gives people that the text only names the e-mail address that the item has for that name, if it has just
 * one. So the sender of an e-mail is not a second person in its text.
 */
export function withAddresses(graph: LocatedGraph, links: readonly ItemLink[]): LocatedGraph {
  const addresses = new Map<string, Set<string>>();
  for (const { name, identifier } of links.flatMap(actorOfLink)) {
    if (identifier === null) continue;
    const known = addresses.get(nameKey(name)) ?? new Set();
    addresses.set(nameKey(name), known.add(identifier));
  }
  const addressOf = (name: string) => {
    const [address, ...others] = addresses.get(nameKey(name)) ?? [];
    return others.length === 0 ? (address ?? null) : null;
  };
  return {
    ...graph,
    entities: graph.entities.map((entity) => {
      const mayBe = entity.identifier === null && (entity.type === 'PERSON' || entity.type === 'OTHER');
      const identifier = mayBe ? addressOf(entity.name) : null;
      return identifier === null ? entity : { ...entity, type: 'PERSON', identifier };
    }),
  };
}

/** Makes a handle in the text of an application's item ("@anna") the account that it is of. */
export function withAccounts(
  graph: LocatedGraph,
  app: Pick<AppContent, 'kind' | 'provider'> | null,
): LocatedGraph {
  const provider = app?.kind === 'email' ? null : app?.provider;
  if (provider == null) return graph;
  return {
    ...graph,
    entities: graph.entities.map((entity) => {
      const isHandle = entity.identifier === entity.name && /^@\S+$/.test(entity.name);
      const [account] = isHandle ? actorsOf(entity.name, provider) : [];
      if (!account) return entity;
      const { name, type, namespace } = account;
      const identifier = accountOf(account);
      return { ...entity, name, type, namespace, identifier, provider, aliases: [entity.name] };
    }),
  };
}

/** "Mr. Smith"; checked here because a model may return such names too. */
const courtesyName = /^(?:mrs?|ms|miss|mx)\.? \S+$/i;

/**
 * Limits people that are named by a mere title and surname to their item:
 * elsewhere the name means somebody else.
 */
export function withinItem(graph: LocatedGraph, item: string): LocatedGraph {
  return {
    ...graph,
    entities: graph.entities.map((entity) => {
      const isLocal = entity.isLocal === true || courtesyName.test(entity.name);
      return isLocal && entity.type === 'PERSON' && entity.identifier === null ? { ...entity, item } : entity;
    }),
  };
}

/**
 * Keeps a product apart from the organization of the same name in a supplied graph. By its type
 * alone it would be the same entity.
 */
export function withProductsApart(graph: LocatedGraph): LocatedGraph {
  const idOf = (entity: LocatedGraph['entities'][number]) => entityId(0, entity);
  const others = new Set(graph.entities.filter((entity) => !isProduct(entity)).map(idOf));
  return {
    ...graph,
    entities: graph.entities.map((entity) =>
      isProduct(entity) && others.has(idOf(entity)) ? { ...entity, isApart: true } : entity,
    ),
  };
}

/**
 * Limits a person without an identifier to the item where its supplied graph has another of that name with
 * one: by the name alone both would be the same person.
 */
export function withPeopleApart(graph: LocatedGraph, item: string): LocatedGraph {
  const named = (entity: LocatedGraph['entities'][number]) => entityId(0, { ...entity, identifier: null });
  const identified = new Set(graph.entities.filter(({ identifier }) => identifier !== null).map(named));
  return {
    ...graph,
    entities: graph.entities.map((entity) =>
      entity.identifier === null && isPerson(entity) && identified.has(named(entity))
        ? { ...entity, item }
        : entity,
    ),
  };
}

/** The person that a link leads to, as a list of at most one. */
function actorOfLink({ role, target }: ItemLink): AuxiliaryEntity[] {
  const actor = target as AuxiliaryEntity;
  return role === LinkRole.entity && actor.namespace === actorsNamespace ? [actor] : [];
}

/**
 * The mentions of an item: the entities of its graph with their aliases, and the
 * people that it is linked with.
 */
export function mentions(
  collectionId: number,
  graph: LocatedGraph | undefined,
  links: readonly ItemLink[],
): NewMention[] {
  const found = new Map<string, NewMention>();
  const keyOf = (mention: NewMention) => `${mention.entityId} ${mention.nameKey}`;
  const add = (mention: NewMention) => {
    if (mention.nameKey !== '' && !found.has(keyOf(mention))) found.set(keyOf(mention), mention);
  };
  for (const entity of graph?.entities ?? []) {
    const shared = {
      ...labelOf(entity),
      entityId: entityId(collectionId, entity),
      chunks: entity.chunks.slice(0, chunksOfMentionMax),
    };
    add({ ...shared, isAlias: false, nameKey: keyOfName(shared.name) });
    // An e-mail address already decides the id; any other identifier must be found like a name.
    const { identifier } = shared;
    const called = identifier === null || emailOf(identifier) ? [] : [identifier];
    for (const alias of [...entity.aliases.map(clipName), ...called])
      add({ ...shared, name: alias, isAlias: true, nameKey: keyOfName(alias) });
  }
  for (const link of links) {
    for (const actor of actorOfLink(link)) {
      const mention = {
        ...actor,
        entityId: link.key,
        isAlias: false,
        chunks: [],
        nameKey: keyOfName(actor.name),
      };
      const known = found.get(keyOf(mention));
      // A person with this address replaces the bare address that the text names.
      if (known?.type === 'EMAIL') found.set(keyOf(mention), { ...known, ...actor });
      else add(mention);
    }
  }
  return [...found.values()];
}

function labelOf(entity: LocatedGraph['entities'][number]): EntityLabel {
  return {
    name: clipName(entity.name),
    type: clipName(entity.type ?? ''),
    namespace: clipName(entity.namespace ?? ''),
    // That of an account is its application and its name.
    identifier:
      entity.identifier === null || entity.provider !== undefined ? null : clipName(entity.identifier),
    provider: entity.provider ?? '',
  };
}

/** A key as it is stored: one sign can stand for eighteen letters, of which a row of names has no room for many. */
function keyOfName(name: string): string {
  return clipName(nameKey(name));
}

function clipName(text: string): string {
  return clip(text, nameCharactersMax);
}
