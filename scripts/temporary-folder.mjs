// Where tests keep their data: in memory where there is room, as disks take a sixth of their time. Run by itself, it prints that.
import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { argv, constrainedMemory, env } from 'node:process';
import { fileURLToPath } from 'node:url';

const inMemory = '/dev/shm';
// A whole run holds 1 GiB there at most, longer ones (test:model, test:faults) more; beside it run the tests and their servers.
const bytesFree = 8 * 2 ** 30;
const memoryFree = 12 * 2 ** 30;

export function temporaryFolder() {
  return env.TMPDIR === undefined && hasRoom() ? inMemory : tmpdir();
}

function hasRoom() {
  // 0, or more than there can be, where nothing limits the process.
  const limit = constrainedMemory() || Infinity;
  if (Math.min(freemem(), limit) < memoryFree) return false;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= bytesFree;
  } catch {
    return false;
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(temporaryFolder());
