import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import type { Database } from '../../databases/database.entity.js';
import { AppError } from '../../errors.js';
import { parserFor } from '../../ingestion/parsers/parsers.js';
import { batchesOf } from '../../lib/batches-of.js';
import { cleanText } from '../../lib/clean-text.js';
import type { Clock } from '../../lib/clock.js';
import { forEachConcurrently } from '../../lib/for-each-concurrently.js';
import { LIMITS } from '../../limits.js';
import { readAcl } from '../../sources/acl.js';
import type { IngestService } from '../../sources/ingest/ingest.service.js';
import type { SyncedItem } from '../../sources/ingest/synced-item.js';
import { IncomingFile } from '../../storage/incoming-file.js';
import type { ReceivedFile, UploadSpool } from '../../storage/upload-spool.js';
import type { ResourceRow } from '../management/connector-rows.js';
import { ProviderError } from '../provider.js';
import type { Entry, Item, ItemFile, Page } from '../provider.js';
import { toProviderError } from '../provider-failure.js';
import type { SyncLease, SyncQueue } from './sync-queue.js';
import { entriesByItemId } from './entry-ids.js';
import { digestOf, itemIdOf, toInput } from './synced-input.js';
import type { SyncedScope } from './synced-input.js';
import {
  findHolders,
  findKnown,
  noteGone,
  noteMoved,
  noteSeen,
  noteSending,
  noteSent,
  noteUnlisted,
} from './synced-items.queries.js';
import type { ItemTarget, KnownItem, SeenItem, SentItem } from './synced-items.queries.js';

interface PageStoreOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly queue: SyncQueue;
  readonly ingest: IngestService;
  readonly uploads: UploadSpool;
}

/** Which resource a page belongs to, and where its items go. */
export interface PageContext {
  readonly lease: SyncLease;
  readonly resource: ResourceRow;
  readonly database: Database;
  readonly collection: string;
  /** The number of the walk that its items are marked with. */
  readonly walk: number;
  readonly signal: AbortSignal;
  /** Whether the page will not be tried again: then entries that cannot be loaded are skipped. */
  readonly isLastTry: boolean;
}

/** The outcome of storing a page. */
export interface StoredPage {
  /** How many objects were in another database or collection before, from where they are to be removed. */
  readonly movedHere: number;
  /** Whether access lists of items may have changed. */
  readonly readersChanged: boolean;
  /** Why entries were skipped, for one of them; empty when none were. */
  readonly problem: string;
}

/** The work on one page. */
interface Work extends PageContext {
  readonly scope: SyncedScope;
  readonly target: ItemTarget;
  readonly unchanged: SeenItem[];
  readonly gone: string[];
  readonly problems: string[];
  readersChanged: boolean;
}

/** An item to be sent; without `item` nothing is sent, but the entry is noted as known. */
interface Outgoing {
  readonly sent: SentItem;
  readonly item: SyncedItem | undefined;
}

const loadedAtOnce = 4;
const sentAtOnce = 50;

/** Stores pages of a provider in a database: each object once, and again only when it has changed. */
export class PageStore {
  constructor(private readonly options: PageStoreOptions) {}

  /**
   * Stores a page. In the transaction that notes its items, `save` then records how far reading has come.
   * Whatever fails in between, the page can be read again without harm. @throws ProviderError, LeaseLost,
   * AppError QUEUE_FULL or DATABASE_NOT_FOUND
   */
  async store(
    context: PageContext,
    page: Page,
    save: (manager: EntityManager, stored: StoredPage) => Promise<void>,
  ): Promise<void> {
    const work = workOf(context);
    const { scope, target, walk } = work;
    const entries = await this.entriesOf(page, work);
    const ids = entries.map(([id]) => id);
    const known = await findKnown(this.options.postgres.manager, target, ids);
    for (const some of batchesOf(entries, sentAtOnce)) await this.storeSome(work, some, known);
    const { unlisted = [] } = page;
    const { readersChanged } = work;
    const problems = [...work.problems, ...unlisted.map(({ problem }) => problem)];
    await this.options.postgres.transaction(async (manager) => {
      await this.options.queue.renew(context.lease, manager);
      await noteSeen(manager, target, { seen: work.unchanged, walk });
      const movedHere = await noteMoved(manager, target, ids);
      const parts = unlisted.map(({ idPrefix, idBefore }) => ({
        prefix: itemIdOf(scope, idPrefix),
        before: idBefore === undefined ? null : itemIdOf(scope, idBefore),
      }));
      await noteUnlisted(manager, target, { parts, walk });
      await noteGone(manager, target, [
        ...work.gone,
        ...(page.deleted ?? []).map((id) => itemIdOf(scope, id)),
      ]);
      await save(manager, { movedHere, readersChanged, problem: problems[0] ?? '' });
    });
  }

  private async entriesOf({ entries }: Page, { scope, target }: Work): Promise<[string, Entry][]> {
    const ids = entries.filter(({ ownId }) => ownId !== undefined).map(({ id }) => itemIdOf(scope, id));
    return entriesByItemId(scope, entries, await findHolders(this.options.postgres.manager, target, ids));
  }

  private async storeSome(
    work: Work,
    entries: readonly (readonly [string, Entry])[],
    known: ReadonlyMap<string, KnownItem>,
  ): Promise<void> {
    const files: ReceivedFile[] = [];
    const outgoing: Outgoing[] = [];
    try {
      const failure = await forEachConcurrently(entries, loadedAtOnce, async ([id, entry]) => {
        const loaded = await this.load(work, { id, entry, known: known.get(id), files });
        if (loaded) outgoing.push(loaded);
      }).catch((error: unknown) => {
        // What was loaded is kept: a provider that allows fewer requests than these take would be asked for ever.
        if (error instanceof ProviderError) return error;
        throw error;
      });
      if (outgoing.length > 0) await this.send(work, outgoing);
      if (failure) throw failure;
    } finally {
      for (const file of files) await this.options.uploads.discard(file);
    }
  }

  /** What is to be sent for an entry; undefined when nothing is. */
  private async load(work: Work, given: GivenEntry): Promise<Outgoing | undefined> {
    const { id, entry, known } = given;
    const { resource } = work;
    const readers = readersOf(entry);
    if (readers === 'unknown') {
      work.problems.push(`${id}: the provider names too many readers, or one without a name`);
      // Until its readers are known, nobody may read it.
      if (known) work.gone.push(id);
      return undefined;
    }
    if (known && !isDeepStrictEqual(known.readers, readers)) work.readersChanged = true;
    const sent = known !== undefined && !known.gone && known.digest.length > 0;
    const keep = (version = entry.version ?? null) => void work.unchanged.push({ id, version, readers });
    const isSameVersion = entry.version !== undefined && known?.version === entry.version;
    if (sent && (isSameVersion || resource.syncMode === 'new_only')) return keep(known.version);
    const loaded = await this.tryToLoad(work, given);
    // An item that is already stored stays as it is, and is checked again next time.
    if (loaded === 'passed') return known && keep(known.version);
    if (!loaded) {
      if (known) work.gone.push(id);
      return undefined;
    }
    const { item, file } = loaded;
    const input = toInput(work.scope, entry.id, item);
    const digest = digestOf(input, file?.received.sha256);
    if (sent && known.digest.equals(digest)) return keep();
    const stated = resource.acl ?? readers ?? resource.providerAcl;
    const next = { id, version: entry.version ?? null, readers, digest, acl: stated, stored: true };
    // Neither the resource nor the provider says who may read it, now or before: a list that was set by hand
    // stays.
    const acl = stated ?? (known?.acl ? null : undefined);
    if (!file?.received.tooLarge)
      return { sent: next, item: { input, acl, file, customInstructions: instructionsOf(work) } };
    work.problems.push(`${file.file.filename} is larger than ${LIMITS.fileBytesMax} bytes`);
    return { sent: { ...next, stored: false }, item: undefined };
  }

  /** Loads an entry; `passed` when that is impossible now, so that the others need not wait for it. */
  private async tryToLoad(
    work: Work,
    { id, entry, files }: GivenEntry,
  ): Promise<{ item: Item; file: SyncedItem['file'] } | undefined | 'passed'> {
    try {
      const item = await entry.load(work.signal);
      if (!item) return undefined;
      const file = item.file && (await this.receive(item.file, work.signal));
      if (file) files.push(file.received);
      return { item, file };
    } catch (error) {
      // If our own disk is full, no entry is to be skipped for that.
      if (work.signal.aborted || error instanceof AppError) throw error;
      const failure = toProviderError(error);
      if (failure.kind === 'missing') return undefined;
      if (failure.kind !== 'refused' && !(failure.kind === 'unavailable' && work.isLastTry)) throw failure;
      work.problems.push(`${id}: ${failure.message}`);
      return 'passed';
    }
  }

  private async receive(given: ItemFile, signal: AbortSignal) {
    const { contentType } = given;
    const filename = cleanText(given.filename);
    const content = await given.open(signal);
    const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    const received = await this.options.uploads.receive(stream, LIMITS.fileBytesMax);
    const file = new IncomingFile(filename, contentType, Promise.resolve(received));
    return { file, received, supported: parserFor(filename, contentType) !== undefined };
  }

  private async send(work: Work, outgoing: readonly Outgoing[]): Promise<void> {
    const { postgres, clock, queue, ingest } = this.options;
    const { target, walk, lease } = work;
    await postgres.transaction(async (manager) => {
      await queue.renew(lease, manager);
      await noteSending(manager, target, { items: outgoing.map(({ sent }) => sent), walk, now: clock.now() });
    });
    const items = outgoing.flatMap(({ item }) => item ?? []);
    const results = items.length > 0 ? await ingest.ingestSynced(work, items) : [];
    const problems = results.flatMap(({ problem }) => problem ?? []);
    work.problems.push(...problems);
    const refused = new Set(items.filter((_, index) => results[index]?.problem !== undefined));
    const sent = outgoing.map((each) =>
      each.item && refused.has(each.item) ? { ...each.sent, stored: false } : each.sent,
    );
    await postgres.transaction(async (manager) => {
      await queue.countSent(lease, items.length - problems.length, manager);
      await noteSent(manager, target, { items: sent, now: clock.now() });
    });
  }
}

interface GivenEntry {
  readonly id: string;
  readonly entry: Entry;
  readonly known: KnownItem | undefined;
  /** Files to be removed in the end. */
  readonly files: ReceivedFile[];
}

/** Null: as the resource says. */
function readersOf({ readers }: Entry): readonly string[] | null | 'unknown' {
  if (!readers) return null;
  try {
    return readAcl(readers, 'readers') ?? null;
  } catch {
    return 'unknown';
  }
}

function instructionsOf({ resource, lease }: PageContext): string | undefined {
  return resource.customInstructions || lease.connector.customInstructions || undefined;
}

function workOf(context: PageContext): Work {
  const { resource, database, collection } = context;
  const { connector } = context.lease;
  const { connectorId, resourceId } = resource;
  return {
    ...context,
    scope: {
      connectorId,
      provider: connector.provider,
      providerAccountScope: connector.providerAccountScope,
      resource,
      schema: database.metadataSchema,
    },
    target: { connectorId, resourceId, databaseId: database.id, collection },
    unchanged: [],
    gone: [],
    problems: [],
    readersChanged: false,
  };
}
