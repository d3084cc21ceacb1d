// The model test with 2,000 new sequences instead of the few of `npm test`.
import { spawnSync } from 'node:child_process';

const seed = process.env.MODEL_SEED ?? String(Date.now() % 1_000_000);
console.log(`MODEL_SEED=${seed}`);
const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'test/rest/model'], {
  stdio: 'inherit',
  env: { ...process.env, MODEL_SEED: seed, MODEL_SEQUENCES: process.env.MODEL_SEQUENCES ?? '2000' },
});
process.exit(status ?? 1);
