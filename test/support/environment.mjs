// Jest's Node environment, except that the code under test is loaded outside it (shared-modules.mjs). What it knows an object by
// is therefore the same on both sides, as far as objects are made with `new`; and so is the process.
// Jest must not empty at a file's end what the next one has too (globalsCleanup in jest.config.mjs).
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
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
  }
}
