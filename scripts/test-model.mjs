// The tests that draw lots, each with new ones and with many more than `npm test` takes: histories of the store and of the graph and
// filters against naive models, and requests that nobody would send.
import { spawnSync } from 'node:child_process';

const seed = process.env.MODEL_SEED ?? String(Date.now() % 1_000_000);
console.log(`MODEL_SEED=${seed}`);
const { status } = spawnSync(
  process.execPath,
  [
    'scripts/test.mjs',
    'test/rest/(graph-|filter-)?model.test',
    'test/(rest|api)/fuzz.test',
    'test/rest/app-knowledge-bounds',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      MODEL_SEED: seed,
      GRAPH_SEED: seed,
      FUZZ_SEED: process.env.FUZZ_SEED ?? seed,
      MODEL_SEQUENCES: process.env.MODEL_SEQUENCES ?? '2000',
      GRAPH_SEQUENCES: process.env.GRAPH_SEQUENCES ?? '1000',
      FUZZ_RUNS: process.env.FUZZ_RUNS ?? '200',
    },
  },
);
process.exit(status ?? 1);
