import type { QueuedVersion } from '../../sources/status/indexing-queue.js';
import type { PreparedItem } from './prepare-pool.js';
import type { PreparedChunk } from './prepared-chunks.js';

// How many versions without a file are prepared with one message.
const textsAtOnce = 32;
const textBytesAtOnce = 100_000;

/** A version on its way through the pipeline, with its chunks. */
export interface PreparedVersion extends PreparedItem {
  readonly version: QueuedVersion;
}

/** A chunk, and the version that it belongs to. */
export interface GroupChunk {
  readonly version: QueuedVersion;
  readonly chunk: PreparedChunk;
}

/**
 * Groups versions to be prepared together: one with a file alone, small ones without a file several at a
 * time.
 */
export function* preparedTogether(group: readonly QueuedVersion[]): Generator<readonly QueuedVersion[]> {
  let texts: QueuedVersion[] = [];
  let bytes = 0;
  for (const version of group) {
    if (version.storageKey !== null) {
      yield [version];
      continue;
    }
    if (
      texts.length === textsAtOnce ||
      (texts.length > 0 && bytes + version.contentBytes > textBytesAtOnce)
    ) {
      yield texts;
      texts = [];
      bytes = 0;
    }
    texts.push(version);
    bytes += version.contentBytes;
  }
  if (texts.length > 0) yield texts;
}

/** The chunks of versions, in order, in windows; `rowsMax` is asked anew for the size of each. */
export async function* windowsOf(
  prepared: readonly PreparedVersion[],
  rowsMax: () => number,
): AsyncGenerator<readonly GroupChunk[]> {
  let window: GroupChunk[] = [];
  for (const { version, chunks } of prepared) {
    for await (const some of chunks) {
      for (const chunk of some) {
        window.push({ version, chunk });
        if (window.length < rowsMax()) continue;
        yield window;
        window = [];
      }
    }
  }
  if (window.length > 0) yield window;
}
