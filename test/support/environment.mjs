// Jest's Node environment, except that the code under test is loaded outside it (shared-modules.mjs). What it knows an object by
// is therefore the same on both sides, as far as objects are made with `new`; and so is the process.
// What a test file writes goes into a folder of its own, TEST_FOLDER, which ends with it.
// Jest must not empty at a file's end what the next one has too (globalsCleanup in jest.config.mjs).
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script, runInNewContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// What the language itself defines. As constants of the context's scripts these are found at once: each look at a property of
// a context's global object asks node's and Jest's interceptors first, for .4 microseconds.
const names = runInNewContext(`Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .filter(([, { configurable }]) => configurable).map(([name]) => name)`).filter(
  (name) => name !== 'console',
);
const constants = new Script(`const { ${[...names, 'Buffer', 'process'].join(', ')} } = this;`);

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.folder = mkdtempSync(join(process.env.TEST_RUN_FOLDER, 'f-'));
    chmodSync(this.folder, 0o711);
    process.env.TEST_FOLDER = this.folder;
    Object.assign(this.global, {
      requireShared: createRequire(import.meta.url),
      process,
      Date,
      Map,
      Set,
      Error,
      RangeError,
      SyntaxError,
      TypeError,
    });
    constants.runInContext(this.context);
  }

  async teardown() {
    // A run makes hundreds of data directories of 40 MB, perhaps in memory.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    await super.teardown();
  }
}
