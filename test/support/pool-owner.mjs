// Has a child process work without end, and prints its process id first.
import { PreparePool } from '../../dist/src/ingestion/preparation/prepare-pool.js';

const pool = new PreparePool({
  parsing: { ocrLanguages: [] },
  newSpoolPath: () => '/nowhere',
  module: new URL('./hostile-child.mjs', import.meta.url),
});
const prepare = (title) => pool.prepare([{ task: { title }, contentBytes: 0 }]);
const [{ chunks }] = await prepare('quiet');
for await (const [chunk] of chunks) console.log(JSON.parse(chunk.text).pid);
await prepare('loop');
