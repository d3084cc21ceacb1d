import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { invalidInput } from '../../errors.js';
import { boundedNumber } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { counted } from '../../lib/counted.js';
import { LIMITS } from '../../limits.js';
import { inSnapshot } from '../../postgres/snapshot.js';
import { readCorpus } from '../../sources/read-corpus.js';
import { itemKey } from '../entity-key.js';
import { findGraph } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { joinGroups, toAuxiliary } from '../relations/relation-groups.js';
import type { GraphItem } from '../relations/relations.queries.js';
import { Hydration } from '../relations/relations.types.js';
import { LinkRole, keysOf, threadsOf } from '../structure.js';
import { MemberRelations } from './member-relations.js';
import { findLinksAlong, findLinksOf, findReached } from './subgraph.queries.js';
import type { LinkWay, MemberLink, ReachedInHop } from './subgraph.queries.js';
import type { Subgraph, SubgraphArgs } from './subgraph.types.js';

interface SubgraphOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

/** A snapshot of the database that is read as one reader. */
interface Seen {
  readonly manager: EntityManager;
  readonly read: GraphRead;
}

/** A member, and how it was reached. */
interface Reached {
  readonly item: GraphItem;
  readonly depth: number;
  readonly via: GraphItem | undefined;
}

/** The members in the order in which they were reached. */
interface Traversal {
  readonly members: readonly Reached[];
  /** Links to missing items, of the members that the traversal continued from. */
  readonly stubs: readonly MemberLink[];
  readonly isTruncated: boolean;
}

const nothingReached: Traversal = { members: [], stubs: [], isTruncated: false };
// How many links of members are read, and how many groups of them are shown.
const linksMax = 20_000;
const groupsMax = 10_000;

/** Finds the items connected with an item, hop by hop, through readable items only. */
export class SubgraphService {
  constructor(private readonly options: SubgraphOptions) {}

  /**
   * The items around one item; none if it does not exist or may not be read.
   * @throws AppError INVALID_INPUT
   */
  async subgraph(caller: Caller, args: SubgraphArgs): Promise<Subgraph> {
    const { subgraphDepthMax, subgraphSourcesMax } = LIMITS;
    const depth = boundedNumber(args.depth ?? LIMITS.subgraphDepthDefault, 'depth', subgraphDepthMax);
    const most = boundedNumber(
      args.maxSources ?? LIMITS.subgraphSourcesDefault,
      'max_sources',
      subgraphSourcesMax,
    );
    if (args.id === '') throw invalidInput('id', 'is required');
    const { collections, clock } = this.options;
    const place = { question: args, corpus: readCorpus(args.type), now: clock.now() };
    const read = await findGraph(collections, caller, place);
    if (!read) return toSubgraph(args.id, nothingReached);
    return inSnapshot(this.options.postgres, async (manager) => {
      const seen = { manager, read };
      // If the item may not be read, the first hop finds nothing.
      const first = await reach(seen, { from: [{ id: args.id }], members: [], threads: new Set(), most });
      if (!first.seed) return toSubgraph(args.id, nothingReached);
      const traversal = await traverse(seen, first.seed, { first, depth, most });
      return connect(seen, args.id, traversal);
    });
  }
}

async function traverse(
  seen: Seen,
  seed: GraphItem,
  { first, depth: depthMax, most }: { first: ReachedInHop; depth: number; most: number },
): Promise<Traversal> {
  const members: Reached[] = [{ item: seed, depth: 0, via: undefined }];
  const threads = new Set<string>();
  const stubs: MemberLink[] = [];
  let isTruncated = false;
  let expanded = 0;
  for (let depth = 1; depth <= depthMax && expanded < members.length && !isTruncated; depth += 1) {
    const hop = members.slice(expanded).map(({ item }) => item);
    const isFirst = depth === 1;
    const part = isFirst ? hop.length : countToFill(members, { expanded, most });
    expanded = members.length;
    // What the first members reach comes first, so the others are only read while there is room.
    for (const from of [hop.slice(0, part), hop.slice(part)]) {
      if (from.length === 0) continue;
      const reached = isFirst ? first : await reach(seen, { from, members, threads, most });
      for (const item of from)
        for (const key of threadsOf(seen.read.scope.collectionId, item)) threads.add(key);
      const left = most - members.length;
      for (const item of reached.items.slice(0, left)) members.push({ item, depth, via: from[item.via - 1] });
      for (const stub of reached.stubs) stubs.push({ ...stub, uid: from[stub.via - 1]?.uid ?? '' });
      isTruncated = reached.items.length > left;
      if (isTruncated) break;
    }
  }
  return { members, stubs, isTruncated };
}

/**
 * The items one hop away that are not members yet. One more than there is room for is read,
 * to detect that there are more.
 */
function reach(
  { manager, read }: Seen,
  {
    from,
    members,
    threads,
    most,
  }: {
    from: readonly { readonly id: string }[];
    members: readonly Reached[];
    threads: ReadonlySet<string>;
    most: number;
  },
): Promise<ReachedInHop> {
  return findReached(manager, read, {
    from: from.map(({ id }) => ({ id, key: itemKey(read.scope.collectionId, id) })),
    visited: members.map(({ item }) => item.uid),
    threads: [...threads],
    limit: most - Math.max(1, members.length) + 1,
    stubsLimit: groupsMax + 1,
    isFirst: members.length === 0,
  });
}

/** Adds the relations between the members. */
async function connect({ manager, read }: Seen, seedId: string, traversal: Traversal): Promise<Subgraph> {
  const items = traversal.members.map(({ item }) => item);
  const keys = items.map((item) => keysOf(read.scope.collectionId, item));
  const auxiliaryMax = LIMITS.relationsAuxiliaryMax;
  const limits = { limit: linksMax + 1, entitiesLimit: auxiliaryMax + 1 };
  const links = await findLinksOf(manager, read, { members: items, keys: keys.flat(), ...limits });
  const related = links.filter(({ role }) => role !== LinkRole.entity);
  const isCut = related.length > linksMax;
  const { stubs } = traversal;
  const relations = new MemberRelations(items, keys, { links: related.slice(0, linksMax), stubs });
  // If there are too many links, those by which members were reached are read separately.
  const along = isCut ? await findLinksAlong(manager, read, waysOf(traversal, keys)) : undefined;
  const ways = along ? new MemberRelations(items, keys, { links: along, stubs: [] }) : relations;
  const entities = links.flatMap((link) => {
    const item = link.role === LinkRole.entity ? relations.members.get(link.uid) : undefined;
    return item ? [{ ...link, item, other: null, target: link.target ?? {} }] : [];
  });
  const { groups, isTruncated } = relations.groups(groupsMax);
  const auxiliary = joinGroups(entities.slice(0, auxiliaryMax).flatMap(toAuxiliary), auxiliaryMax);
  return {
    ...toSubgraph(seedId, traversal, ways),
    relations: groups,
    auxiliaryRelations: auxiliary.groups,
    auxiliaryTruncated: entities.length > auxiliaryMax,
    isTruncated: traversal.isTruncated || isCut || isTruncated || stubs.length > groupsMax,
  };
}

/**
 * The links by which members were reached, in both directions. `keys` are, for each member,
 * the keys that links to it use.
 */
function waysOf({ members }: Traversal, keys: readonly (readonly string[])[]): LinkWay[] {
  const keysOfItem = new Map(members.map(({ item }, index) => [item.uid, keys[index] ?? []]));
  return members.flatMap(({ item, via }) => {
    const towards = (from: GraphItem, to: GraphItem) =>
      (keysOfItem.get(to.uid) ?? []).map((key) => ({ uid: from.uid, key }));
    return via ? [...towards(item, via), ...towards(via, item)] : [];
  });
}

/**
 * How many of the next members should suffice to fill the remaining room, if each reaches as many
 * as those before. A quarter is added. If that is most of them, all are taken, since a second
 * query costs more than it saves.
 */
function countToFill(
  members: readonly Reached[],
  { expanded, most }: { expanded: number; most: number },
): number {
  const next = members.length - expanded;
  const reachedByEach = (members.length - 1) / expanded;
  const count = Math.ceil((1.25 * (most - members.length + 1)) / reachedByEach);
  return count < 0.75 * next ? count : next;
}

function toSubgraph(
  seedSourceId: string,
  { members, isTruncated }: Traversal,
  relations?: MemberRelations,
): Subgraph {
  return {
    seedSourceId,
    sources: members.map(({ item, depth, via }) => ({
      sourceId: item.id,
      title: item.title,
      appKind: item.appKind,
      appProvider: item.appProvider,
      appExternalId: item.appExternalId,
      threadId: item.appThreadId,
      depth,
      hydration: Hydration.resolved,
      discoveredVia: via?.id ?? null,
      discoveredRelation: via ? (relations?.relationTo(item, via) ?? null) : null,
    })),
    relations: [],
    auxiliaryRelations: [],
    auxiliaryTruncated: false,
    isTruncated,
    maxDepthReached: members.at(-1)?.depth ?? 0,
    success: true,
    message: counted(members.length, 'connected item'),
  };
}
