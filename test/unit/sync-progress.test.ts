import { describe, expect, test } from '@jest/globals';
import type { ResourceRow } from '../../src/connectors/management/connector-rows.js';
import { ProviderError } from '../../src/connectors/provider.js';
import type { Page } from '../../src/connectors/provider.js';
import {
  afterExpiry,
  afterFailure,
  afterPage,
  endsFullListing,
  isProgress,
  missingLooksMin,
  missingMsMax,
  nextPhase,
  retryMsFirst,
  triesMax,
  walkOf,
} from '../../src/connectors/sync/sync-progress.js';

const now = new Date('2026-03-02T12:00:00Z');
const yesterday = new Date('2026-03-01T12:00:00Z');
const thisMorning = new Date('2026-03-02T08:00:00Z');
const runId = 'run-2';
const moment = { now, runId };
const row = {
  cursor: 'c1',
  reading: false,
  readRun: 'run-1',
  firstSyncedAt: yesterday,
  backfillOldest: yesterday,
  walk: 3,
  walkCursor: null,
  walkedAt: thisMorning,
  doneRun: 'run-1',
  attempts: 0,
  missingSince: null,
  missingLooks: 0,
  message: '',
  health: 'ok',
  status: 'active',
  syncMode: 'rescan',
  syncBlockedAt: null,
  objectsSeen: 2,
} as unknown as ResourceRow;
const pageOf = (page: Partial<Page> = {}): Page => ({ entries: [], cursor: 'c2', more: false, ...page });
const stored = {
  phase: 'read',
  page: pageOf(),
  walk: 3,
  canWalk: true,
  problem: '',
  held: undefined,
} as const;
const moved = (ms: number) => new Date(now.getTime() + ms);

describe('what is read next', () => {
  test('is what is new, then a walk that is under way, in each sync', () => {
    expect(nextPhase({ readRun: 'run-1', walkCursor: 'w' }, runId, true)).toEqual({ phase: 'read' });
    expect(nextPhase({ readRun: runId, walkCursor: null }, runId, true)).toEqual({ phase: 'read' });
    expect(nextPhase({ readRun: runId, walkCursor: '' }, runId, true)).toEqual({ phase: 'walk', cursor: '' });
    expect(nextPhase({ readRun: runId, walkCursor: 'w' }, runId, false)).toEqual({ phase: 'read' });
  });

  test('belongs to a walk of its own where every sync shows everything, from its first page on', () => {
    const all = pageOf({ coverage: 'all' });
    expect(walkOf({ walk: 3, reading: false }, 'read', all)).toBe(4);
    expect(walkOf({ walk: 4, reading: true }, 'read', all)).toBe(4);
    expect(walkOf({ walk: 3, reading: false }, 'read', pageOf())).toBe(3);
    expect(walkOf({ walk: 3, reading: false }, 'walk', all)).toBe(3);
  });

  test('has shown everything at the end of a walk, or of a read that covers all', () => {
    const ends = (phase: 'read' | 'walk', page: Partial<Page>) => endsFullListing(phase, pageOf(page));
    expect([ends('walk', {}), ends('read', { coverage: 'all' })]).toEqual([true, true]);
    expect([
      ends('read', {}),
      ends('walk', { more: true }),
      ends('read', { coverage: 'all', more: true }),
    ]).toEqual([false, false, false]);
  });
});

describe('a page that was stored', () => {
  test('moves the cursor of reading, which goes on while there is more', () => {
    const page = pageOf({ more: true });
    expect(afterPage(row, { ...stored, page }, moment)).toMatchObject({
      cursor: 'c2',
      reading: true,
      readRun: 'run-1',
      doneRun: 'run-1',
      walkedAt: thisMorning,
    });
  });

  test('ends the sync of its resource when it is the last one', () => {
    const first = { ...row, firstSyncedAt: null, reading: true, health: 'checking' } as const;
    expect(afterPage(first, stored, moment)).toMatchObject({
      reading: false,
      readRun: runId,
      doneRun: runId,
      firstSyncedAt: now,
      walkCursor: null,
      health: 'ok',
      status: 'active',
    });
    expect(afterPage(row, stored, moment).firstSyncedAt).toBe(yesterday);
    expect(afterPage({ ...row, objectsSeen: 0 }, stored, moment).health).toBe('empty');
    const page = pageOf({ isArchived: true });
    const archived = { status: 'completed', doneRun: runId } as const;
    expect(afterPage(row, { ...stored, page }, moment)).toMatchObject(archived);
    expect(afterPage({ ...row, ...archived }, stored, moment).status).toBe('active');
  });

  test('begins a walk a day after the last one, where the provider walks', () => {
    const due = { ...row, walkedAt: yesterday };
    const begun = { walk: 4, walkCursor: '', walkedAt: yesterday, readRun: runId, doneRun: 'run-1' };
    expect(afterPage(due, stored, moment)).toMatchObject(begun);
    const notDue = { walk: 3, walkCursor: null, doneRun: runId };
    for (const [resource, page, canWalk] of [
      [row, pageOf(), true],
      [due, pageOf(), false],
      [due, pageOf({ coverage: 'all' }), true],
      [{ ...due, syncMode: 'new_only' as const }, pageOf(), true],
      // Its first reading has shown everything.
      [{ ...row, walkedAt: null }, pageOf(), true],
    ] as const)
      expect(afterPage(resource, { ...stored, page, canWalk }, moment)).toMatchObject(notDue);
  });

  test('goes on with a walk that was cut off, under its number', () => {
    const cutOff = { ...row, walkCursor: 'w5' };
    expect(afterPage(cutOff, stored, moment)).toMatchObject({ walk: 3, walkCursor: 'w5', doneRun: 'run-1' });
    const longer = pageOf({ more: true });
    expect(afterPage(cutOff, { ...stored, page: longer }, moment)).toMatchObject({
      walk: 3,
      walkCursor: 'w5',
      readRun: 'run-1',
    });
    const walking = { ...cutOff, readRun: runId };
    const page = pageOf({ cursor: 'w6', more: true });
    expect(afterPage(walking, { ...stored, phase: 'walk', page }, moment)).toMatchObject({
      cursor: 'c1',
      walk: 3,
      walkCursor: 'w6',
      doneRun: 'run-1',
    });
    expect(afterPage(walking, { ...stored, phase: 'walk' }, moment)).toMatchObject({
      cursor: 'c1',
      walkCursor: null,
      walkedAt: now,
      doneRun: runId,
    });
  });

  test('says when all was last looked through', () => {
    const at = (resource: ResourceRow, page: Page) =>
      afterPage(resource, { ...stored, page }, moment).walkedAt;
    expect(at(row, pageOf({ coverage: 'all' }))).toBe(now);
    expect(at({ ...row, walkedAt: null }, pageOf())).toBe(now);
    expect(at(row, pageOf())).toBe(thisMorning);
    expect(at(row, pageOf({ coverage: 'all', more: true }))).toBe(thisMorning);
  });

  test('ends what a failure had left, and says what was passed over', () => {
    const failed = {
      ...row,
      attempts: 2,
      missingSince: yesterday,
      missingLooks: 2,
      message: 'it is down',
      httpStatus: 503,
      retryable: false,
    };
    expect(afterPage(failed, stored, moment)).toMatchObject({
      attempts: 0,
      retryAt: null,
      missingSince: null,
      missingLooks: 0,
      message: '',
      httpStatus: null,
      retryable: true,
    });
    expect(afterPage({ ...row, message: 'a.pdf is too large' }, stored, moment).message).toBe(
      'a.pdf is too large',
    );
    expect(afterPage(failed, { ...stored, problem: 'b.pdf is too large' }, moment).message).toBe(
      'b.pdf is too large',
    );
  });

  test('is no progress when reading was to begin anew meanwhile', () => {
    expect(isProgress('read', row, row)).toBe(true);
    expect(isProgress('read', row, { ...row, cursor: '' })).toBe(false);
    expect(isProgress('read', row, { ...row, walkCursor: 'w' })).toBe(true);
    // The first page of all has no cursor that could tell.
    const first = { ...row, cursor: '' };
    const older = new Date(yesterday.getTime() - 1);
    expect(isProgress('read', first, { ...first, backfillOldest: older })).toBe(false);
    expect(isProgress('read', first, { ...first, backfillOldest: now })).toBe(true);
    const walking = { ...row, walkCursor: 'w5' };
    expect(isProgress('walk', walking, { ...walking, cursor: '' })).toBe(true);
    expect(isProgress('walk', walking, { ...walking, walkCursor: null })).toBe(false);
  });
});

describe('a page that could not be had', () => {
  const failure = (kind: 'unavailable' | 'refused' | 'missing', retryAfterSeconds?: number) =>
    new ProviderError(kind, 'it is down', { retryAfterSeconds, httpStatus: 503 });

  test('is tried again later and later, then given up until the next sync', () => {
    const waits = [0, 1, 2].map((attempts) =>
      afterFailure({ ...row, attempts }, failure('unavailable'), moment),
    );
    expect(waits).toEqual(
      [1, 2, 4].map((factor, index) => ({
        attempts: index + 1,
        retryAt: moved(factor * retryMsFirst),
        message: 'it is down',
        httpStatus: 503,
        retryable: true,
      })),
    );
    expect(afterFailure({ ...row, attempts: triesMax - 1 }, failure('unavailable'), moment)).toEqual({
      attempts: 0,
      retryAt: null,
      message: 'it is down',
      httpStatus: 503,
      retryable: true,
      health: 'failed',
      doneRun: runId,
    });
  });

  test('waits as long as the provider says', () => {
    const { retryAt } = afterFailure({ ...row, attempts: 1 }, failure('unavailable', 90), moment);
    expect(retryAt).toEqual(moved(90_000));
  });

  test('is given up at once where waiting does not help, until somebody does something', () => {
    expect(afterFailure(row, failure('refused'), moment)).toMatchObject({
      attempts: 0,
      retryAt: null,
      retryable: false,
      health: 'failed',
      status: 'failed',
      syncBlockedAt: now,
      doneRun: runId,
    });
  });

  test('that is not found is looked for in later syncs, and given up after days and several looks', () => {
    const first = afterFailure(row, failure('missing'), moment);
    expect(first).toEqual({
      attempts: 0,
      retryAt: null,
      message: 'it is down',
      httpStatus: 503,
      retryable: true,
      missingSince: now,
      missingLooks: 1,
      health: 'failed',
      doneRun: runId,
    });
    const longAgo = new Date(now.getTime() - missingMsMax);
    const looked = (missingSince: Date, looks: number) =>
      afterFailure({ ...row, missingSince, missingLooks: looks - 1 }, failure('missing'), moment);
    for (const early of [
      looked(longAgo, missingLooksMin - 1),
      looked(new Date(longAgo.getTime() + 1), missingLooksMin),
    ])
      expect(early).not.toHaveProperty('status');
    expect(looked(longAgo, missingLooksMin)).toMatchObject({
      message: `it is down; it was looked for ${missingLooksMin} times since ${longAgo.toISOString()}`,
      retryable: false,
      missingSince: longAgo,
      status: 'failed',
      syncBlockedAt: now,
    });
    // A failure of another kind tells nothing of it.
    expect(afterFailure(row, failure('unavailable'), moment)).not.toHaveProperty('missingLooks');
  });

  test('because its place is too old is read anew: at once after a rest, else after a wait', () => {
    const anew = { cursor: '', reading: false };
    const read = { phase: 'read', message: 'too old' } as const;
    const rested = { attempts: 0, reading: false, restartedRun: 'run-1' };
    expect(afterExpiry(rested, read, moment)).toEqual({
      ...anew,
      attempts: 1,
      retryAt: null,
      restartedRun: runId,
    });
    expect(afterExpiry({ attempts: 1, reading: true, restartedRun: null }, read, moment)).toEqual({
      ...anew,
      attempts: 2,
      retryAt: moved(retryMsFirst),
      restartedRun: runId,
    });
    expect(afterExpiry(rested, { ...read, phase: 'walk' }, moment)).toEqual({
      walkCursor: '',
      attempts: 1,
      retryAt: moved(retryMsFirst),
      restartedRun: runId,
    });
  });

  test('because its place is too old again ends the sync: the next one reads it from the start', () => {
    const again = { attempts: 1, reading: true, restartedRun: runId };
    const failed = { health: 'failed', message: 'too old', retryable: true, httpStatus: null };
    const ended = { ...failed, attempts: 0, retryAt: null, doneRun: runId };
    const read = { phase: 'read', message: 'too old' } as const;
    expect(afterExpiry(again, read, moment)).toEqual({ ...ended, cursor: '', reading: false });
    expect(afterExpiry(again, { ...read, phase: 'walk' }, moment)).toEqual({ ...ended, walkCursor: '' });
  });
});
