// The fault tests with 200 kills instead of the few of `npm test`; parameters narrow them down, as those of `npm test`.
import { spawnSync } from 'node:child_process';

const kills = process.env.FAULT_KILLS ?? '200';
const command = ['scripts/test.mjs', 'test/faults', '--runInBand', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, command, {
  stdio: 'inherit',
  env: { ...process.env, FAULT_KILLS: kills },
});
process.exit(status ?? 1);
