import { bounded } from '../management/connector-rows.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Page, ProviderError } from '../provider.js';
import { dayMs } from '../../lib/units.js';

/** What a page is read for: news, or a walk through everything. */
export type Phase = 'read' | 'walk';

/** The part of a resource that says how far it has been read, and how that went. */
export type Progress = Pick<
  ResourceRow,
  | 'cursor'
  | 'reading'
  | 'readRun'
  | 'firstSyncedAt'
  | 'walk'
  | 'walkCursor'
  | 'walkedAt'
  | 'doneRun'
  | 'restartedRun'
  | 'attempts'
  | 'message'
  | 'httpStatus'
  | 'retryable'
  | 'health'
  | 'status'
  | 'syncBlockedAt'
  | 'missingSince'
  | 'missingLooks'
> & { readonly retryAt: Date | null };

/** The time, and the sync in which something happens. */
interface Moment {
  readonly now: Date;
  readonly runId: string;
}

interface StoredPage {
  readonly phase: Phase;
  readonly page: Pick<Page, 'cursor' | 'more' | 'coverage' | 'isArchived'>;
  /** The number of the walk that its items are marked with. */
  readonly walk: number;
  /** Whether its provider can walk. */
  readonly canWalk: boolean;
  /** Why some items were skipped; empty when none were. */
  readonly problem: string;
  /** Set when so much was missing at the end of a whole walk that nothing was deleted. */
  readonly held: ShownItems | undefined;
}

/** How many of the items that there were a whole walk has shown, and how many it has not. */
export interface ShownItems {
  readonly shown: number;
  readonly missing: number;
}

const walkEveryMs = dayMs;
/** How often a page is tried in one sync. */
export const triesMax = 4;
/** The wait after the first failed try; doubled after each further one. */
export const retryMsFirst = 5000;
/** What is not found is given up after so long and so many syncs: a folder or feed that is away for a weekend comes back. */
export const missingMsMax = 3 * dayMs;
export const missingLooksMin = 5;
/** Fewer items than these may well have been deleted at once, unless nothing is left; then one that was alone. */
const heldItemsMin = 25;

/** Each sync first reads what is new, then continues a walk if one is under way. */
export function nextPhase(
  { readRun, walkCursor }: Pick<ResourceRow, 'readRun' | 'walkCursor'>,
  runId: string,
  canWalk: boolean,
): { phase: 'read' } | { phase: 'walk'; cursor: string } {
  // With neither, the resource was reconfigured after it had been read, and is read again.
  const walks = readRun === runId && walkCursor !== null && canWalk;
  return walks ? { phase: 'walk', cursor: walkCursor } : { phase: 'read' };
}

/**
 * The number of the walk that a page belongs to. Where reading shows everything, its first page begins a
 * walk.
 */
export function walkOf(
  { walk, reading }: Pick<ResourceRow, 'walk' | 'reading'>,
  phase: Phase,
  page: Page,
): number {
  return phase === 'read' && page.coverage === 'all' && !reading ? walk + 1 : walk;
}

/**
 * Whether this is the last page of something that shows all that exists, so that whatever was not shown is
 * gone.
 */
export function endsFullListing(phase: Phase, { coverage, more }: Page): boolean {
  return !more && (phase === 'walk' || coverage === 'all');
}

/**
 * Whether a page still counts once it has been read: meanwhile reading may have been set back to the
 * beginning, even if it was there.
 */
export function isProgress(phase: Phase, asked: ResourceRow, found: ResourceRow): boolean {
  if (found.databaseId !== asked.databaseId || found.collection !== asked.collection) return false;
  if (phase === 'walk') return found.walkCursor === asked.walkCursor;
  return found.cursor === asked.cursor && found.backfillOldest >= asked.backfillOldest;
}

/** The progress of a resource after a page was stored; `resource` is its row as it is by then. */
export function afterPage(
  resource: ResourceRow,
  { phase, page, walk, canWalk, problem, held }: StoredPage,
  { now, runId }: Moment,
): Progress {
  const isRead = phase === 'read';
  const endsReading = isRead && !page.more;
  const isWalkNext = endsReading && canWalk && isWalkDue(resource, page, now);
  const beginsWalk = isWalkNext && resource.walkCursor === null;
  // A walk that was cut off waits while there is more to read, and then goes on where it was.
  const pendingWalk = beginsWalk ? '' : resource.walkCursor;
  const isDone = !page.more && !isWalkNext;
  const hasSeenAll = !isRead || page.coverage === 'all' || resource.walkedAt === null;
  return {
    cursor: isRead ? page.cursor : resource.cursor,
    reading: isRead ? page.more : resource.reading,
    readRun: endsReading ? runId : resource.readRun,
    firstSyncedAt: endsReading ? (resource.firstSyncedAt ?? now) : resource.firstSyncedAt,
    walk: beginsWalk ? walk + 1 : walk,
    walkCursor: isDone ? null : isRead ? pendingWalk : page.cursor,
    walkedAt: isDone && hasSeenAll ? now : resource.walkedAt,
    doneRun: isDone ? runId : resource.doneRun,
    restartedRun: resource.restartedRun,
    attempts: 0,
    retryAt: null,
    message: bounded(problem) || (resource.attempts > 0 ? '' : resource.message),
    httpStatus: null,
    retryable: true,
    health: isDone ? (resource.objectsSeen > 0 ? 'ok' : 'empty') : resource.health,
    status: endsReading ? (page.isArchived ? 'completed' : 'active') : resource.status,
    syncBlockedAt: resource.syncBlockedAt,
    missingSince: isDone ? null : resource.missingSince,
    missingLooks: isDone ? 0 : resource.missingLooks,
    ...(held && afterLoss(resource, held, now)),
  };
}

/**
 * Whether a walk misses so much (all of several items, or more than half of many) that something is more likely to be out
 * of order than all of it deleted: a disk that is not mounted, a store that was set up anew, an index that is being built.
 * It is believed where the resource `may_be_empty`, when filters were changed, and when others before it have missed as much for days.
 */
export function isHeld(
  resource: Pick<ResourceRow, 'filters' | 'believedWalk' | 'missingSince' | 'missingLooks'>,
  { shown, missing }: ShownItems,
  { walk, now }: { walk: number; now: Date },
): boolean {
  const isLoss = shown === 0 ? missing > 1 : missing > shown && missing >= heldItemsMin;
  if (!isLoss || resource.filters['may_be_empty'] === true || walk <= resource.believedWalk) return false;
  return !countMiss(resource, now).isGivenUp;
}

/** The loss is told, and the next sync walks through all again. */
function afterLoss(resource: ResourceRow, { shown, missing }: ShownItems, now: Date): Partial<Progress> {
  const what =
    shown === 0
      ? `it is empty, though it had ${missing} items`
      : `it shows ${shown} items, and no longer ${missing} others that it had`;
  const message = `${what}: an outage, perhaps, so they are kept for three days. If they are meant to be gone, set may_be_empty among its filters`;
  const { progress } = countMiss(resource, now);
  return { message, health: 'failed', walkedAt: resource.walkedAt, ...progress };
}

/**
 * Reading finds what is new; a day after the last walk, everything is walked through for edits and deletions.
 */
function isWalkDue(
  { walkCursor, walkedAt, syncMode }: ResourceRow,
  { coverage }: StoredPage['page'],
  now: Date,
): boolean {
  if (coverage === 'all' || syncMode === 'new_only') return false;
  if (walkCursor !== null) return true;
  return walkedAt !== null && now.getTime() - walkedAt.getTime() >= walkEveryMs;
}

/**
 * Progress when the provider does not know a cursor any more. One that had rested may have become too old,
 * and reading begins again at once; after one that was just received there is a wait. A second time in one
 * sync it would go on so for ever: the sync ends, and the next one begins from the start.
 */
export function afterExpiry(
  resource: Pick<ResourceRow, 'attempts' | 'reading' | 'restartedRun'>,
  { phase, message }: { phase: Phase; message: string },
  { now, runId }: Moment,
): Partial<Progress> {
  const isWalk = phase === 'walk';
  const isWaitedFor = isWalk || resource.reading;
  const anew = isWalk ? { walkCursor: '' } : { cursor: '', reading: false };
  if (resource.restartedRun === runId)
    return {
      ...anew,
      attempts: 0,
      retryAt: null,
      message: bounded(message),
      httpStatus: null,
      retryable: true,
      health: 'failed',
      doneRun: runId,
    };
  return {
    ...anew,
    attempts: resource.attempts + 1,
    retryAt: isWaitedFor ? new Date(now.getTime() + retryMsFirst) : null,
    restartedRun: runId,
  };
}

/**
 * Progress after a failure: what may pass is tried again, after longer and longer waits. What is not found is
 * looked for again in later syncs, and given up in the end. Anything else is given up at once, until somebody acts.
 */
export function afterFailure(
  resource: Pick<ResourceRow, 'attempts' | 'missingSince' | 'missingLooks'>,
  failure: ProviderError,
  { now, runId }: Moment,
): Partial<Progress> {
  const miss = failure.kind === 'missing' ? countMiss(resource, now) : undefined;
  const isTriedAgain = failure.kind === 'unavailable' || failure.kind === 'expired';
  const isFinal = miss?.isGivenUp ?? !isTriedAgain;
  const tries = resource.attempts + 1;
  const endsSync = !isTriedAgain || tries >= triesMax;
  const waitMs = (failure.retryAfterSeconds ?? 0) * 1000 || retryMsFirst * 2 ** resource.attempts;
  return {
    attempts: endsSync ? 0 : tries,
    retryAt: endsSync ? null : new Date(now.getTime() + waitMs),
    message: bounded(isFinal && miss ? `${failure.message}; ${miss.summary}` : failure.message),
    httpStatus: failure.httpStatus ?? null,
    retryable: !isFinal,
    ...miss?.progress,
    ...(endsSync && { health: 'failed', doneRun: runId }),
    ...(isFinal && { status: 'failed', syncBlockedAt: now }),
  };
}

/** One more sync has not found a resource. */
function countMiss(
  { missingSince, missingLooks }: Pick<ResourceRow, 'missingSince' | 'missingLooks'>,
  now: Date,
) {
  const since = missingSince ?? now;
  const looks = missingLooks + 1;
  return {
    progress: { missingSince: since, missingLooks: looks },
    isGivenUp: looks >= missingLooksMin && now.getTime() - since.getTime() >= missingMsMax,
    summary: `it was looked for ${looks} times since ${since.toISOString()}`,
  };
}
