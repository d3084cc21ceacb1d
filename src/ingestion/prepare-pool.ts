import { rm } from 'node:fs/promises';
import type { ExtractedGraph, ExtractionInput } from '../graph/extraction/extracted-graph.js';
import { ChildPool } from '../lib/child-pool.js';
import { ChildDied } from '../lib/child-process.js';
import type { ChildDeath } from '../lib/child-process.js';
import { toDiskFailure } from '../storage/storage-failure.js';
import type { ParseSettings } from './parsers/parse-file.js';
import type { ItemFindings, PrepareRun, PrepareTask, RefusedItem, WrittenItem } from './prepare.js';
import { PreparedChunks } from './prepared-chunks.js';

// Far longer than any honest item of its size takes, on a machine that has other things to do.
const baseMsDefault = 20_000;
const msPerByte = 0.02;
// Of an item that goes on making progress: hours of recognising pages.
const longestMs = 2 * 3_600_000;
const idleMs = 60_000;
// Two small items and a large one are prepared at a time.
const childrenMax = 3;
// A child that has read a text holds about 120 MiB. The heap may not fill what it may hold: a file is a buffer beside it.
const residentMebibytesMaxDefault = 380;
const residentMebibytesKept = 220;
const heapShare = 0.7;

interface PreparePoolOptions {
  readonly parsing: ParseSettings;
  /** Names a file of its own for what does not fit a message. */
  readonly newSpoolPath: () => string;
  /** How long an item without any content may take without making progress. */
  readonly baseMs?: number;
  /** What a child process may hold. */
  readonly residentMebibytesMax?: number;
  /** Replaces the functions that run in the children. */
  readonly module?: URL;
  /** Children of several pools, which outlive this one: to start one takes more than a second. */
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
  /** To be closed. */
  readonly chunks: PreparedChunks;
}

interface Item {
  readonly task: PrepareTask;
  readonly contentBytes: number;
}

/**
 * Runs the functions of prepare.ts in child processes, so that indexing neither holds up requests nor grows the server, and an
 * item that cannot be read harms nobody else: one that takes far longer than its size explains, or more memory than there
 * is for it, is refused.
 */
export class PreparePool {
  private readonly children: ChildPool;
  /** Ends what this pool runs in children that others go on with. */
  private readonly closing: AbortController | undefined;

  constructor(private readonly options: PreparePoolOptions) {
    this.children = options.sharedChildren ?? openChildren(options);
    this.closing = options.sharedChildren && new AbortController();
  }

  /**
   * What becomes of items, in their order. Small ones cost less together; when together they cannot be prepared each has a
   * try on its own. @throws StorageFailure when chunks cannot be kept on disk; what the signal says
   */
  async prepare(items: readonly Item[], signal?: AbortSignal): Promise<(PreparedItem | RefusedItem)[]> {
    const { parsing, newSpoolPath } = this.options;
    const input = items.map(({ task }): PrepareRun => ({ task, parsing, spoolPath: newSpoolPath() }));
    const bytes = items.reduce((sum, { contentBytes }) => sum + contentBytes, 0);
    try {
      const results = await this.run<(WrittenItem | RefusedItem)[]>('prepare', { input, bytes }, signal);
      if (Array.isArray(results)) return await allPrepared(results, input);
      await removeAll(input);
      if (items.length === 1) return [results];
    } catch (error) {
      await removeAll(input);
      throw toDiskFailure(error);
    }
    const alone: (PreparedItem | RefusedItem)[] = [];
    for (const item of items) alone.push(...(await this.prepare([item], signal)));
    return alone;
  }

  async readInferredTexts(
    { task, contentBytes: bytes }: Item,
    signal?: AbortSignal,
  ): Promise<string[] | RefusedItem> {
    return this.run<string[]>(
      'readInferredTexts',
      { input: { task, parsing: this.options.parsing }, bytes },
      signal,
    );
  }

  /** Undefined when it takes too long. */
  async extractGraph(input: ExtractionInput): Promise<ExtractedGraph | undefined> {
    const bytes = input.chunks.reduce((sum, { text }) => sum + text.length, 0);
    const result = await this.run<ExtractedGraph>('extractGraph', { input, bytes });
    return 'errorCode' in result ? undefined : result;
  }

  /** Ends what runs. */
  close(): void {
    if (this.closing) this.closing.abort(new Error('the pool of child processes is closed'));
    else this.children.close();
  }

  private async run<Result>(
    name: 'prepare' | 'readInferredTexts' | 'extractGraph',
    { input, bytes }: { input: unknown; bytes: number },
    signal?: AbortSignal,
  ): Promise<Result | RefusedItem> {
    const limitMs = Math.round((this.options.baseMs ?? baseMsDefault) + bytes * msPerByte);
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

/** All of them; when one cannot be opened none stays open. */
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
