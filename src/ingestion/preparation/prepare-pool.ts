import { rm } from 'node:fs/promises';
import type { ExtractedGraph, ExtractionInput } from '../../graph/extraction/extracted-graph.js';
import { currentSignal } from '../../lib/cancellation.js';
import { ChildPool } from '../../lib/child-pool.js';
import { ChildDied } from '../../lib/child-process.js';
import type { ChildDeath } from '../../lib/child-process.js';
import { hourMs } from '../../lib/units.js';
import { toDiskFailure } from '../../storage/storage-failure.js';
import type { ParseSettings } from '../parsers/parse-file.js';
import type { ItemFindings, PrepareRun, PrepareTask, RefusedItem, WrittenItem } from './prepare.js';
import { PreparedChunks } from './prepared-chunks.js';

// Far longer than any honest item of its size takes, even on a busy machine.
const baseMsDefault = 20_000;
const msPerByte = 0.02;
// For an item that keeps making progress: hours of OCR.
const longestMs = 2 * hourMs;
const idleMs = 60_000;
// Two small items and a large one are prepared at a time.
const childrenMax = 3;
// A child that has read a text holds about 120 MiB. Its heap may not use all that it may hold, since a file
// is a buffer beside it.
const residentMebibytesMaxDefault = 380;
const residentMebibytesKept = 220;
const heapShare = 0.7;

interface PreparePoolOptions {
  readonly parsing: ParseSettings;
  /** Makes a new path for a file that takes what does not fit into a message. */
  readonly newSpoolPath: () => string;
  /** How long an item without any content may go without progress. */
  readonly baseMs?: number;
  /** How much memory a child process may hold. */
  readonly residentMebibytesMax?: number;
  /** Replaces the module whose functions run in the children. */
  readonly module?: URL;
  /** Children that several pools share and that outlive this one: starting one takes more than a second. */
  readonly sharedChildren?: ChildPool | undefined;
}

type ChildrenOptions = Pick<PreparePoolOptions, 'residentMebibytesMax' | 'module'>;

/** Child processes that run the functions of prepare.ts. */
export function openChildren({
  residentMebibytesMax = residentMebibytesMaxDefault,
  module = new URL('./prepare-child.js', import.meta.url),
}: ChildrenOptions = {}): ChildPool {
  return new ChildPool({
    module,
    childrenMax,
    residentMebibytesMax,
    residentMebibytesKept,
    heapMebibytesMax: Math.round(residentMebibytesMax * heapShare),
    idleMs,
  });
}

export interface PreparedItem extends ItemFindings {
  /** The caller closes them. */
  readonly chunks: PreparedChunks;
}

interface Item {
  readonly task: PrepareTask;
  readonly contentBytes: number;
}

/**
 * Runs the functions of prepare.ts in child processes, so that indexing neither delays requests nor makes the
 * server grow. An item that takes far longer than its size explains, or more memory than it may have, is
 * refused and harms no other.
 */
export class PreparePool {
  private readonly children: ChildPool;
  /** Aborts what this pool runs in children that others continue to use. */
  private readonly closing: AbortController | undefined;

  constructor(private readonly options: PreparePoolOptions) {
    this.children = options.sharedChildren ?? openChildren(options);
    this.closing = options.sharedChildren && new AbortController();
  }

  /**
   * Prepares items; the results are in the same order. Small items together cost less; if they fail together,
   * each is tried alone. @throws StorageFailure when chunks cannot be kept on disk; the reason of the signal that
   * cancels this work
   */
  async prepare(items: readonly Item[]): Promise<(PreparedItem | RefusedItem)[]> {
    const { parsing, newSpoolPath } = this.options;
    const input = items.map(({ task }): PrepareRun => ({ task, parsing, spoolPath: newSpoolPath() }));
    const bytes = items.reduce((sum, { contentBytes }) => sum + contentBytes, 0);
    try {
      const results = await this.run<(WrittenItem | RefusedItem)[]>('prepare', { input, bytes });
      if (Array.isArray(results)) return await allPrepared(results, input);
      await removeAll(input);
      if (items.length === 1) return [results];
    } catch (error) {
      await removeAll(input);
      throw toDiskFailure(error);
    }
    const alone: (PreparedItem | RefusedItem)[] = [];
    for (const item of items) alone.push(...(await this.prepare([item])));
    return alone;
  }

  async readInferredTexts({ task, contentBytes: bytes }: Item): Promise<string[] | RefusedItem> {
    return this.run<string[]>('readInferredTexts', { input: { task, parsing: this.options.parsing }, bytes });
  }

  /** Undefined when it takes too long. */
  async extractGraph(input: ExtractionInput): Promise<ExtractedGraph | undefined> {
    const bytes = input.chunks.reduce((sum, { text }) => sum + text.length, 0);
    const result = await this.run<ExtractedGraph>('extractGraph', { input, bytes });
    return 'errorCode' in result ? undefined : result;
  }

  /** Ends whatever is running. */
  close(): void {
    if (this.closing) this.closing.abort(new Error('the pool of child processes is closed'));
    else this.children.close();
  }

  private async run<Result>(
    name: 'prepare' | 'readInferredTexts' | 'extractGraph',
    { input, bytes }: { input: unknown; bytes: number },
  ): Promise<Result | RefusedItem> {
    const limitMs = Math.round((this.options.baseMs ?? baseMsDefault) + bytes * msPerByte);
    const signal = currentSignal();
    const closed = this.closing?.signal;
    const either = signal && closed ? AbortSignal.any([signal, closed]) : (signal ?? closed);
    try {
      const limits = { limitMs, longestMs, signal: either };
      return (await this.children.run({ name, input }, limits)) as Result | RefusedItem;
    } catch (error) {
      if (!(error instanceof ChildDied)) throw error;
      return { errorCode: 'E1001', errorMessage: this.reasonOf(error.death, limitMs) };
    }
  }

  private reasonOf(death: ChildDeath, limitMs: number): string {
    if (death === 'time') return `it could not be read in ${limitMs / 1000} seconds`;
    const { residentMebibytesMax = residentMebibytesMaxDefault } = this.options;
    if (death === 'memory') return `it is too large to be read in ${residentMebibytesMax} MB of memory`;
    return `it could not be read: the process that read it ${death === 'killed' ? 'was killed, twice' : 'crashed'}`;
  }
}

/** Opens the chunks of all items; if one cannot be opened, none stays open. */
async function allPrepared(
  results: readonly (WrittenItem | RefusedItem)[],
  runs: readonly PrepareRun[],
): Promise<(PreparedItem | RefusedItem)[]> {
  const prepared: (PreparedItem | RefusedItem)[] = [];
  try {
    for (const [n, result] of results.entries())
      prepared.push(await toPrepared(result, runs[n]?.spoolPath ?? ''));
    return prepared;
  } catch (error) {
    for (const item of prepared) if ('chunks' in item) await item.chunks.close();
    throw error;
  }
}

async function toPrepared(
  result: WrittenItem | RefusedItem,
  spoolPath: string,
): Promise<PreparedItem | RefusedItem> {
  if (!('errorCode' in result))
    return { ...result, chunks: await PreparedChunks.open(result.chunks, spoolPath) };
  await rm(spoolPath, { force: true });
  return result;
}

async function removeAll(runs: readonly PrepareRun[]): Promise<void> {
  for (const { spoolPath } of runs) await rm(spoolPath, { force: true });
}
