import { askForJson } from '../../inference/ask-for-json.js';
import type { Completer } from '../../inference/completer.js';
import { findEvidence } from '../../inference/facts.js';
import { clip } from '../../lib/characters.js';
import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from '../../sources/canonical-predicate.js';
import { inOneLine } from '../../text/one-line.js';
import type { ExtractedGraph, ExtractedRelation, ExtractionInput } from './extracted-graph.js';
import { GatheredGraph } from './gathered-graph.js';
import type { GivenEntity } from './gathered-graph.js';
import { answerJsonSchema, answerSchema, graphInstructions } from './model-prompt.js';
import type { ModelAnswer } from './model-prompt.js';

export interface ModelGraphRequest extends ExtractionInput {
  readonly customInstructions?: string | null | undefined;
  /** Takes over when the model's answers are of no use; it runs where a long text holds up nobody. */
  readonly rules: (input: ExtractionInput) => ExtractedGraph | Promise<ExtractedGraph>;
}

export interface GraphExtraction {
  readonly graph: ExtractedGraph;
  /** Who found it. */
  readonly origin: 'rules' | 'model';
  /** Why the model's own was not to be had; for the log. */
  readonly problem?: string;
}

/** Some 3,000 tokens of text for one question. */
const windowCharactersMax = 12_000;
const windowsMax = 20;

interface Piece {
  readonly chunk: number;
  readonly text: string;
}

/** A piece and how names are looked for in it. */
interface SoughtPiece extends Piece {
  readonly plain: string;
}

/**
 * Has a language model extract entities and relations, several chunks to a question. What it answers is checked: an
 * entity stands only when the text names it, a relation only when its evidence is in the text. An answer that does not
 * fit is shown to the model once; if it fails again the rules extract, as they do from what no question has room for.
 * @throws AppError SERVICE_UNAVAILABLE when the model cannot be reached.
 */
export async function extractGraphByModel(
  completer: Completer,
  { rules, customInstructions, ...input }: ModelGraphRequest,
  signal?: AbortSignal,
): Promise<GraphExtraction> {
  const system = graphInstructions(input.title, customInstructions);
  const gathered = new GatheredGraph();
  const windows = windowsOf(input.chunks);
  const shown = windows.slice(0, windowsMax);
  for (const window of shown) {
    const question = { system, name: 'graph', schema: answerSchema, json: answerJsonSchema, text: window };
    const answer = await askForJson(completer, question, signal);
    if (typeof answer === 'string') return { graph: await rules(input), origin: 'rules', problem: answer };
    addAnswer(gathered, answer, window);
  }
  const unread = windows.slice(windowsMax).flat();
  if (unread.length > 0) addUnread(gathered, await rules(input), { read: shown.flat(), unread });
  return { graph: gathered.graph(), origin: 'model' };
}

/** Adds what an answer says, as far as the text bears it out. */
function addAnswer(gathered: GatheredGraph, answer: ModelAnswer, window: readonly Piece[]): void {
  const own = new Set<number>();
  const sought = window.map((piece) => ({ ...piece, plain: plainOf(piece.text) }));
  for (const entity of answer.entities) {
    const index = gathered.addEntity(namedEntity(entity, sought));
    if (index !== undefined) own.add(index);
  }
  // Whom an answer names is first of all one of its own.
  const find = (name: string) => gathered.find(tidy(name), own) ?? gathered.find(tidy(name));
  for (const relation of answer.relations) {
    const [source, target] = [find(relation.source), find(relation.target)];
    const stated = statementOf(relation, window);
    if (source !== undefined && target !== undefined && stated)
      gathered.addRelation({ ...stated, source, target });
  }
}

function namedEntity(given: ModelAnswer['entities'][number], window: readonly SoughtPiece[]): GivenEntity {
  const holding = (name: string) =>
    name === '' ? [] : window.filter(({ plain }) => plain.includes(plainOf(name)));
  const held = [...new Set([given.name, ...given.aliases].map(tidy))]
    .map((name) => ({ name, places: holding(name) }))
    .filter(({ places }) => places.length > 0);
  const identifier = tidy(given.identifier ?? '');
  return {
    names: held.map(({ name }) => name),
    type: typeName(given.type),
    identifier: holding(identifier).length > 0 ? identifier : null,
    chunks: held.flatMap(({ places }) => places.map(({ chunk }) => chunk)),
  };
}

function statementOf(
  given: ModelAnswer['relations'][number],
  window: readonly Piece[],
): Omit<ExtractedRelation, 'source' | 'target'> | undefined {
  const place = window
    .map((piece) => ({ ...piece, found: findEvidence(piece.text, given.evidence) }))
    .find(({ found }) => found !== undefined);
  if (!place?.found) return undefined;
  const context = place.text.slice(place.found.start, place.found.end);
  const predicate = canonicalPredicate(tidy(given.predicate));
  if (context.length > LIMITS.graphContextCharactersMax || predicate === '') return undefined;
  return {
    predicate,
    rawPredicate: tidy(given.predicate),
    context,
    temporalDetails: given.temporal_details === null ? null : tidy(given.temporal_details) || null,
    confidence: Math.min(Math.max(given.confidence, 0), 1),
    chunk: place.chunk,
  };
}

/** Adds what the rules found in text that the model was not shown. */
function addUnread(
  gathered: GatheredGraph,
  { entities, relations }: ExtractedGraph,
  { read, unread }: { read: readonly Piece[]; unread: readonly Piece[] },
): void {
  const chunks = new Set(unread.map(({ chunk }) => chunk));
  const isUnread = ({ chunk, context }: ExtractedRelation) =>
    chunks.has(chunk) && !read.some((piece) => piece.chunk === chunk && piece.text.includes(context));
  const added = entities.map(({ name, aliases, ...entity }) => {
    const places = entity.chunks.filter((chunk) => chunks.has(chunk));
    return places.length > 0
      ? gathered.addEntity({ ...entity, names: [name, ...aliases], chunks: places })
      : undefined;
  });
  for (const relation of relations.filter(isUnread)) {
    const [source, target] = [added[relation.source], added[relation.target]];
    if (source !== undefined && target !== undefined) gathered.addRelation({ ...relation, source, target });
  }
}

/** Without case, in one line. */
function plainOf(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ');
}

function tidy(name: string): string {
  return clip(inOneLine(name), LIMITS.graphNameCharactersMax).trim();
}

function typeName(type: string): string {
  return (
    tidy(type)
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_') || 'OTHER'
  );
}

/** Chunks in order, as many to a window as fit; a chunk that fits none is cut at a space. */
function windowsOf(chunks: ExtractionInput['chunks']): Piece[][] {
  const windows: Piece[][] = [];
  let room = 0;
  for (const [chunk, { text }] of chunks.entries()) {
    for (let start = 0; start < text.length;) {
      const piece = text.slice(start, start + windowCharactersMax);
      const isLast = start + piece.length >= text.length;
      const space = piece.lastIndexOf(' ');
      const cut = isLast || space < windowCharactersMax / 2 ? piece.length : space;
      if (piece.slice(0, cut).trim() !== '') {
        if (cut > room) {
          windows.push([]);
          room = windowCharactersMax;
        }
        windows.at(-1)?.push({ chunk, text: piece.slice(0, cut) });
        room -= cut;
      }
      start += cut;
    }
  }
  return windows;
}
