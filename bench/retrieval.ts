// How well queries are answered: documents ingested whole and asked over REST, beside brute-force BM25 over the same texts.
// npm run bench:retrieval -- <folder…>, each with corpus.jsonl {id, title, text}, queries.jsonl {id, text} and qrels.tsv
// (query, document, grade); without a folder a small made-up set. DATABASE_URL chooses a native Postgres. --made-model=<strength>
// asks with a made model (see made-model.ts): with .25 it finds about what a good model finds, with .15 about what words do.
import { parseArgs } from 'node:util';
import { analyze } from '../src/text/analyzer.js';
import { BruteBm25, analyzeLikeLucene } from './brute-bm25.js';
import type { Bm25Parameters } from './brute-bm25.js';
import { readEvalSet } from './eval-set.js';
import type { EvalSet } from './eval-set.js';
import { makeEvalSet } from './made-eval-set.js';
import { startMadeModel } from './made-model.js';
import { describeMachine, percentile, timed } from './measuring.js';
import { meanMetrics, measureRanking } from './ranking-metrics.js';
import type { RankingMetrics } from './ranking-metrics.js';
import { BenchServer } from './server.js';

// As many as a query may ask for: chunks, of which the best stands for its document.
const chunksAsked = 250;
const documentsMax = 100;
const messageCharactersMax = 200;

/** How REST is asked, by what is printed. */
const modes: Readonly<Record<string, object>> = {
  'query (default)': {},
  'without graph': { graph_context: false },
  'keyword alone': { query_by: 'text' },
  'meaning alone': { alpha: 1, mode: 'fast' },
  'mode fast': { mode: 'fast' },
  'mode thinking': { mode: 'thinking' },
};

const lucene: Bm25Parameters = { k1: 1.2, b: 0.75 };
const shortTexts: Bm25Parameters = { k1: 0.9, b: 0.4 };
const tuned: readonly Bm25Parameters[] = [0.6, 0.9, 1.2, 1.6, 2].flatMap((k1) =>
  [0.2, 0.4, 0.6, 0.75, 0.9].map((b) => ({ k1, b })),
);

type Rank = (query: string) => Promise<readonly string[]> | readonly string[];

async function measure({ queries, judgements }: EvalSet, rank: Rank): Promise<RankingMetrics> {
  const measured: RankingMetrics[] = [];
  for (const { id, text } of queries)
    measured.push(measureRanking(await rank(text), judgements.get(id) ?? new Map<string, number>()));
  return meanMetrics(measured);
}

function print(label: string, metrics: RankingMetrics, more = ''): void {
  const { ndcg10, recall10, recall100, reciprocalRank } = metrics;
  const values = [ndcg10, recall10, recall100, reciprocalRank].map((value) => value.toFixed(3));
  console.log(`| ${label.padEnd(30)} | ${values.join(' | ')} | ${more}`);
}

async function measureServer(server: BenchServer, set: EvalSet): Promise<void> {
  const database = `set-${Date.now()}`;
  await server.createDatabase(database);
  const texts = set.documents.map(({ id, title, text }) => ({ id, text: textOf({ title, text }) }));
  const seconds = (await timed(() => server.uploadTexts(database, texts))) / 1000;
  console.log(
    `${set.name}: ${texts.length} documents in ${seconds.toFixed(0)} s, ${set.queries.length} queries`,
  );
  console.log('|  | nDCG@10 | recall@10 | recall@100 | MRR |');
  for (const [label, asked] of Object.entries(modes)) {
    const times: number[] = [];
    const rank = async (query: string) => {
      let answer: { chunks: { id: string }[] } = { chunks: [] };
      const body = { database, query, max_results: chunksAsked, ...asked };
      times.push(
        await timed(async () => {
          answer = await server.call('POST', '/query', body);
        }),
      );
      return [...new Set(answer.chunks.map(({ id }) => id))].slice(0, documentsMax);
    };
    try {
      print(label, await measure(set, rank), `p50 ${percentile(times, 0.5).toFixed(0)} ms`);
    } catch (error) {
      console.log(`| ${label.padEnd(30)} | refused: ${String(error).slice(0, messageCharactersMax)}`);
    }
  }
}

async function measureBm25(set: EvalSet): Promise<void> {
  const ids = set.documents.map(({ id }) => id);
  const texts = set.documents.map(textOf);
  const named = (name: string, { k1, b }: Bm25Parameters) => `${name}, k1 ${k1} b ${b}`;
  for (const [name, analyzer] of [
    ['BM25, our analyzer', analyze],
    ['BM25, Lucene-like', analyzeLikeLucene],
  ] as const) {
    const bm25 = new BruteBm25(ids, texts, analyzer);
    const tryWith = (parameters: Bm25Parameters) =>
      measure(set, (query) => bm25.rank(query, parameters, documentsMax));
    for (const parameters of [lucene, shortTexts]) print(named(name, parameters), await tryWith(parameters));
    const tried = await Promise.all(
      tuned.map(async (parameters) => ({ parameters, metrics: await tryWith(parameters) })),
    );
    const [best] = tried.sort((a, b) => b.metrics.ndcg10 - a.metrics.ndcg10);
    if (best) print(named(name, best.parameters), best.metrics, 'tuned on this set');
  }
}

function textOf({ title, text }: { title: string; text: string }): string {
  return title === '' ? text : `${title}\n\n${text}`;
}

const { values, positionals: folders } = parseArgs({
  options: { 'made-model': { type: 'string' } },
  allowPositionals: true,
});
const sets = folders.length > 0 ? folders.map(readEvalSet) : [makeEvalSet()];
console.log(describeMachine());
const strength = values['made-model'];
if (strength !== undefined) {
  const { url } = await startMadeModel(sets, Number(strength));
  Object.assign(process.env, { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: `made-${strength}` });
}
const server = await BenchServer.start();
try {
  for (const set of sets) {
    await measureServer(server, set);
    await measureBm25(set);
  }
} finally {
  await server.stop();
}
process.exit(0);
