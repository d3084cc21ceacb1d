// An OpenAI-compatible endpoint of embeddings that stands in for a trained model where none can be had: it knows which documents
// answer the queries of some sets. A vector is one half what the built-in embedder says and one half a direction of its own,
// random for each document; a query's leans to those of its answers by the model's strength, which differs from query to query.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createEmbedder } from '../src/inference/embedders.js';
import type { EvalSet } from './eval-set.js';
import { gaussian, randomDirection, unit } from './random-vectors.js';
import { randomNumbers } from './synthetic-text.js';

const dimensions = 192;
/** How much two chunks of a document differ. */
const chunkShare = 0.35;
/** By how much the strength differs: the deviation of its logarithm. */
const spread = 0.6;
/** Chunks are known by runs of so many words. */
const runWords = 5;

/** The texts of the queries, and of the documents that answer them. */
type Answers = ReadonlyMap<string, readonly string[]>;

export async function startMadeModel(sets: readonly EvalSet[], strength: number): Promise<{ url: string }> {
  const builtIn = await createEmbedder({ embeddings: undefined });
  const answers = answersOf(sets);
  const documentOf = documentFinder(sets);
  const ownPart = (text: string): Float32Array => {
    const wanted = answers.get(inWords(text));
    return wanted ? leaning(text, { wanted, strength }) : ofDocument(documentOf(text) ?? text, text);
  };
  const server = createServer((request, response) => {
    void json(request).then(async (body) => {
      const { input } = body as { input: string[] };
      const meanings = await builtIn.embedDocuments(input);
      const data = input.map((text, index) => ({
        index,
        embedding: [...(meanings[index] ?? []), ...ownPart(text)].map((value) => value * Math.SQRT1_2),
      }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function answersOf(sets: readonly EvalSet[]): Answers {
  const answers = new Map<string, string[]>();
  for (const { documents, queries, judgements } of sets) {
    const texts = new Map(documents.map(({ id, text }) => [id, text]));
    for (const { id, text } of queries) {
      const graded = [...(judgements.get(id) ?? [])].filter(([, grade]) => grade > 0);
      answers.set(
        inWords(text),
        graded.flatMap(([document]) => texts.get(document) ?? []),
      );
    }
  }
  return answers;
}

/** Finds the document that a chunk is of. */
function documentFinder(sets: readonly EvalSet[]): (chunk: string) => string | undefined {
  const byRun = new Map<string, string>();
  for (const { text } of sets.flatMap(({ documents }) => documents))
    for (const run of runsOf(text)) byRun.set(run, text);
  return (chunk) => {
    const counts = new Map<string, number>();
    for (const run of runsOf(chunk)) {
      const text = byRun.get(run);
      if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
  };
}

function runsOf(text: string): string[] {
  const words = inWords(text).split(' ');
  const count = Math.max(1, words.length - runWords + 1);
  return Array.from({ length: count }, (_, at) => words.slice(at, at + runWords).join(' '));
}

function inWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function leaning(
  query: string,
  { wanted, strength }: { wanted: readonly string[]; strength: number },
): Float32Array {
  const directions = wanted.map(direction);
  const lean =
    (strength * Math.exp(spread * gaussian(randomOf(inWords(query))))) / Math.sqrt(wanted.length || 1);
  return unit(
    direction(query).map((value, at) => directions.reduce((sum, to) => sum + lean * (to[at] ?? 0), value)),
  );
}

function ofDocument(document: string, chunk: string): Float32Array {
  const own = direction(chunk);
  return unit(direction(document).map((value, at) => value + chunkShare * (own[at] ?? 0)));
}

/** A unit vector that is the same whenever the text is. */
function direction(text: string): Float32Array {
  return randomDirection(dimensions, randomOf(text));
}

function randomOf(text: string): () => number {
  return randomNumbers(createHash('sha1').update(text).digest().readUInt32LE(0));
}
