// The tests against naive models with 2,000 new sequences of the store and as many filters, and 1,000 sequences of the graph, instead of the few of `npm test`.
import { spawnSync } from 'node:child_process';

const seed = process.env.MODEL_SEED ?? String(Date.now() % 1_000_000);
console.log(`MODEL_SEED=${seed}`);
const { status } = spawnSync(
  process.execPath,
  ['scripts/test.mjs', 'test/rest/(graph-|filter-)?model.test'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      MODEL_SEED: seed,
      GRAPH_SEED: seed,
      MODEL_SEQUENCES: process.env.MODEL_SEQUENCES ?? '2000',
      GRAPH_SEQUENCES: process.env.GRAPH_SEQUENCES ?? '1000',
    },
  },
);
process.exit(status ?? 1);
