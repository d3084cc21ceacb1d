import { AsyncLocalStorage } from 'node:async_hooks';
import { StatementWatch } from '../postgres/statement-watch.js';
import type { WeighedLane, Weighing } from './ranking/lane-weights.js';
import type { RankedHit } from './ranking/rank-fusion.js';

const traces = new AsyncLocalStorage<SearchTrace>();

/** What a lane did, over all looks of a search. */
interface LaneTrace {
  readonly watch: StatementWatch;
  milliseconds: number;
}

/** What the lanes of a search found, by name. */
type LaneHits = { readonly [Name in WeighedLane]?: readonly RankedHit[] };

/** What one search did, noted while it runs; a search that nobody traces pays for none of it. */
export class SearchTrace {
  readonly lanes = new Map<WeighedLane, LaneTrace>();
  /** Milliseconds by stage, in the order in which they began. */
  readonly stages = new Map<string, number>();
  /** Of the last look: what was fused, and how. */
  fusion: { readonly weighing: Weighing; readonly hits: LaneHits } | undefined;
  shown: readonly { readonly id: string; readonly chunkUuid: string }[] = [];
  looks = 0;

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return traces.run(this, () => traceStage('total', work));
  }

  noteLook(): void {
    this.looks += 1;
  }

  noteFusion(weighing: Weighing, hits: LaneHits): void {
    this.fusion = { weighing, hits };
  }

  noteShown(shown: readonly { id: string; chunkUuid: string }[]): void {
    this.shown = shown;
  }
}

/** The trace of the search that this code runs for; undefined when nobody asked for one. */
export function currentTrace(): SearchTrace | undefined {
  return traces.getStore();
}

/** Runs a lane, and notes how long it takes and which statements it runs. */
export async function traceLane<Result>(name: WeighedLane, work: () => Promise<Result>): Promise<Result> {
  const trace = currentTrace();
  if (!trace) return work();
  const lane = trace.lanes.get(name) ?? { watch: new StatementWatch(), milliseconds: 0 };
  trace.lanes.set(name, lane);
  const startedAt = performance.now();
  return lane.watch.run(work).finally(() => {
    lane.milliseconds += performance.now() - startedAt;
  });
}

/** Runs a stage of a search, and notes how long it takes. */
export async function traceStage<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const trace = currentTrace();
  if (!trace) return work();
  const startedAt = performance.now();
  // Its place among the others is that of its beginning.
  if (!trace.stages.has(name)) trace.stages.set(name, 0);
  return work().finally(() => {
    trace.stages.set(name, (trace.stages.get(name) ?? 0) + performance.now() - startedAt);
  });
}
