// Compiles the word vectors of the built-in embedder: for each word stem one of WordNet, which knows what words mean, and
// one of GloVe, which knows what they are used with. Every run gives the same file. The layout: word-vectors.ts.
// Run after the server is compiled: stems and term ids must be those of dist/src/text/analyzer.js.
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { magic, version } from '../dist/src/inference/embedders/word-vectors.js';
import { termId } from '../dist/src/text/analyzer.js';
import { gloveVectors } from './word-vectors/glove.mjs';
import { wordnetVectors } from './word-vectors/wordnet.mjs';

// With 100 and 128 the quality of retrieval is the same.
const dimensions = 64;

/** Writes the compiled word vectors; takes seconds and less than 1 GB. @param {string} outputFile */
export async function compileWordVectors(outputFile) {
  const wordnet = wordnetVectors(dimensions);
  const { vectors: glove, weightOf } = await gloveVectors(dimensions);
  const stems = new Map([...wordnet.keys(), ...glove.keys()].map((stem) => [termId(stem), stem]));
  const rows = [...stems].sort(([one], [other]) => one - other);
  const tables = [wordnet, glove].map((vectors) => tableOf(rows.map(([, stem]) => vectors.get(stem))));
  const encoded = [
    Uint32Array.of(magic, version, rows.length, dimensions),
    Int32Array.from(rows, ([id]) => id),
    Float32Array.from(rows, ([, stem]) => weightOf(stem)),
    ...tables.map(({ scales }) => scales),
    ...tables.map(({ values }) => values),
  ];
  // Renamed into place, so that nobody reads half a file.
  writeFileSync(`${outputFile}.new`, Buffer.concat(encoded.map((part) => Buffer.from(part.buffer))));
  renameSync(`${outputFile}.new`, outputFile);
}

/** Vectors as signed bytes, and what makes those of each row a unit vector; zeros where there is no vector. */
function tableOf(vectors) {
  const values = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  vectors.forEach((vector, row) => {
    if (!vector) return;
    const bytes = quantised(vector);
    values.set(bytes, row * dimensions);
    scales[row] = 1 / (Math.sqrt(bytes.reduce((sum, value) => sum + value * value, 0)) || 1);
  });
  return { values, scales };
}

function quantised(vector) {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [outputFile = fileURLToPath(new URL('../dist/word-vectors.bin', import.meta.url))] =
    process.argv.slice(2);
  await compileWordVectors(outputFile);
}
