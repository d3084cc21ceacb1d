import { Tinypool } from 'tinypool';
import type { ExtractedGraph, ExtractionInput } from '../graph/extraction/extracted-graph.js';
import type { ParseSettings } from './parsers/parse-file.js';
import type { PreparedItem, PrepareRun, PrepareTask, RefusedItem } from './prepare.js';

// Far longer than any honest item of its size takes.
const baseMsDefault = 20_000;
const msPerByte = 0.02;
const idleMs = 60_000;
/** How many small items of a batch are prepared at a time; two batches may be under way. */
export const preparedAtOnceMax = 1;

interface PreparePoolOptions {
  readonly parsing: ParseSettings;
  /** How long an item without any content may take. */
  readonly baseMs?: number;
}

/** Runs the functions of prepare.ts in worker threads, so that indexing never holds up requests. */
export class PreparePool {
  private pool: Tinypool | undefined;

  constructor(private readonly options: PreparePoolOptions) {}

  /** An item that takes far longer than its size explains is refused, and its thread ended. */
  async prepare(task: PrepareTask, contentBytes: number): Promise<PreparedItem | RefusedItem> {
    return this.run<PreparedItem>('prepare', this.prepareRun(task), contentBytes);
  }

  async readInferredTexts(task: PrepareTask, contentBytes: number): Promise<string[] | RefusedItem> {
    return this.run<string[]>('readInferredTexts', this.prepareRun(task), contentBytes);
  }

  /** Undefined when it takes too long. */
  async extractGraph(input: ExtractionInput): Promise<ExtractedGraph | undefined> {
    const characters = input.chunks.reduce((sum, { text }) => sum + text.length, 0);
    const result = await this.run<ExtractedGraph>('extractGraph', input, characters);
    return 'errorCode' in result ? undefined : result;
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }

  private prepareRun(task: PrepareTask): PrepareRun {
    return { task, parsing: this.options.parsing };
  }

  private async run<Result>(
    name: 'prepare' | 'readInferredTexts' | 'extractGraph',
    input: PrepareRun | ExtractionInput,
    contentBytes: number,
  ): Promise<Result | RefusedItem> {
    this.pool ??= new Tinypool({
      filename: new URL('./prepare.js', import.meta.url).href,
      runtime: 'worker_threads',
      minThreads: 1,
      // As many as are prepared at a time: two small items and a large one. None waits, so that time is not counted
      // against it while another one hangs.
      maxThreads: 2 * preparedAtOnceMax + 1,
      idleTimeout: idleMs,
    });
    const limitMs = Math.round((this.options.baseMs ?? baseMsDefault) + contentBytes * msPerByte);
    const signal = AbortSignal.timeout(limitMs);
    try {
      return (await this.pool.run(input, { signal, name })) as Result | RefusedItem;
    } catch (error) {
      if (!signal.aborted) throw error;
      return { errorCode: 'E1001', errorMessage: `it could not be read in ${limitMs / 1000} seconds` };
    }
  }
}
