import type { DataSource } from 'typeorm';
import { planCost } from '../postgres/plan-cost.js';
import type { StatementWatch } from '../postgres/statement-watch.js';
import { laneWeights } from './ranking/lane-weights.js';
import type { WeighedLane } from './ranking/lane-weights.js';
import type { ChunkScores, FusionExplain, LaneExplain, SearchExplain } from './search-explain.types.js';
import type { SearchTrace } from './search-trace.js';

const laneNames: readonly WeighedLane[] = ['dense', 'sparse', 'graph', 'metadata', 'app'];
// Lanes whose chunks other lanes find along the way; they run no statements of their own.
const followingLanes: readonly WeighedLane[] = ['around', 'forced'];

/**
 * Explains how a traced search came to its answer. Asks Postgres for the plans of its statements, without
 * running them again.
 */
export async function explainSearch(postgres: DataSource, trace: SearchTrace): Promise<SearchExplain> {
  const lanes: LaneExplain[] = [];
  for (const name of laneNames) {
    const lane = trace.lanes.get(name);
    const candidates = trace.fusion?.hits[name]?.length ?? 0;
    // A lane that had nothing to search was not run.
    if (!lane || (candidates === 0 && lane.watch.statements.length === 0)) continue;
    lanes.push({
      name,
      candidates,
      milliseconds: lane.milliseconds,
      statements: lane.watch.statements.length,
      planCost: await costOf(postgres, lane.watch),
    });
  }
  return {
    lanes,
    fusion: explainFusion(trace),
    chunks: scoresOf(trace),
    timings: [...trace.stages].map(([stage, milliseconds]) => ({ stage, milliseconds })),
    looks: trace.looks,
  };
}

// One after another: the embedded Postgres would plan them so anyway.
async function costOf(postgres: DataSource, { statements }: StatementWatch): Promise<number> {
  let sum = 0;
  for (const statement of statements) sum += await planCost(postgres, statement);
  return sum;
}

function explainFusion({ fusion }: SearchTrace): FusionExplain | null {
  if (!fusion) return null;
  const { weighing } = fusion;
  const weights = laneWeights(weighing);
  return { alpha: weights.dense, auto: weighing.alpha === 'auto', weights };
}

function scoresOf({ fusion, said, shown }: SearchTrace): ChunkScores[] {
  const scores = new Map(
    [...laneNames, ...followingLanes].map((name) => [
      name,
      new Map(fusion?.hits[name]?.map(({ id, score }) => [id, score])),
    ]),
  );
  const scoreIn = (name: WeighedLane, id: string) => scores.get(name)?.get(id) ?? null;
  return shown.map(({ id, chunkUuid }) => ({
    chunkUuid,
    dense: scoreIn('dense', id),
    sparse: scoreIn('sparse', id),
    graph: scoreIn('graph', id),
    metadata: scoreIn('metadata', id),
    app: scoreIn('app', id),
    around: scoreIn('around', id),
    forced: scoreIn('forced', id),
    lateInteraction: said.get(id) ?? null,
  }));
}
