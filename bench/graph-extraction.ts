// Entities and relations that the offline extractor finds, against a file of annotated sentences, and its speed.
// npm run bench:graph-extraction -- <file.jsonl>: {"text", "entities": [{"name"}], "relations": [{"source", "target"}]}
// a line. --show prints what was missed and what was wrong.
import { readFileSync } from 'node:fs';
import { extractGraph } from '../src/graph/extraction/extract-graph.js';
import type { ExtractedGraph } from '../src/graph/extraction/extracted-graph.js';

interface Annotated {
  readonly text: string;
  readonly entities: readonly { readonly name: string }[];
  readonly relations: readonly { readonly source: string; readonly target: string }[];
}

const [file] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const show = process.argv.includes('--show');
if (file === undefined) throw new Error('usage: bench:graph-extraction -- <file.jsonl> [--show]');

const plain = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim();
const pairOf = (a: string, b: string) => [plain(a), plain(b)].sort().join(' | ');

class Score {
  found = 0;
  gold = 0;
  right = 0;

  count(found: ReadonlySet<string>, gold: ReadonlySet<string>): void {
    this.found += found.size;
    this.gold += gold.size;
    for (const each of found) if (gold.has(each)) this.right += 1;
  }

  get text(): string {
    const share = (of: number) => (of === 0 ? 0 : this.right / of).toFixed(3);
    return `recall ${share(this.gold)}, precision ${share(this.found)} (${this.right} right of ${this.found} found, ${this.gold} annotated)`;
  }
}

function pairsOf({ entities, relations }: ExtractedGraph, names: ReadonlySet<string>): Set<string> {
  const pairs = relations.flatMap(({ source, target }) => {
    const ends = [entities[source]?.name ?? '', entities[target]?.name ?? ''];
    return ends.every((end) => names.has(plain(end))) ? [pairOf(ends[0] ?? '', ends[1] ?? '')] : [];
  });
  return new Set(pairs);
}

const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Annotated);
const names = new Score();
const pairs = new Score();
const allPairs = new Score();
for (const row of rows) {
  const graph = extractGraph({ title: '', chunks: [{ text: row.text }] });
  const goldNames = new Set(row.entities.map(({ name }) => plain(name)));
  const goldPairs = new Set(row.relations.map(({ source, target }) => pairOf(source, target)));
  const found = new Set(graph.entities.map(({ name }) => plain(name)));
  const foundPairs = pairsOf(graph, goldNames);
  names.count(found, goldNames);
  pairs.count(foundPairs, goldPairs);
  const ordered = [...goldNames];
  allPairs.count(
    new Set(ordered.flatMap((a, at) => ordered.slice(at + 1).map((b) => pairOf(a, b)))),
    goldPairs,
  );
  if (!show) continue;
  const missing = [...goldNames].filter((name) => !found.has(name));
  const wrong = graph.entities.filter(({ name }) => !goldNames.has(plain(name)));
  console.log(row.text);
  console.log('  entities:', graph.entities.map(({ name, type }) => `${name}/${type}`).join('; '));
  if (missing.length + wrong.length > 0)
    console.log(
      '  missed:',
      missing.join('; '),
      '· wrong:',
      wrong.map(({ name, type }) => `${name}/${type}`).join('; '),
    );
  for (const { source, target, predicate, rawPredicate } of graph.relations) {
    const ends = [graph.entities[source]?.name ?? '', graph.entities[target]?.name ?? ''] as const;
    const isRight = goldPairs.has(pairOf(...ends)) ? '+' : foundPairs.has(pairOf(...ends)) ? '-' : '?';
    console.log(`  ${isRight} ${ends[0]} | ${predicate} (${rawPredicate}) | ${ends[1]}`);
  }
  const missed = row.relations.filter(({ source, target }) => !foundPairs.has(pairOf(source, target)));
  for (const { source, target, ...rest } of missed)
    console.log(`  missed pair: ${source} ${JSON.stringify(rest)} ${target}`);
}
console.log(`${rows.length} sentences`);
console.log(`entity names: ${names.text}`);
console.log(
  `pairs between annotated entities: ${pairs.text}; of all such pairs ${(allPairs.right / allPairs.found).toFixed(2)} are relations`,
);

const rounds = Math.max(1, Math.round(2_000 / rows.length));
const before = process.cpuUsage();
for (let round = 0; round < rounds; round += 1)
  for (const { text } of rows) extractGraph({ title: '', chunks: [{ text }] });
const { user, system } = process.cpuUsage(before);
const perThousand = (user + system) / (rounds * rows.length);
console.log(`${perThousand.toFixed(0)} ms of processor time per 1,000 sentences, one item each`);
