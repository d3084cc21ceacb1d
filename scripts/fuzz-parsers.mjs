// Damages files of every kind and has them read: npm run test:fuzz-parsers -- [first seed [rounds [extension]]]
import { spawnSync } from 'node:child_process';

const [seed = String(Date.now() % 1_000_000), rounds = '500', extension = ''] = process.argv.slice(2);
console.log(`npm run test:fuzz-parsers -- ${seed} ${rounds} ${extension}`);
const { status } = spawnSync(process.execPath, ['scripts/test.mjs', '--testMatch', '**/*.fuzz.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SEED: seed, FUZZ_ROUNDS: rounds, FUZZ_EXTENSION: extension },
});
process.exit(status ?? 1);
