import { analyze } from '../../text/analyzer.js';
import { featureHash, idfMax, mix, type Wordnet } from './wordnet.js';

export const lexicalDimensions = 384;

// All measured on vaswani, MuSiQue and HotpotQA and on a set of paraphrases.
const positionsPerFeature = 4;
const rarityExponent = 1.5;
const gramsWeight = 0.4;
const gramLengths = [3, 4];
const relatedTermsMax = 4;
const relatedExponent = 0.7;

/**
 * A text as a unit-length vector of its stems, their spelling and what WordNet relates them to, each hashed to a few
 * signed positions; texts that share none are near orthogonal. A text without words gives a zero vector.
 */
export function lexicalVector(text: string, wordnet: Wordnet): Float32Array {
  const vector = new Float32Array(lexicalDimensions);
  const counts = new Map<string, number>();
  for (const term of analyze(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  // A long text tells its topic in its own words; what is related to each of them would only blur it.
  const related = Math.min(1, relatedTermsMax / counts.size) ** relatedExponent;
  for (const [term, count] of counts) {
    const hash = featureHash('word', term);
    const row = wordnet.find(hash);
    const rarity = (row < 0 ? idfMax : wordnet.idf(row)) / idfMax;
    const weight = rarity ** rarityExponent * (1 + Math.log(count));
    add(vector, hash, weight);
    addGrams(vector, term, weight * gramsWeight);
    if (row < 0) continue;
    wordnet.eachFeature(row, (feature, closeness) => add(vector, feature, weight * related * closeness));
  }
  return normalize(vector);
}

// Words spelled alike share most of their pieces, so that a typo stays near.
function addGrams(vector: Float32Array, term: string, weight: number): void {
  const padded = `^${term}$`;
  const share = weight / Math.sqrt(padded.length);
  for (const length of gramLengths) {
    for (let start = 0; start + length <= padded.length; start += 1) {
      add(vector, featureHash('grams', padded.slice(start, start + length)), share);
    }
  }
}

function add(vector: Float32Array, hash: number, weight: number): void {
  let state = hash;
  for (let count = 0; count < positionsPerFeature; count += 1) {
    state = mix(state + 0x9e3779b9);
    const position = (state >>> 1) % lexicalDimensions;
    vector[position] = (vector[position] ?? 0) + (state & 1 ? weight : -weight);
  }
}

function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}
