// A transform of Jest: instead of a module's own code, code that hands on what the module exports outside Jest. There it is loaded
// once for all test files of a worker process; Jest would compile and run it anew, all of the server, for each.
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
