// Runs Jest on dist/. With a native server in TEST_DATABASE_URL every database test runs there instead of embedded.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const { status } = spawnSync(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
