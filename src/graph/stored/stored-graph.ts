import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from '../../lib/logger.js';
import { LIMITS } from '../../limits.js';
import { groupByStore } from '../../postgres/partitions.js';
import type { Corpus, Store } from '../../postgres/partitions.js';
import { voicesOf } from '../../sources/app-items/speakers.js';
import type { DeclaredRelation } from '../../sources/ingest/declared-relations.js';
import type { SuppliedGraph } from '../../sources/ingest/supplied-graph.js';
import type { AppContent, MemoryContent } from '../../sources/source.types.js';
import { lockHeld } from '../../sources/status/indexing-queue.js';
import type { LeasedVersion } from '../../sources/status/lease.js';
import { readChunks } from '../../sources/stored-chunks.queries.js';
import type { ExtractedGraph, ExtractionInput } from '../extraction/extracted-graph.js';
import {
  mentions,
  relationGroups,
  withAccounts,
  withAddresses,
  withPeopleApart,
  withProductsApart,
  withinItem,
} from '../item-graph.js';
import type { NewMention, NewRelationGroup, RelationOrigin } from '../item-graph.js';
import { itemLinks } from '../structure.js';
import type { ItemLink } from '../structure.js';
import {
  findFreePositions,
  findSuppliedGraph,
  graphRowsMax,
  graphRowsMaxEmbedded,
  insertGroups,
  insertLinks,
  insertMentions,
  removeSomeOfGraph,
  roomBehind,
} from './graph-rows.queries.js';
import type { GroupRow, LinkRow, MentionRow, OfVersion } from './graph-rows.queries.js';
import { GraphLocator } from './located-graph.js';
import type { LocatedGraph } from './located-graph.js';

interface StoredGraphOptions {
  readonly postgres: DataSource;
  readonly logger: Logger;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  /** Extracts a graph without blocking others; undefined when the text could not be read in time. */
  readonly extract: (input: ExtractionInput) => Promise<ExtractedGraph | undefined>;
}

/** What is needed of a version that is being indexed, to store its graph. */
export interface GraphVersion extends LeasedVersion {
  readonly collectionId: number;
  readonly corpus: Corpus;
  readonly id: string;
  readonly title: string;
  readonly app: AppContent | null;
  readonly memory: MemoryContent | null;
  readonly updatedAt: Date;
  readonly declaredRelations: readonly DeclaredRelation[] | null;
  /** Whether a graph was supplied with it, or with a version before. */
  readonly hasGraph: boolean;
}

/**
 * A version whose chunks are stored, and the graph extracted from them. If that is
 * undefined, it is extracted when needed.
 */
export interface GraphInput {
  readonly version: GraphVersion;
  readonly graph: ExtractedGraph | undefined;
}

/** The rows of a version's graph, without positions. */
interface VersionGraph {
  readonly place: OfVersion;
  readonly groups: readonly NewRelationGroup[];
  readonly links: readonly ItemLink[];
  readonly mentions: readonly NewMention[];
}

/** A group of relations that has no position yet. */
interface WaitingGroup {
  readonly place: OfVersion;
  readonly group: NewRelationGroup;
  /** The lowest position that it may get. */
  readonly from: number;
}

// A position is derived from a time, and must be a whole number that JSON preserves. From 1704 to 2236
// positions are microseconds. The years before and after share the remaining range, with two positions per
// millisecond. Room is left at the end for groups that share a moment.
const positionStartMax = 2 ** 53 - roomBehind;
const microsecondsMax = 8.4e15;
const millisecondsMax = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const positionsPerMillisecond =
  (positionStartMax - microsecondsMax) / (millisecondsMax - microsecondsMax / 1000);

/**
 * Writes and removes the graphs of versions. They are stored with their chunks, and
 * become visible with the version.
 */
export class StoredGraph {
  constructor(private readonly options: StoredGraphOptions) {}

  /** Stores the graphs of several versions. A version that is no longer held under the lease is skipped. */
  async store(inputs: readonly GraphInput[]): Promise<void> {
    for (const [store, own] of groupByStore(inputs, ({ version }) => version)) {
      const graphs: VersionGraph[] = [];
      for (const input of own) {
        const graph = await this.graphOf(store, input);
        if (graph) graphs.push(graph);
      }
      const { manager } = this.options.postgres;
      if (graphs.length > 0) await this.write(manager, store, graphs);
    }
  }

  /**
   * Replaces the graph of a version that readers already see, in one transaction: they see either
   * the old or the new one. If storing fails, the old one remains. Does nothing if the version is
   * no longer held under the lease.
   */
  async replace(input: GraphInput): Promise<void> {
    const { version } = input;
    const { databaseId, corpus, uid } = version;
    const store = { databaseId, corpus };
    const graph = await this.graphOf(store, input);
    await this.options.postgres.transaction(async (manager) => {
      if (!(await lockHeld(manager, version))) return;
      while ((await removeSomeOfGraph(manager, store, uid)) > 0);
      if (graph) await this.write(manager, store, [graph]);
    });
  }

  /** Removes the graph of a version, in small steps. */
  async remove(store: Store, uid: string): Promise<void> {
    const { manager } = this.options.postgres;
    while ((await this.removeSome(manager, store, uid)) > 0);
  }

  /** Removes some rows of a version's graph; returns how many. */
  removeSome(manager: EntityManager, store: Store, uid: string): Promise<number> {
    return removeSomeOfGraph(manager, store, uid);
  }

  /** The text of a version to extract a graph from, limited to as much as is read. */
  async textOf(
    store: Store,
    { uid, title, ...version }: Pick<GraphVersion, 'uid' | 'title' | 'app' | 'memory'>,
  ): Promise<ExtractionInput> {
    const chunks: ExtractionInput['chunks'][number][] = [];
    let characters = 0;
    for await (const some of readChunks(this.options.postgres.manager, store, uid)) {
      for (const { content, layout } of some) {
        // Quotations are left out: the graph of the quoted item has them.
        const text = 'quoted' in layout ? '' : content;
        chunks.push({ text });
        characters += text.length;
      }
      if (characters >= LIMITS.graphExtractionCharactersMax) break;
    }
    return { title, chunks, ...voicesOf(version) };
  }

  private async graphOf(store: Store, { version, graph }: GraphInput): Promise<VersionGraph | undefined> {
    const links = itemLinks({ ...version, declaredRelations: version.declaredRelations ?? [] });
    const found = version.hasGraph
      ? await this.supplied(store, version)
      : await this.extracted(store, { version, graph, links });
    if (!found && links.length === 0) return undefined;
    const { collectionId, uid, leaseToken } = version;
    const place = { uid, leaseToken, collectionId, statedAt: statedAtOf(version) };
    return {
      place,
      links,
      groups: found ? relationGroups(collectionId, found.graph, found.origin) : [],
      mentions: mentions(collectionId, found?.graph, links),
    };
  }

  private async extracted(
    store: Store,
    { version, graph, links }: GraphInput & { links: readonly ItemLink[] },
  ): Promise<{ graph: LocatedGraph; origin: RelationOrigin } | undefined> {
    const found = graph ?? (await this.options.extract(await this.textOf(store, version)));
    if (found?.problem !== undefined)
      this.options.logger.warn({ id: version.id, problem: found.problem }, 'a part of a graph is left out');
    if (!found) return undefined;
    const known = withAccounts(withAddresses(found, links), version.app);
    return { graph: withinItem(known, version.id), origin: 'extracted' };
  }

  private async supplied(
    store: Store,
    { uid, id }: GraphVersion,
  ): Promise<{ graph: LocatedGraph; origin: RelationOrigin } | undefined> {
    const { manager } = this.options.postgres;
    const row = await findSuppliedGraph(manager, store.databaseId, uid);
    if (!row) return undefined;
    const located = new GraphLocator(row.graph as SuppliedGraph);
    for await (const chunks of readChunks(manager, store, uid))
      located.add(chunks.map(({ position, content: text }) => ({ position, text })));
    return { graph: withPeopleApart(withProductsApart(located.graph()), id), origin: 'byog' };
  }

  private async write(manager: EntityManager, store: Store, graphs: readonly VersionGraph[]): Promise<void> {
    const last = await this.writeGroups(manager, store, graphs);
    const links = graphs.flatMap(({ place, links: own }) => {
      const position = last.get(place.uid) ?? positionOf(place.statedAt);
      return own.map((row): LinkRow => ({ ...row, ...place, position: String(position) }));
    });
    for (const rows of this.windows(links)) await insertLinks(manager, store, rows);
    const named = graphs.flatMap(({ place, mentions: own }) =>
      own.map((row): MentionRow => ({ ...row, ...place })),
    );
    for (const rows of this.windows(named)) await insertMentions(manager, store, rows);
  }

  /** Returns the last position of each version that has relations. */
  private async writeGroups(
    manager: EntityManager,
    store: Store,
    graphs: readonly VersionGraph[],
  ): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    // The first group gets the highest position, so that "newest first" follows the order of the text.
    const all = graphs.flatMap(({ place, groups }) => {
      const from = positionOf(place.statedAt);
      return groups.map((group): WaitingGroup => ({ place, group, from })).reverse();
    });
    for (const window of this.windows(all)) {
      let waiting: readonly WaitingGroup[] = window;
      while (waiting.length > 0) waiting = await this.writeSome(manager, store, { waiting, last });
    }
    return last;
  }

  /** Writes the groups for which there was a free position; returns those that have to try a later one. */
  private async writeSome(
    manager: EntityManager,
    store: Store,
    { waiting, last }: { waiting: readonly WaitingGroup[]; last: Map<string, number> },
  ): Promise<WaitingGroup[]> {
    const positions = await this.freePositions(manager, store, waiting);
    const rows = waiting.flatMap(({ group, place }, index): GroupRow[] => {
      const position = positions[index];
      return position === undefined ? [] : [{ ...group, ...place, position }];
    });
    const versions = waiting.map(({ place }) => place);
    const { held, stored } = await insertGroups(manager, store, { rows, versions });
    const tried = new Map<string, number>();
    return waiting.flatMap((each, index): WaitingGroup[] => {
      const { uid, collectionId } = each.place;
      const position = Number(positions[index] ?? tried.get(momentOf(each)) ?? each.from - 1);
      tried.set(momentOf(each), position);
      const isStored = positions[index] !== undefined && stored.has(`${collectionId}:${position}`);
      if (isStored) last.set(uid, Math.max(last.get(uid) ?? position, position));
      return isStored || !held.has(uid) ? [] : [{ ...each, from: position + 1 }];
    });
  }

  /** Positions that have just been free, one for each group; undefined for groups beyond those found. */
  private async freePositions(
    manager: EntityManager,
    store: Store,
    waiting: readonly WaitingGroup[],
  ): Promise<readonly (string | undefined)[]> {
    const wanted = new Map<string, { collectionId: number; from: number; count: number }>();
    for (const each of waiting) {
      const known = wanted.get(momentOf(each));
      const { collectionId } = each.place;
      wanted.set(momentOf(each), { collectionId, from: each.from, count: (known?.count ?? 0) + 1 });
    }
    const free = await findFreePositions(manager, store, [...wanted.values()]);
    const places = new Map([...wanted.keys()].map((key, index) => [key, (free[index] ?? []).values()]));
    return waiting.map((each) => places.get(momentOf(each))?.next().value);
  }

  private windows<Row>(rows: readonly Row[]): Row[][] {
    const size = this.options.embedded ? graphRowsMaxEmbedded : graphRowsMax;
    const windows: Row[][] = [];
    for (let start = 0; start < rows.length; start += size) windows.push(rows.slice(start, start + size));
    return windows;
  }
}

/** A key that is equal for groups that look for positions together. */
function momentOf({ place, from }: WaitingGroup): string {
  return `${place.collectionId} ${from}`;
}

/** The date of a statement: the date that the item gives, else the time when it was sent. */
function statedAtOf({ app, memory, updatedAt }: GraphVersion): Date {
  const own = app?.timestamp ?? memory?.observationDate;
  return own ? new Date(own) : updatedAt;
}

/** The first position for a moment. Later moments have higher positions. */
function positionOf(date: Date): number {
  const milliseconds = Math.min(Math.abs(date.getTime()), millisecondsMax);
  const beyond = milliseconds - microsecondsMax / 1000;
  const position =
    beyond <= 0 ? milliseconds * 1000 : microsecondsMax + Math.floor(beyond * positionsPerMillisecond);
  return Math.sign(date.getTime()) * position;
}
