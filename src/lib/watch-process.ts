// A thread beside whatever its process is busy with. The limits of V8 do not know of buffers, WebAssembly and native code.
import { workerData } from 'node:worker_threads';

const everyMs = 20;
const { residentMebibytesMax, parent } = workerData as { residentMebibytesMax: number; parent: number };

setInterval(() => {
  const isOrphan = process.ppid !== parent;
  if (isOrphan || process.memoryUsage.rss() > residentMebibytesMax * 1024 * 1024)
    process.kill(process.pid, 'SIGKILL');
}, everyMs);
