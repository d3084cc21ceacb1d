import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../errors.js';
import type { ConnectorStatus } from '../management/connector-status.types.js';

const pollMs = 1000;

interface StatusSource {
  /** @throws AppError when the connector is gone, or the caller may not see it any more */
  readonly read: () => Promise<ConnectorStatus>;
  /** Whether the subscriber's key is still valid. */
  readonly isAllowed: () => Promise<boolean>;
}

/**
 * Yields the status, and again whenever something that matters in it has changed. The row is read every
 * second, since syncs run in other processes and few clients watch.
 */
export function watchStatus(
  first: ConnectorStatus,
  { read, isAllowed }: StatusSource,
): AsyncIterableIterator<ConnectorStatus> {
  const ended = new AbortController();
  let told: ConnectorStatus | undefined;
  const next = async (): Promise<IteratorResult<ConnectorStatus>> => {
    if (!told) {
      told = first;
      return { done: false, value: first };
    }
    for (;;) {
      await setTimeout(pollMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted || !(await isAllowed())) return { done: true, value: undefined };
      const status = await readUnlessGone(read);
      if (!status) return { done: true, value: undefined };
      if (isDeepStrictEqual(watchedPart(status), watchedPart(told))) continue;
      told = status;
      return { done: false, value: status };
    }
  };
  const iterator: AsyncIterableIterator<ConnectorStatus> = {
    next,
    return: async () => {
      ended.abort();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** The part of a status whose changes are sent. */
function watchedPart({ lifecycle, syncStatus, progress, error, resources }: ConnectorStatus): unknown {
  return [
    lifecycle,
    syncStatus,
    progress,
    error,
    resources.map(({ resourceId, status }) => [resourceId, status]),
  ];
}

async function readUnlessGone(read: StatusSource['read']): Promise<ConnectorStatus | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}
