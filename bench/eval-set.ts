import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Documents, queries, and which documents are right for which query: id of the query → id of the document → grade. */
export interface EvalSet {
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Reads a folder with corpus.jsonl, queries.jsonl and qrels.tsv; queries without a right document are left out. */
export function readEvalSet(folder: string): EvalSet {
  const judgements = readJudgements(join(folder, 'qrels.tsv'));
  const documents = readLines<{ id: string; title?: string; text: string }>(join(folder, 'corpus.jsonl'));
  const queries = readLines<{ id: string; text: string }>(join(folder, 'queries.jsonl'));
  return {
    name: basename(folder),
    documents: documents.map(({ id, title = '', text }) => ({ id, title, text })),
    queries: queries.filter(({ id }) => judgements.has(id)),
    judgements,
  };
}

/** Rows of query, document and grade; a grade of 0 says that a document is wrong. */
function readJudgements(file: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [queryId = '', documentId = '', grade] = line.trim().split('\t');
    if (!(Number(grade) > 0)) continue;
    const right = judgements.get(queryId) ?? new Map<string, number>();
    judgements.set(queryId, right.set(documentId, Number(grade)));
  }
  return judgements;
}

function readLines<Row>(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
