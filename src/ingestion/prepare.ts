import { readFile } from 'node:fs/promises';
import { extractGraph } from '../graph/extraction/extract-graph.js';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import { analyze, termVector } from '../text/analyzer.js';
import type { AppContent } from '../sources/source.types.js';
import { appDocument } from './app-content.js';
import { extractByRules } from '../inference/extractors/rules.js';
import type { FactExtraction } from '../inference/facts.js';
import { chunkDocument } from './chunker.js';
import type { Chunk } from './chunker.js';
import { inferredChunks, inferredTexts, restOf } from './inferred-chunks.js';
import { memoryDocument } from './memory-text.js';
import type { MemoryText } from './memory-text.js';
import { ParseError } from './parsers/parser.js';
import type { ParsedDocument } from './parsers/parser.js';
import { parseFile } from './parsers/parse-file.js';
import type { ParseSettings } from './parsers/parse-file.js';
import { searchableText } from './searchable-text.js';

/** What an item is made of: a file on disk, a memory or what another application said. */
export interface PrepareTask {
  readonly title: string;
  readonly file:
    { readonly name: string; readonly contentType: string | undefined; readonly path: string } | undefined;
  readonly memory: MemoryText | undefined;
  readonly app: AppContent | undefined;
  /** Whether entities and relations are looked for in its text: it brought no graph. */
  readonly wantsGraph: boolean;
  /** Facts are wanted of it: those that a model found, else the rules look for them. */
  readonly infer?:
    { readonly userName: string; readonly extraction?: FactExtraction | undefined } | undefined;
}

export interface PrepareRun {
  readonly task: PrepareTask;
  readonly parsing: ParseSettings;
}

/** A chunk with what the keyword lane needs of it; `terms` ascend. */
export interface PreparedChunk {
  readonly position: number;
  readonly text: string;
  readonly headings: string[];
  readonly layout: Record<string, unknown>;
  readonly terms: Int32Array;
  readonly counts: Int32Array;
  readonly length: number;
}

export interface PreparedItem {
  /** The title that the file gives itself, if any. */
  readonly title: string | undefined;
  readonly chunks: readonly PreparedChunk[];
  /** Each stands at the position of its chunk; they come first. */
  readonly extraction?: FactExtraction | undefined;
  readonly graph: ExtractedGraph | undefined;
}

/** An item that cannot be indexed, with its code. */
export interface RefusedItem {
  readonly errorCode: 'E1001' | 'E2002';
  readonly errorMessage: string;
}

/** Parses, chunks and analyses one item: all of its work that only needs a processor. */
export async function prepare({ task, parsing }: PrepareRun): Promise<PreparedItem | RefusedItem> {
  try {
    const document = await parse(task, parsing);
    const extraction = task.infer && extract(task, document, task.infer);
    const chunks = extraction ? chunkInferred(task, document, extraction) : chunkDocument(document);
    if (chunks.length === 0) throw new ParseError('E2002', 'nothing readable');
    return {
      title: document.title,
      extraction,
      graph: task.wantsGraph ? extractGraph({ title: task.title, chunks }) : undefined,
      chunks: chunks.map((chunk) => {
        const { ids, counts, length } = termVector(analyze(searchableText(task.title, chunk), 'index'));
        return { ...chunk, terms: ids, counts, length };
      }),
    };
  } catch (error) {
    if (error instanceof ParseError) return { errorCode: error.code, errorMessage: error.message };
    throw error;
  }
}

// The pool also calls it by this name, for texts that are chunked already.
export { extractGraph };

/** What a language model is to find facts in; prepare() then takes the extraction that it made. */
export async function readInferredTexts({ task, parsing }: PrepareRun): Promise<string[] | RefusedItem> {
  try {
    return inferredTexts(await parse(task, parsing), task.memory);
  } catch (error) {
    if (error instanceof ParseError) return { errorCode: error.code, errorMessage: error.message };
    throw error;
  }
}

function extract(
  { memory }: PrepareTask,
  document: ParsedDocument,
  { userName, extraction }: NonNullable<PrepareTask['infer']>,
): FactExtraction {
  return (
    extraction ?? {
      facts: extractByRules(inferredTexts(document, memory), userName, { wishes: memory !== undefined }),
      origin: 'rules',
    }
  );
}

// Only a memory is made of what it says of people; a file or app item stays searchable word by word, facts beside it.
function chunkInferred(task: PrepareTask, document: ParsedDocument, { facts }: FactExtraction): Chunk[] {
  if (!task.memory) return chunkDocument(document);
  const rest = restOf(document, task.memory, facts);
  return inferredChunks(facts, rest ? chunkDocument(rest) : []);
}

async function parse({ file, memory, app }: PrepareTask, parsing: ParseSettings): Promise<ParsedDocument> {
  if (memory) return memoryDocument(memory);
  if (app) return appDocument(app);
  if (!file) throw new ParseError('E2002', 'The item holds no readable text.');
  // Here, in the worker, so that the server's own thread never holds a file.
  const bytes = await readFile(file.path);
  return parseFile({ name: file.name, contentType: file.contentType, bytes }, parsing);
}
