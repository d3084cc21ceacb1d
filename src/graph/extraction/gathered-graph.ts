import { addToList } from '../../lib/add-to-list.js';
import { LIMITS } from '../../limits.js';
import { emailOf } from '../entity-key.js';
import { keyOf } from './entities.js';
import { withinLimits } from './extracted-graph.js';
import type { ExtractedEntity, ExtractedGraph, ExtractedRelation } from './extracted-graph.js';

/** An entity as one answer of the model gives it. The first of its names is the main one. */
export interface GivenEntity {
  readonly names: readonly string[];
  readonly type: string;
  readonly identifier: string | null;
  readonly chunks: readonly number[];
}

/** What all answers say about entities with the same name and identifier. */
interface Node {
  readonly key: string;
  readonly type: string;
  identifier: string | null;
  /** As spelt in the answers. */
  readonly names: Set<string>;
  readonly chunks: Set<number>;
}

/**
 * Merges the answers of a model. Two names become one entity if an answer says so and nobody else can
 * be meant. A short name that several entities have belongs to none of them, and different
 * identifiers keep entities apart.
 */
export class GatheredGraph {
  private readonly nodes: Node[] = [];
  /** Nodes by their main names. */
  private readonly named = new Map<string, number[]>();
  /** Nodes by their other names. */
  private readonly called = new Map<string, Set<number>>();
  private readonly relations: ExtractedRelation[] = [];

  /** Adds an entity; returns its number, or undefined if there are too many. */
  addEntity({ names: [name, ...others], type, identifier, chunks }: GivenEntity): number | undefined {
    if (name === undefined) return undefined;
    const key = keyOf(name);
    const found = this.findNode(key, identifier);
    if (found === undefined && this.nodes.length >= LIMITS.graphEntitiesMax) return undefined;
    const index = found ?? this.nodes.length;
    const node = (this.nodes[index] ??= { key, type, identifier, names: new Set(), chunks: new Set() });
    if (found === undefined) addToList(this.named, key, index);
    node.identifier ??= identifier;
    for (const each of [name, ...others]) node.names.add(each);
    for (const chunk of chunks) node.chunks.add(chunk);
    for (const alias of others.map(keyOf).filter((each) => each !== key))
      this.called.set(alias, (this.called.get(alias) ?? new Set()).add(index));
    return index;
  }

  /** Adds a relation; its ends are numbers of entities. */
  addRelation(relation: ExtractedRelation): void {
    this.relations.push(relation);
  }

  /** The number of the entity with a name, among some or all; undefined if none or several have it. */
  find(name: string, among?: ReadonlySet<number>): number | undefined {
    const key = keyOf(name);
    for (const known of [this.named.get(key), this.called.get(key)]) {
      const found = [...(known ?? [])].filter((index) => among?.has(index) ?? true);
      if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    }
    return undefined;
  }

  /** The merged graph, within the limits. */
  graph(): ExtractedGraph {
    const roots = this.join();
    const joined = new Map<number, Node[]>();
    this.nodes.forEach((node, index) => addToList(joined, roots[index] ?? index, node));
    const places = new Map([...joined.keys()].map((root, place) => [root, place]));
    const placeOf = (index: number) => places.get(roots[index] ?? index) ?? 0;
    return {
      entities: [...joined].map(([root, nodes]) => this.entityOf(root, nodes, roots)),
      relations: withinLimits(
        distinct(
          this.relations.map((relation) => ({
            ...relation,
            source: placeOf(relation.source),
            target: placeOf(relation.target),
          })),
        ),
      ),
    };
  }

  private findNode(key: string, identifier: string | null): number | undefined {
    const known = this.named.get(key) ?? [];
    const identified = (index: number) => identityOf(this.nodes[index]?.identifier ?? null);
    const same = known.find((index) => identified(index) === identityOf(identifier));
    if (same !== undefined) return same;
    // With just two of one name, an entity with an identifier and one without are the same.
    const [other, ...more] = known;
    if (other === undefined || more.length > 0) return undefined;
    return identifier === null || identified(other) === null ? other : undefined;
  }

  /** For each node the number of the node whose entity it joins. */
  private join(): number[] {
    const roots = this.nodes.map((_, index) => index);
    const identities = this.nodes.map(({ identifier }) => identityOf(identifier));
    const join = (index: number, into: number): boolean => {
      const [from, to] = [roots[index] ?? index, roots[into] ?? into];
      const [own, others] = [identities[from] ?? null, identities[to] ?? null];
      if (from === to || (own !== null && others !== null && own !== others)) return false;
      identities[to] = others ?? own;
      roots.forEach((root, each) => {
        if (root === from) roots[each] = to;
      });
      return true;
    };
    const firstOf = new Map<string, number>();
    for (const [index, identity] of [...identities.entries()]) {
      if (identity === null) continue;
      join(index, firstOf.get(identity) ?? index);
      if (!firstOf.has(identity)) firstOf.set(identity, index);
    }
    // Joining entities may leave another name with only one meaning.
    while (this.joinNames(roots, join));
    return roots;
  }

  /**
   * Joins entities with a main name to the only others that have it as another name;
   * returns whether there were any.
   */
  private joinNames(roots: readonly number[], join: (index: number, into: number) => boolean): boolean {
    let joined = false;
    const rootOf = (index: number) => roots[index] ?? index;
    for (const [key, callers] of this.called) {
      const owners = new Set((this.named.get(key) ?? []).map(rootOf));
      const others = new Set([...callers].map(rootOf).filter((root) => !owners.has(root)));
      const [[owner], [other]] = [owners, others];
      if (owners.size !== 1 || others.size !== 1 || owner === undefined || other === undefined) continue;
      joined = join(owner, other) || joined;
    }
    return joined;
  }

  private entityOf(root: number, own: readonly Node[], roots: readonly number[]): ExtractedEntity {
    const first = this.nodes[root];
    const [name = ''] = first?.names ?? [];
    const isOwn = (alias: string) => {
      const key = keyOf(alias);
      if (own.some((node) => node.key === key)) return true;
      const bearers = [...(this.named.get(key) ?? []), ...(this.called.get(key) ?? [])];
      return bearers.every((index) => roots[index] === root);
    };
    const names = new Set(own.flatMap((node) => [...node.names]));
    return {
      name,
      type: first?.type ?? '',
      namespace: null,
      identifier: own.map(({ identifier }) => identifier).find((each) => each !== null) ?? null,
      aliases: [...names].filter((alias) => alias !== name && isOwn(alias)).slice(0, LIMITS.graphAliasesMax),
      chunks: [...new Set(own.flatMap(({ chunks }) => [...chunks]))].sort((a, b) => a - b),
    };
  }
}

/** The form in which identifiers are compared. */
function identityOf(identifier: string | null): string | null {
  return emailOf(identifier) ?? identifier;
}

/** Removes repeated relations, and those of an entity with itself. */
function distinct(relations: readonly ExtractedRelation[]): ExtractedRelation[] {
  const kept = new Map<string, ExtractedRelation>();
  for (const relation of relations) {
    const { source, target, predicate, chunk } = relation;
    const key = JSON.stringify([source, target, predicate, chunk]);
    if (source !== target && !kept.has(key)) kept.set(key, relation);
  }
  return [...kept.values()];
}
