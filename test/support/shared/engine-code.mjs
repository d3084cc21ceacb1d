// The code of the embedded Postgres, shared by all engines in a Jest worker. V8 gives what is compiled already to whoever compiles the
// same bytes, as long as somebody holds it; else each start would read and check ten megabytes, and compile what it calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const dist = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));

let held;

export const holdEngineCode = () => {
  held ??= new WebAssembly.Module(readFileSync(join(dist, 'pglite.wasm')));
};
