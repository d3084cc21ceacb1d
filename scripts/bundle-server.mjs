// Bundles the compiled server, with the packages that it loads when it starts, into a few files: node takes 1.5 s to find and
// read two thousand modules, and .6 s for these. Packages that only some work needs stay where they are and are imported then.
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

// Imported at once by modules that are themselves imported later; or what they run or read lies beside their code; or they
// find node's own modules by a require that a bundle does not have (sha256 of Apollo).
const packagesLeft = [
  '@electric-sql/',
  'tinypool',
  '@agendajs/mongo-backend',
  '@aws-sdk/client-s3',
  'openai',
  '@apollo/utils.createhash',
];

// What the server starts as a thread or a process, or reads, by its address beside the code.
const besideCode = /new URL\('(\.\/[\w-]+\.(?:js|wasm))', import\.meta\.url\)/g;

/**
 * Writes a file of its name for each program and for each thread and child process that a module starts, the chunks that they
 * share, and what modules read beside their code. All lie in one folder, which it empties first, so that they find one another.
 */
export async function bundleServer({ programs, modules, outputFolder }) {
  const beside = modules.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(besideCode)].map(([, path]) => join(dirname(file), path)),
  );
  const entries = [...programs, ...beside.filter((file) => file.endsWith('.js'))];
  rmSync(outputFolder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [basename(file, '.js'), file])),
    platform: 'node',
    external: (id) => packagesLeft.some((name) => id.startsWith(name)),
    // Else graphql asks of every value that it completes whether it comes from another copy of graphql.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [packagesImportedLater, graphqlAsModules],
    // See minify.
    treeshake: false,
    // Packages look for others that are there only when a user installs them.
    checks: { unresolvedImport: false, eval: false },
  });
  await bundle.write({
    dir: outputFolder,
    format: 'esm',
    // Either would drop what looks dead, and with it calls of built-in functions for what they throw: decodeURIComponent, new URL.
    minify: false,
    // Names of classes are names of GraphQL types.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  for (const file of beside.filter((path) => path.endsWith('.wasm'))) {
    copyFileSync(file, join(outputFolder, basename(file)));
  }
}

const packagesImportedLater = {
  name: 'packages-imported-later',
  resolveDynamicImport(specifier, importer) {
    const isPackage = typeof specifier === 'string' && !/^[./]/.test(specifier);
    return isPackage && !importer.includes('/node_modules/') ? { id: specifier, external: true } : null;
  },
};

// Of a package in CommonJS, each use of an imported function looks it up through two getters. So graphql, whose functions are
// called for each of a request's values, is bundled as it is written, in modules: one copy, also for packages that require it.
const graphqlAsModules = {
  name: 'graphql-as-modules',
  async resolveId(source, importer, options) {
    if (!/^graphql(?:\/|$)/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved && { ...resolved, id: resolved.id.replace(/\.js$/, '.mjs') };
  },
};
