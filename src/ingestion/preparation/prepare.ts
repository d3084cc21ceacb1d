import { readFile } from 'node:fs/promises';
import { extractGraph } from '../../graph/extraction/extract-graph.js';
import type { ExtractedGraph } from '../../graph/extraction/extracted-graph.js';
import { Guard } from '../../graph/extraction/guard.js';
import { extractByRules } from '../../inference/extractors/rules.js';
import type { Fact, FactExtraction } from '../../inference/facts.js';
import { cleanJson } from '../../lib/clean-text.js';
import { LIMITS } from '../../limits.js';
import { voicesOf } from '../../sources/app-items/speakers.js';
import { toldOn } from '../../sources/app-items/told-on.js';
import type { AppContent, MemoryContent } from '../../sources/source.types.js';
import { analyze, analyzeText, termVector } from '../../text/analyzer.js';
import { DefinedAbbreviations } from '../../text/defined-abbreviations.js';
import { packCodes } from '../../text/word-codes.js';
import { chunkDocument, Chunker } from '../chunking/chunker.js';
import type { Chunk } from '../chunking/chunker.js';
import { streamFile } from '../parsers/parse-file.js';
import type { ParseSettings } from '../parsers/parse-file.js';
import { ParseError } from '../parsers/parser.js';
import type { BlockStream, ParsedBlock } from '../parsers/parser.js';
import { withFacts } from './fact-graph.js';
import { termsOfFacts } from './fact-words.js';
import { inferredChunks, isSpeech, memoryTexts, restOf } from './inferred-chunks.js';
import { memoryDocument } from './memory-text.js';
import type { MemoryText } from './memory-text.js';
import { ChunkWriter } from './prepared-chunks.js';
import type { WrittenChunks } from './prepared-chunks.js';
import {
  contextTerms,
  searchableText,
  spokenDates,
  withoutRepeatedDomains,
  writtenKey,
} from './searchable-text.js';

// Other items may have an item's key in their title and text too: repeating the key puts the item itself
// first.
const keyCount = 4;

/**
 * What an item is made of: a file on disk, a memory, or content from another application; for an app item
 * with a file, the file.
 */
export interface PrepareTask {
  readonly title: string;
  /** What it may be called by besides: its id in its application, or its own where people write such ids. */
  readonly key: string | null;
  readonly file:
    { readonly name: string; readonly contentType: string | undefined; readonly path: string } | undefined;
  readonly memory: MemoryContent | undefined;
  readonly app: AppContent | undefined;
  /** Whether entities and relations are to be extracted, because it was sent without a graph. */
  readonly wantsGraph: boolean;
  /** Set when facts are wanted: those that a model found, else rules look for them. */
  readonly infer?:
    { readonly userName: string; readonly extraction?: FactExtraction | undefined } | undefined;
}

export interface PrepareRun {
  readonly task: PrepareTask;
  readonly parsing: ParseSettings;
  /** The file for chunks that are too many for a message. */
  readonly spoolPath: string;
}

/** What was found in an item. */
export interface ItemFindings {
  /**
   * Each fact is at the position of its chunk, and these chunks come first; unless the facts stand beside the
   * text.
   */
  readonly extraction?: FactExtraction | undefined;
  readonly graph: ExtractedGraph | undefined;
  /** When it was sent, as its file says: in ISO form, for messages between processes. */
  readonly sentAt?: string | undefined;
}

export interface WrittenItem extends ItemFindings {
  readonly chunks: WrittenChunks;
}

/** An item that cannot be indexed, with its error code. */
export interface RefusedItem {
  readonly errorCode: 'E1001' | 'E2002';
  readonly errorMessage: string;
}

/** Parses, chunks and analyses items one by one: all the work on them that needs nothing but a processor. */
export async function prepare(
  runs: readonly PrepareRun[],
  progress?: () => void,
): Promise<(WrittenItem | RefusedItem)[]> {
  const prepared: (WrittenItem | RefusedItem)[] = [];
  for (const run of runs) prepared.push(await prepareItem(run, progress));
  return prepared;
}

type Parsing = ParseSettings & { readonly progress?: () => void };

async function prepareItem(
  { task, parsing, spoolPath }: PrepareRun,
  progress?: () => void,
): Promise<WrittenItem | RefusedItem> {
  const writer = new ChunkWriter(spoolPath);
  const ofContext = contextTerms(task);
  const key = writtenKey(task);
  const keyTerms = Array.from({ length: keyCount - 1 }, () => analyze(key, 'index')).flat();
  const graphInput = new Excerpt<Chunk>(LIMITS.graphExtractionCharactersMax);
  const abbreviations = new DefinedAbbreviations();
  const stated = task.memory && !task.infer ? plainFacts(task.memory) : [];
  const statedIn = ({ text }: Chunk) => stated.filter(({ evidence }) => text.includes(evidence));
  const add = (chunk: Chunk, facts: readonly Fact[] = statedIn(chunk)) => {
    // What is quoted is in the graph of whoever said it first.
    graphInput.add(chunk.layout['quoted'] === true ? { ...chunk, text: '' } : chunk);
    const text = searchableText(`${key} ${task.title}`.trim(), chunk);
    const { terms, length, wordCodes } = analyzeText(text, 'index');
    const otherForms = analyze(abbreviations.otherForms(text).join('\n'), 'index');
    const dates = spokenDates(chunk.text, task);
    const besides = new Set([...ofContext, ...otherForms, ...termsOfFacts(facts), ...dates]);
    const { ids, counts } = termVector([
      ...withoutRepeatedDomains(terms, chunk.text),
      ...keyTerms,
      ...[...besides].filter((term) => !terms.includes(term)),
    ]);
    writer.add({ ...chunk, terms: ids, counts, length, wordCodes: packCodes(wordCodes) });
  };
  try {
    const document = await parse(task, { ...parsing, ...(progress && { progress }) });
    const extraction = await chunkTask(task, document, add);
    const chunks = writer.finish();
    if (chunks.count === 0) throw new ParseError('E2002', 'nothing readable');
    const sentAt = document.sentAt?.toISOString();
    const told = { chunks: graphInput.parts, day: toldOn(task) ?? sentAt };
    const graph = task.wantsGraph
      ? graphOf(task, told, extraction?.facts ?? stated.filter(isNaming))
      : undefined;
    const beside = { facts: stated, origin: 'rules', areBeside: true } as const;
    return { extraction: extraction ?? (stated.length > 0 ? beside : undefined), graph, sentAt, chunks };
  } catch (error) {
    return refusalOf(error);
  } finally {
    writer.close();
  }
}

/** The graph of an item's text, with the facts that were found in it. */
function graphOf(
  task: PrepareTask,
  { chunks, day }: { chunks: readonly Chunk[]; day: string | undefined },
  facts: readonly Fact[],
): ExtractedGraph {
  const ofText = extractGraph({ title: task.title, day, chunks, ...voicesOf(task) });
  const guard = new Guard();
  const graph = guard.run(() => withFacts(ofText, facts, chunks), ofText);
  return guard.problem === undefined ? graph : { ...graph, problem: guard.problem };
}

/**
 * A fact that names something: the only kind that goes into the graph of a memory whose facts are not wanted.
 */
function isNaming({ kind, value }: Fact): boolean {
  return kind === 'fact' && /^\p{Lu}/u.test(value);
}

/** Facts of a memory that its graph and index use even though it did not ask for facts. */
function plainFacts(memory: MemoryText): readonly Fact[] {
  return extractByRules(memoryTexts(memory), memory.userName);
}

/** The texts in which a language model is to find facts; prepare() then takes what it extracted. */
export async function readInferredTexts(
  { task, parsing }: Pick<PrepareRun, 'task' | 'parsing'>,
  progress?: () => void,
): Promise<readonly string[] | RefusedItem> {
  const texts = new Excerpt<{ text: string }>(LIMITS.inferredCharactersMax);
  try {
    const { blocks } = await parse(task, { ...parsing, ...(progress && { progress }) });
    if (task.memory) return memoryTexts(task.memory);
    for await (const block of blocks) {
      if (isSpeech(block)) texts.add(block);
      if (texts.isFull) break;
    }
    return texts.parts.map(({ text }) => text);
  } catch (error) {
    return refusalOf(error);
  }
}

/** @throws an error that says nothing about the item */
function refusalOf(error: unknown): RefusedItem {
  if (error instanceof ParseError) return { errorCode: error.code, errorMessage: error.message };
  throw error;
}

/** Chunks a document, and extracts the facts that are wanted. */
async function chunkTask(
  { memory, infer }: PrepareTask,
  document: BlockStream,
  add: (chunk: Chunk, facts?: readonly Fact[]) => void,
): Promise<FactExtraction | undefined> {
  if (memory && infer) {
    const extraction = extract(memoryTexts(memory), infer, { wishes: true });
    const rest = restOf(memory, extraction.facts);
    for (const chunk of inferredChunks(extraction.facts, rest ? chunkDocument(rest) : []))
      add(chunk, extraction.facts.slice(chunk.position, chunk.position + 1));
    return extraction;
  }
  // Only a memory may be replaced by its facts; a file or app item stays searchable word by word, with facts
  // beside it.
  const texts = new Excerpt<{ text: string }>(LIMITS.inferredCharactersMax);
  const chunker = new Chunker(add);
  for await (const block of document.blocks) {
    if (infer && isSpeech(block)) texts.add(block);
    chunker.add(block);
  }
  chunker.end();
  const speech = texts.parts.map(({ text }) => text);
  return infer && extract(speech, infer, { wishes: false });
}

function extract(
  texts: readonly string[],
  { userName, extraction }: NonNullable<PrepareTask['infer']>,
  options: { wishes: boolean },
): FactExtraction {
  return extraction ?? { facts: extractByRules(texts, userName, options), origin: 'rules' };
}

/** The beginning of a text, in parts, as far as anybody will read it. */
class Excerpt<Part extends { readonly text: string }> {
  readonly parts: Part[] = [];

  constructor(private charactersLeft: number) {}

  get isFull(): boolean {
    return this.charactersLeft <= 0;
  }

  add(part: Part): void {
    if (this.isFull) return;
    this.parts.push(part);
    this.charactersLeft -= part.text.length;
  }
}

async function parse(task: PrepareTask, parsing: Parsing): Promise<BlockStream> {
  const document = await parseContent(task, parsing);
  return { ...document, blocks: storable(document.blocks) };
}

/** Parsers pass on whatever a file holds, including escapes of characters that cannot be stored. */
async function* storable(blocks: BlockStream['blocks']): AsyncGenerator<ParsedBlock> {
  for await (const block of blocks) yield cleanJson(block);
}

async function parseContent(
  { title, file, memory, app }: PrepareTask,
  parsing: Parsing,
): Promise<BlockStream> {
  if (memory) return memoryDocument(memory);
  if (file) {
    // Read here, in the child process, so that the server never holds a whole file.
    const bytes = await readFile(file.path);
    const { name, contentType } = file;
    return streamFile({ name, contentType, bytes }, { ...parsing, itemTitle: title });
  }
  if (app) {
    // It loads the HTML reader, which takes longer than everything that most items need.
    const { appDocument } = await import('./app-content.js');
    return appDocument(app);
  }
  throw new ParseError('E2002', 'The item holds no readable text.');
}
