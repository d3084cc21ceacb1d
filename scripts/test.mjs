// Runs Jest on dist/. With a native server in TEST_DATABASE_URL every database test runs there instead of embedded.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { temporaryFolder } from './temporary-folder.mjs';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// Every file starts a Postgres in WebAssembly: to optimise its code takes longer than a file lives (a fifth of all time). Larger young
// generations are collected less often (a tenth).
const flags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--liftoff-only',
  '--max-semi-space-size=64',
];
const { status } = spawnSync(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: temporaryFolder() },
});
process.exit(status ?? 1);
