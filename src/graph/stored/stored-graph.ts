import type { DataSource, EntityManager } from 'typeorm';
import { batchesOf } from '../../lib/batches-of.js';
import type { Logger } from '../../lib/logger.js';
import { LIMITS } from '../../limits.js';
import { groupByStore } from '../../postgres/stores.js';
import type { Corpus, Store } from '../../postgres/stores.js';
import { voicesOf } from '../../sources/app-items/speakers.js';
import { toldOn } from '../../sources/app-items/told-on.js';
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
  findSuppliedGraph,
  graphRowsMax,
  graphRowsMaxEmbedded,
  insertLinks,
  insertMentions,
  removeSomeOfGraph,
} from './graph-rows.queries.js';
import type { LinkRow, MentionRow, OfVersion } from './graph-rows.queries.js';
import { positionOf } from './group-positions.js';
import { writeGroups } from './group-writer.js';
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
      while ((await removeSomeOfGraph(manager, store, [uid])) > 0);
      if (graph) await this.write(manager, store, [graph]);
    });
  }

  /** Removes some rows of the graphs of versions; returns how many. */
  removeSome(manager: EntityManager, store: Store, uids: readonly string[]): Promise<number> {
    return removeSomeOfGraph(manager, store, uids);
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
    return { title, day: toldOn(version), chunks, ...voicesOf(version) };
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
    const rowsMax = this.options.embedded ? graphRowsMaxEmbedded : graphRowsMax;
    const last = await writeGroups(manager, store, { graphs, rowsMax });
    const links = graphs.flatMap(({ place, links: own }) => {
      const position = last.get(place.uid) ?? positionOf(place.statedAt);
      return own.map((row): LinkRow => ({ ...row, ...place, position: String(position) }));
    });
    for (const rows of batchesOf(links, rowsMax)) await insertLinks(manager, store, rows);
    const named = graphs.flatMap(({ place, mentions: own }) =>
      own.map((row): MentionRow => ({ ...row, ...place })),
    );
    for (const rows of batchesOf(named, rowsMax)) await insertMentions(manager, store, rows);
  }
}

/** The date of a statement: the date that the item gives, else the time when it was sent. */
function statedAtOf(version: GraphVersion): Date {
  const own = toldOn(version);
  return own ? new Date(own) : version.updatedAt;
}
