// A transform for Jest. It replaces a module's code by code that passes on what the module exports outside of
// Jest, where it is loaded once for all test files of a worker process. Jest would compile and run the whole
// server anew for each file.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export default {
  process(_source, filename) {
    const names = Object.keys(require(filename)).map((name) => JSON.stringify(name));
    const exported = names.map(
      (name, at) => `const export${at} = shared[${name}]; export { export${at} as ${name} };`,
    );
    return { code: [`const shared = requireShared(${JSON.stringify(filename)});`, ...exported].join('\n') };
  },
};
