import { bounded } from './connector-rows.js';
import type { ResourceRow } from './connector-rows.js';
import type { Page, ProviderError } from './provider.js';

/** What a page is read for. */
export type Phase = 'read' | 'walk';

/** What of a resource says how far it has been read, and how that went. */
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

/** When and in which sync something happens. */
interface Moment {
  readonly now: Date;
  readonly runId: string;
}

interface StoredPage {
  readonly phase: Phase;
  readonly page: Pick<Page, 'cursor' | 'more' | 'tells' | 'isFinal'>;
  /** The number that its items carry. */
  readonly walk: number;
  /** Whether its provider can walk. */
  readonly canWalk: boolean;
  /** Why some items were left out; empty when none was. */
  readonly problem: string;
}

const walkEveryMs = 24 * 3_600_000;
/** Tries of a page in one sync. */
export const triesMax = 4;
/** What is waited after the first of them that failed; twice as long after each further one. */
export const retryMsFirst = 5000;
/** What is not found is given up after so long and so many syncs: a folder or feed that is away for a weekend comes back. */
export const missingMsMax = 3 * 24 * 3_600_000;
export const missingLooksMin = 5;

/** Reading comes first in each sync, then a walk, where one is under way. */
export function nextPhase(
  { readRun, walkCursor }: Pick<ResourceRow, 'readRun' | 'walkCursor'>,
  runId: string,
  canWalk: boolean,
): { phase: 'read' } | { phase: 'walk'; cursor: string } {
  // Without a walk under way it has been configured anew since it was read, and is read again.
  const walks = readRun === runId && walkCursor !== null && canWalk;
  return walks ? { phase: 'walk', cursor: walkCursor } : { phase: 'read' };
}

/** The number of the walk that a page belongs to: where reading shows everything, its first page begins one. */
export function walkOf(
  { walk, reading }: Pick<ResourceRow, 'walk' | 'reading'>,
  phase: Phase,
  page: Page,
): number {
  return phase === 'read' && page.tells === 'all' && !reading ? walk + 1 : walk;
}

/** Whether a page is the last of what shows everything that exists, so that what was not shown is gone. */
export function endsWhole(phase: Phase, { tells, more }: Page): boolean {
  return !more && (phase === 'walk' || tells === 'all');
}

/** Whether a page that has been read is progress: somebody may have asked meanwhile to begin anew, at the same place even. */
export function isProgress(phase: Phase, asked: ResourceRow, found: ResourceRow): boolean {
  if (found.databaseId !== asked.databaseId || found.collection !== asked.collection) return false;
  if (phase === 'walk') return found.walkCursor === asked.walkCursor;
  return found.cursor === asked.cursor && found.backfillOldest >= asked.backfillOldest;
}

/** What a page has come to that was stored for a resource; `resource` is its row as it is by now. */
export function afterPage(
  resource: ResourceRow,
  { phase, page, walk, canWalk, problem }: StoredPage,
  { now, runId }: Moment,
): Progress {
  const isRead = phase === 'read';
  const endsReading = isRead && !page.more;
  const isWalkNext = endsReading && canWalk && isWalkDue(resource, page, now);
  const beginsWalk = isWalkNext && resource.walkCursor === null;
  // A walk that was cut off waits while there is more to read, and then goes on where it was.
  const pendingWalk = beginsWalk ? '' : resource.walkCursor;
  const isDone = !page.more && !isWalkNext;
  const hasSeenAll = !isRead || page.tells === 'all' || resource.walkedAt === null;
  return {
    cursor: isRead ? page.cursor : resource.cursor,
    reading: isRead ? page.more : resource.reading,
    readRun: endsReading ? runId : resource.readRun,
    firstSyncedAt: endsReading ? (resource.firstSyncedAt ?? now) : resource.firstSyncedAt,
    walk: beginsWalk ? walk + 1 : walk,
    walkCursor: isDone ? null : isRead ? pendingWalk : page.cursor,
    walkedAt: isDone && hasSeenAll ? now : resource.walkedAt,
    doneRun: isDone ? runId : resource.doneRun,
    attempts: 0,
    retryAt: null,
    message: bounded(problem) || (resource.attempts > 0 ? '' : resource.message),
    httpStatus: null,
    retryable: true,
    health: isDone ? (resource.objectsSeen > 0 ? 'ok' : 'empty') : resource.health,
    status: isDone && page.isFinal ? 'completed' : resource.status,
    syncBlockedAt: resource.syncBlockedAt,
    missingSince: null,
    missingLooks: 0,
  };
}

/** Reading has told what is new; a day after the last time all is looked through for edits and deletions. */
function isWalkDue(
  { walkCursor, walkedAt, syncMode }: ResourceRow,
  { tells, isFinal }: StoredPage['page'],
  now: Date,
): boolean {
  if (tells === 'all' || syncMode === 'new_only' || isFinal) return false;
  if (walkCursor !== null) return true;
  return walkedAt !== null && now.getTime() - walkedAt.getTime() >= walkEveryMs;
}

/**
 * The cursor of a phase is no longer known to the provider. What rested for a while may be too old, and is read at once; what has
 * been read just now is waited for.
 */
export function afterExpiry(
  { attempts, reading }: Pick<ResourceRow, 'attempts' | 'reading'>,
  phase: Phase,
  now: Date,
): Partial<Progress> {
  const isWaitedFor = phase === 'walk' || reading;
  return {
    attempts: attempts + 1,
    retryAt: isWaitedFor ? new Date(now.getTime() + retryMsFirst) : null,
    ...(phase === 'walk' ? { walkCursor: '' } : { cursor: '', reading: false }),
  };
}

/**
 * What waiting may help is tried again, later and later. What is not found is looked for again in later syncs, and given up in
 * the end; the rest is given up at once, until somebody does something.
 */
export function afterFailure(
  resource: Pick<ResourceRow, 'attempts' | 'missingSince' | 'missingLooks'>,
  failure: ProviderError,
  { now, runId }: Moment,
): Partial<Progress> {
  const looked = failure.kind === 'missing' ? lookedFor(resource, now) : undefined;
  const isTriedAgain = failure.kind === 'unavailable' || failure.kind === 'expired';
  const isFinal = looked?.isGivenUp ?? !isTriedAgain;
  const tries = resource.attempts + 1;
  const endsSync = !isTriedAgain || tries >= triesMax;
  const waitMs = (failure.retryAfterSeconds ?? 0) * 1000 || retryMsFirst * 2 ** resource.attempts;
  return {
    attempts: endsSync ? 0 : tries,
    retryAt: endsSync ? null : new Date(now.getTime() + waitMs),
    message: bounded(isFinal && looked ? `${failure.message}; ${looked.summary}` : failure.message),
    httpStatus: failure.httpStatus ?? null,
    retryable: !isFinal,
    ...looked?.progress,
    ...(endsSync && { health: 'failed', doneRun: runId }),
    ...(isFinal && { status: 'failed', syncBlockedAt: now }),
  };
}

/** One more sync has not found a resource. */
function lookedFor(
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
