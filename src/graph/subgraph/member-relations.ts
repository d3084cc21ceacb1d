import { addToList } from '../../lib/add-to-list.js';
import { itemRef, joinGroups, linkGroups, stubRef } from '../relations/relation-groups.js';
import type { JoinedGroups } from '../relations/relation-groups.js';
import type { GraphItem } from '../relations/relations.queries.js';
import type { EntityRef, RelationGroup } from '../relations/relations.types.js';
import { LinkRole } from '../structure.js';
import type { MemberLink } from './subgraph.queries.js';

/** A link between two members. */
interface MemberEdge {
  readonly from: GraphItem;
  readonly to: GraphItem;
  readonly link: MemberLink;
}

/** Predicates of a hierarchy, and what the item with the link is to the other one. */
const hierarchy: Readonly<Record<string, 'child' | 'parent'>> = {
  child_of: 'child',
  comment_on: 'child',
  parent_of: 'parent',
};

/** The relations between the members of a subgraph. */
export class MemberRelations {
  /** The members by uid. */
  readonly members: ReadonlyMap<string, GraphItem>;
  private readonly edges: readonly MemberEdge[];
  private readonly threads = new Map<string, { member: GraphItem; link: MemberLink }[]>();
  private readonly edgesOf = new Map<string, MemberEdge[]>();
  private readonly refs = new Map<GraphItem, EntityRef>();
  /** Links that lead to no member. */
  private readonly stubs: readonly MemberLink[];

  /** `keys` are, for each member, the keys that links to it use. */
  constructor(
    members: readonly GraphItem[],
    keys: readonly (readonly string[])[],
    { links, stubs }: { links: readonly MemberLink[]; stubs: readonly MemberLink[] },
  ) {
    this.members = new Map(members.map((member) => [member.uid, member]));
    const owners = new Map<string, GraphItem[]>();
    members.forEach((member, index) => {
      for (const key of keys[index] ?? []) addToList(owners, key, member);
    });
    const edges: MemberEdge[] = [];
    for (const link of links) {
      const from = this.members.get(link.uid);
      if (!from) continue;
      if (link.role === LinkRole.thread) addToList(this.threads, link.key, { member: from, link });
      if (link.role !== LinkRole.link) continue;
      for (const to of owners.get(link.key) ?? []) if (to.uid !== from.uid) edges.push({ from, to, link });
    }
    this.edges = edges;
    // An item may have arrived since the stubs were read; then it is a member.
    this.stubs = stubs.filter(({ key }) => !owners.has(key));
    for (const edge of edges) addToList(this.edgesOf, pairOf(edge.from, edge.to), edge);
  }

  /**
   * What a member is to another one: `child` or `parent` if a hierarchy connects them, else the predicate
   * of a link, else `same_thread`.
   */
  relationTo(found: GraphItem, from: GraphItem): string {
    const said = this.edgesOf.get(pairOf(found, from)) ?? [];
    const heard = this.edgesOf.get(pairOf(from, found)) ?? [];
    for (const { link } of said) {
      const own = hierarchy[link.predicate];
      if (own) return own;
    }
    for (const { link } of heard) {
      const other = hierarchy[link.predicate];
      if (other) return other === 'child' ? 'parent' : 'child';
    }
    return (said[0] ?? heard[0])?.link.predicate ?? 'same_thread';
  }

  /**
   * Groups of the links between members and of the stubs, at most `max`. The members of a thread
   * are linked to its earliest one.
   */
  groups(max: number): JoinedGroups {
    return joinGroups(this.recorded(), max);
  }

  private *recorded(): Generator<RelationGroup> {
    const between = (from: GraphItem, to: GraphItem | undefined, link: MemberLink) => {
      const { predicate, rawPredicate, statedAt } = link;
      const source = this.refTo(from);
      const target = to ? this.refTo(to) : stubRef(link.target ?? {});
      return linkGroups({ source, target, predicate, rawPredicate, statedAt });
    };
    for (const { from, to, link } of this.edges) yield* between(from, to, link);
    for (const members of this.threads.values()) {
      const [first, ...others] = [...members].sort(byTime);
      for (const { member, link } of others) yield* between(member, first?.member, link);
    }
    for (const link of this.stubs) {
      const from = this.members.get(link.uid);
      if (from) yield* between(from, undefined, link);
    }
  }

  private refTo(member: GraphItem): EntityRef {
    const known = this.refs.get(member);
    if (known) return known;
    const ref = itemRef(member);
    this.refs.set(member, ref);
    return ref;
  }
}

function byTime(
  a: { member: GraphItem; link: MemberLink },
  b: { member: GraphItem; link: MemberLink },
): number {
  return (
    a.link.statedAt.getTime() - b.link.statedAt.getTime() ||
    Number(BigInt(a.member.uid) - BigInt(b.member.uid))
  );
}

function pairOf(from: GraphItem, to: GraphItem): string {
  return `${from.uid} ${to.uid}`;
}
