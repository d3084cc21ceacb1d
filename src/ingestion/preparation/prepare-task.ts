import { stat } from 'node:fs/promises';
import type { FactExtraction } from '../../inference/facts.js';
import { speakerOf } from '../../sources/app-items/speakers.js';
import { isWrittenKey } from '../../sources/app-items/written-key.js';
import type { QueuedVersion } from '../../sources/status/indexing-queue.js';
import type { Originals } from '../../storage/originals.js';
import { StorageFailure } from '../../storage/storage-failure.js';
import type { PrepareTask, RefusedItem } from './prepare.js';

/** A version, what a language model extracted from it, and where its original is. */
interface TaskParts {
  readonly version: QueuedVersion;
  readonly originals: Originals;
  readonly extraction?: FactExtraction | undefined;
}

/**
 * Runs work with what a child process needs of a version, including a copy of its original on disk; the item
 * is refused when that is gone. @throws StorageFailure when the store does not give the whole of it
 */
export async function withPrepareTask<Result>(
  { version, originals, extraction }: TaskParts,
  use: (task: PrepareTask) => Promise<Result>,
): Promise<Result | RefusedItem> {
  const { storageKey } = version;
  if (storageKey === null) return use(textTask(version, extraction));
  const result = await originals.withCopy(storageKey, async (path) => {
    await requireWhole(path, version.contentBytes);
    return { used: await use(toPrepareTask(version, path, extraction)) };
  });
  return result ? result.used : { errorCode: 'E1001', errorMessage: 'its original is gone' };
}

/** Half a file must not be searchable as if it were the whole. @throws StorageFailure */
async function requireWhole(path: string, bytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size !== bytes)
    throw new StorageFailure(new Error(`an original has ${size} bytes instead of ${bytes}`));
}

/** The task for a version without a file. */
export function textTask(version: QueuedVersion, extraction: FactExtraction | undefined): PrepareTask {
  return toPrepareTask(version, undefined, extraction);
}

function toPrepareTask(
  version: QueuedVersion,
  path: string | undefined,
  extraction: FactExtraction | undefined,
): PrepareTask {
  const { title, filename, contentType, memory, app, infer, hasGraph } = version;
  return {
    title,
    key: app?.externalId ?? ownKey(version),
    file:
      path === undefined ? undefined : { name: filename ?? '', contentType: contentType ?? undefined, path },
    memory: memory ?? undefined,
    app: app ?? undefined,
    wantsGraph: !hasGraph,
    infer: infer ? { userName: speakerOf(version), extraction } : undefined,
  };
}

/** Ids such as msg-12 are counters of programs. */
const inCapitals = /^\p{Lu}/u;

function ownKey({ corpus, id }: QueuedVersion): string | null {
  return corpus === 'knowledge' && inCapitals.test(id) && isWrittenKey(id) ? id : null;
}
