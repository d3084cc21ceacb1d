import { Readable } from 'node:stream';
import { AppError } from '../../errors.js';
import { parserFor } from '../../ingestion/parsers/parsers.js';
import { cleanText } from '../../lib/clean-text.js';
import { LIMITS } from '../../limits.js';
import { readAcl } from '../../sources/acl.js';
import type { SyncedItem } from '../../sources/ingest/synced-item.js';
import { IncomingFile } from '../../storage/incoming-file.js';
import type { ReceivedFile, UploadSpool } from '../../storage/upload-spool.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Entry, Item, ItemFile } from '../provider.js';
import { toProviderError } from '../provider-failure.js';
import type { SyncLease } from './sync-queue.js';
import { digestOf, toInput } from './synced-input.js';
import type { SyncedScope } from './synced-input.js';
import type { KnownItem, SeenItem, SentItem } from './synced-items.queries.js';

/** What the entries of a page have in common. */
export interface PageOfEntries {
  readonly lease: SyncLease;
  readonly resource: ResourceRow;
  readonly scope: SyncedScope;
  readonly signal: AbortSignal;
  /** Whether the page will not be tried again: then entries that cannot be loaded are skipped. */
  readonly isLastTry: boolean;
}

/** An entry of a page, with what is known of it. */
export interface GivenEntry {
  readonly id: string;
  readonly entry: Entry;
  readonly known: KnownItem | undefined;
  /** Files to be removed in the end. */
  readonly files: ReceivedFile[];
}

interface LoadedEntry {
  readonly kind: 'loaded';
  readonly item: Item;
  readonly file: SyncedItem['file'];
}

/** An entry that nobody may see any more, or that the provider does not have. */
interface GoneEntry {
  readonly kind: 'gone';
  readonly problem?: string;
}

/** An entry that cannot be loaded now. */
interface FailedEntry {
  readonly kind: 'failed';
  readonly problem: string;
}

/** What becomes of an entry; `problem` is what its resource shows of it. */
export type Outcome =
  | { readonly kind: 'unchanged'; readonly item: SeenItem; readonly problem?: string }
  | { readonly kind: 'changed'; readonly outgoing: Outgoing; readonly problem?: string }
  | GoneEntry
  | FailedEntry;

/** An item to be sent; without `item` nothing is sent, but the entry is noted as known. */
export interface Outgoing {
  readonly sent: SentItem;
  readonly item: SyncedItem | undefined;
}

/** Finds out what becomes of the entries of a page, and loads what is to be sent of them. */
export class EntryLoader {
  constructor(private readonly uploads: UploadSpool) {}

  /**
   * What becomes of an entry; it is loaded where that cannot be told otherwise. The caller removes `files` in
   * any case. @throws ProviderError when the provider does not answer or asks for a pause, AppError when the
   * file cannot be kept here
   */
  async outcomeOf(page: PageOfEntries, given: GivenEntry): Promise<Outcome> {
    const { id, entry, known } = given;
    const readers = readersOf(entry);
    // Until its readers are known, nobody may read it.
    if (readers === 'unknown')
      return { kind: 'gone', problem: `${id}: the provider names too many readers, or one without a name` };
    const unchanged = (version: string | null) =>
      ({ kind: 'unchanged', item: { id, version, readers } }) as const;
    const isStored = known !== undefined && !known.gone && known.digest.length > 0;
    const isSameVersion = entry.version !== undefined && known?.version === entry.version;
    if (isStored && (isSameVersion || page.resource.syncMode === 'new_only')) return unchanged(known.version);
    const loaded = await this.tryToLoad(page, given);
    if (loaded.kind === 'gone') return loaded;
    // An item that is already stored stays as it is, and is checked again next time.
    if (loaded.kind === 'failed')
      return known ? { ...unchanged(known.version), problem: loaded.problem } : loaded;
    const outgoing = outgoingOf(page, { ...given, readers }, loaded);
    if (isStored && known.digest.equals(outgoing.sent.digest)) return unchanged(entry.version ?? null);
    const { file } = loaded;
    if (!file?.received.tooLarge) return { kind: 'changed', outgoing };
    const problem = `${file.file.filename} is larger than ${LIMITS.fileBytesMax} bytes`;
    return { kind: 'changed', outgoing, problem };
  }

  /** Loads an entry. What hinders this one alone is told, not thrown, so that the others need not wait for it. */
  private async tryToLoad(
    page: PageOfEntries,
    { id, entry, files }: GivenEntry,
  ): Promise<LoadedEntry | GoneEntry | FailedEntry> {
    try {
      const item = await entry.load(page.signal);
      if (!item) return { kind: 'gone' };
      const file = item.file && (await this.receive(item.file, page.signal));
      if (file) files.push(file.received);
      return { kind: 'loaded', item, file };
    } catch (error) {
      // If our own disk is full, no entry is to be skipped for that.
      if (page.signal.aborted || error instanceof AppError) throw error;
      const failure = toProviderError(error);
      if (failure.kind === 'missing') return { kind: 'gone' };
      if (failure.kind !== 'refused' && !(failure.kind === 'unavailable' && page.isLastTry)) throw failure;
      return { kind: 'failed', problem: `${id}: ${failure.message}` };
    }
  }

  private async receive(given: ItemFile, signal: AbortSignal) {
    const { contentType } = given;
    const filename = cleanText(given.filename);
    const content = await given.open(signal);
    const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    const received = await this.uploads.receive(stream, LIMITS.fileBytesMax);
    const file = new IncomingFile(filename, contentType, Promise.resolve(received));
    return { file, received, supported: parserFor(filename, contentType) !== undefined };
  }
}

/** What is sent of a loaded entry: of a file that is too large, nothing. */
function outgoingOf(
  page: PageOfEntries,
  { id, entry, known, readers }: GivenEntry & { readonly readers: SeenItem['readers'] },
  { item, file }: LoadedEntry,
): Outgoing {
  const { resource } = page;
  const input = toInput(page.scope, entry.id, item);
  const digest = digestOf(input, file?.received.sha256);
  const stated = resource.acl ?? readers ?? resource.providerAcl;
  const sent = { id, version: entry.version ?? null, readers, digest, acl: stated };
  if (file?.received.tooLarge) return { sent: { ...sent, stored: false }, item: undefined };
  // Neither the resource nor the provider says who may read it, now or before: a list that was set by hand
  // stays.
  const acl = stated ?? (known?.acl ? null : undefined);
  return {
    sent: { ...sent, stored: true },
    item: { input, acl, file, customInstructions: instructionsOf(page) },
  };
}

/** Who may read an entry, as the provider says; null: as the resource says. */
function readersOf({ readers }: Entry): readonly string[] | null | 'unknown' {
  if (!readers) return null;
  try {
    return readAcl(readers, 'readers') ?? null;
  } catch {
    return 'unknown';
  }
}

function instructionsOf({ resource, lease }: PageOfEntries): string | undefined {
  return resource.customInstructions || lease.connector.customInstructions || undefined;
}
