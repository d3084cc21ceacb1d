import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import type { Database } from '../../databases/database.entity.js';
import { batchesOf } from '../../lib/batches-of.js';
import type { Clock } from '../../lib/clock.js';
import { forEachConcurrently } from '../../lib/for-each-concurrently.js';
import type { IngestService } from '../../sources/ingest/ingest.service.js';
import type { ReceivedFile, UploadSpool } from '../../storage/upload-spool.js';
import { ProviderError } from '../provider.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Entry, Page } from '../provider.js';
import type { SyncQueue } from './sync-queue.js';
import { entriesByItemId } from './entry-ids.js';
import { EntryLoader } from './entry-loader.js';
import type { GivenEntry, Outcome, Outgoing, PageOfEntries } from './entry-loader.js';
import { itemIdOf } from './synced-input.js';
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
import type { ItemTarget, KnownItem, SeenItem } from './synced-items.queries.js';

interface PageStoreOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly queue: SyncQueue;
  readonly ingest: IngestService;
  readonly uploads: UploadSpool;
}

/** Which resource a page belongs to, and where its items go. */
export interface PageContext extends Omit<PageOfEntries, 'scope'> {
  readonly database: Database;
  readonly collection: string;
  /** The number of the walk that its items are marked with. */
  readonly walk: number;
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
interface Work extends PageContext, PageOfEntries {
  readonly target: ItemTarget;
  readonly unchanged: SeenItem[];
  readonly gone: string[];
  readonly problems: string[];
  readersChanged: boolean;
}

const loadedAtOnce = 4;
const sentAtOnce = 50;

/** Stores pages of a provider in a database: each object once, and again only when it has changed. */
export class PageStore {
  private readonly loader: EntryLoader;

  constructor(private readonly options: PageStoreOptions) {
    this.loader = new EntryLoader(options.uploads);
  }

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
      const gone = goneOn(page, context.resource).map((id) => itemIdOf(scope, id));
      await noteGone(manager, target, [...work.gone, ...gone]);
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
        const given = { id, entry, known: known.get(id), files };
        const outcome = await this.loader.outcomeOf(work, given);
        noteOutcome(work, given, outcome);
        if (outcome.kind === 'changed') outgoing.push(outcome.outgoing);
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

/** The native ids of what a page has removed. */
export function goneOn(
  { deleted = [], hidden = [] }: Page,
  { syncMode }: Pick<ResourceRow, 'syncMode'>,
): readonly string[] {
  return syncMode === 'new_only' ? hidden : [...deleted, ...hidden];
}

/** Notes what becomes of an entry in the work on its page. */
function noteOutcome(work: Work, { id, known }: GivenEntry, outcome: Outcome): void {
  if (outcome.problem !== undefined) work.problems.push(outcome.problem);
  if (outcome.kind === 'failed') return;
  if (outcome.kind === 'gone') {
    if (known) work.gone.push(id);
    return;
  }
  if (outcome.kind === 'unchanged') work.unchanged.push(outcome.item);
  const { readers } = outcome.kind === 'unchanged' ? outcome.item : outcome.outgoing.sent;
  if (known && !isDeepStrictEqual(known.readers, readers)) work.readersChanged = true;
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
