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

/** What the lanes of a search found, by lane. */
type LaneHits = { readonly [Name in WeighedLane]?: readonly RankedHit[] };

/** Records what one search does. Searches that nobody traces pay nothing for it. */
export class SearchTrace {
  readonly lanes = new Map<WeighedLane, LaneTrace>();
  /** Milliseconds per stage, in the order in which the stages began. */
  readonly stages = new Map<string, number>();
  /** What was fused in the last look, and how. */
  fusion: { readonly weighing: Weighing; readonly hits: LaneHits } | undefined;
  /** What late interaction found in the last look, by chunk id; empty where there was none. */
  said: ReadonlyMap<string, number> = new Map();
  shown: readonly { readonly id: string; readonly chunkUuid: string }[] = [];
  looks = 0;

  /** Runs a search whose stages and lanes are recorded here. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return traces.run(this, () => traceStage('total', work));
  }

  noteLook(): void {
    this.looks += 1;
  }

  noteFusion(weighing: Weighing, hits: LaneHits): void {
    this.fusion = { weighing, hits };
  }

  noteSaid(said: ReadonlyMap<string, number>): void {
    this.said = said;
  }

  noteShown(shown: readonly { id: string; chunkUuid: string }[]): void {
    this.shown = shown;
  }
}

/** The trace of the search that this code runs for; undefined when it is not traced. */
export function currentTrace(): SearchTrace | undefined {
  return traces.getStore();
}

/** Runs a lane, and records its duration and its statements. */
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

/** Runs a stage of a search, and records its duration. */
export async function traceStage<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const trace = currentTrace();
  if (!trace) return work();
  const startedAt = performance.now();
  // Set now, so that stages stand in the order in which they began.
  if (!trace.stages.has(name)) trace.stages.set(name, 0);
  return work().finally(() => {
    trace.stages.set(name, (trace.stages.get(name) ?? 0) + performance.now() - startedAt);
  });
}
