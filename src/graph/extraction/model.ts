import { askForJson } from '../../inference/ask-for-json.js';
import type { Completer } from '../../inference/completer.js';
import { findEvidence } from '../../inference/facts.js';
import { clip } from '../../lib/characters.js';
import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from '../../sources/ingest/canonical-predicate.js';
import { readMailName } from '../../text/mail-names.js';
import { inOneLine } from '../../text/one-line.js';
import type { ExtractedGraph, ExtractedRelation, ExtractionInput } from './extracted-graph.js';
import { GatheredGraph } from './gathered-graph.js';
import type { GivenEntity } from './gathered-graph.js';
import { answerJsonSchema, answerSchema, graphInstructions, partialAnswerSchema } from './model-prompt.js';
import type { ModelAnswer } from './model-prompt.js';

/** What a language model is asked to extract a graph from. */
export interface ModelGraphRequest extends ExtractionInput {
  readonly customInstructions?: string | null | undefined;
  /**
   * Extracts by rules when the model's answers cannot be used, and from text that the model is not shown.
   * It may run in another thread, so that a long text blocks nobody.
   */
  readonly rules: (input: ExtractionInput) => ExtractedGraph | Promise<ExtractedGraph>;
}

/** A graph, and where it comes from. */
export interface GraphExtraction {
  readonly graph: ExtractedGraph;
  /** Whether rules or a language model found it. */
  readonly origin: 'rules' | 'model';
  /** Why an answer of the model could not be used; for the log. */
  readonly problem?: string;
}

/** Some 3,000 tokens of text per question. */
const windowCharactersMax = 12_000;
const windowsMax = 20;
/** So many questions without a usable answer, and no more are asked. */
const failuresMax = 2;

const question = {
  name: 'graph',
  schema: answerSchema,
  partial: partialAnswerSchema,
  json: answerJsonSchema,
};

interface Piece {
  readonly chunk: number;
  readonly text: string;
}

/** A piece of text, and its form in which names are sought. */
interface SoughtPiece extends Piece {
  readonly plain: string;
}

/**
 * Has a language model extract entities and relations, several chunks per question. Answers are checked: an
 * entity counts only if the text names it, a relation only if its evidence is in the text. An answer that
 * does not fit the schema is shown to the model once; of the next one counts what fits. Rules read the text
 * that no answer can be used of, and the text beyond the last question.
 * @throws AppError SERVICE_UNAVAILABLE when the model cannot be reached
 */
export async function extractGraphByModel(
  completer: Completer,
  { rules, customInstructions, ...input }: ModelGraphRequest,
  signal?: AbortSignal,
): Promise<GraphExtraction> {
  const system = graphInstructions(input.title, customInstructions);
  const gathered = new GatheredGraph();
  const windows = windowsOf(input.chunks);
  const read: Piece[] = [];
  const unread: Piece[] = [];
  const problems: string[] = [];
  for (const [index, window] of windows.entries()) {
    if (index >= windowsMax || problems.length >= failuresMax) {
      unread.push(...window);
      continue;
    }
    const answer = await askForJson(completer, { ...question, system, text: window }, signal);
    if (typeof answer === 'string') {
      problems.push(answer);
      unread.push(...window);
    } else {
      addAnswer(gathered, answer, window);
      read.push(...window);
    }
  }
  const [problem] = problems;
  const failed = problem === undefined ? {} : { problem };
  if (read.length === 0 && problems.length > 0)
    return { graph: await rules(input), origin: 'rules', ...failed };
  if (unread.length > 0) addUnread(gathered, await rules(input), { read, unread });
  return { graph: gathered.graph(), origin: 'model', ...failed };
}

/** Adds the entities and relations of an answer that the text supports. */
function addAnswer(gathered: GatheredGraph, answer: ModelAnswer, window: readonly Piece[]): void {
  const own = new Set<number>();
  const sought = window.map((piece) => ({ ...piece, plain: plainOf(piece.text) }));
  for (const entity of answer.entities) {
    const index = gathered.addEntity(namedEntity(entity, sought));
    if (index !== undefined) own.add(index);
  }
  // A name in an answer means first of all an entity of that answer.
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
  const type = typeName(given.type);
  const identifier = tidy(given.identifier ?? '');
  const isOwn = type !== 'PERSON' || readMailName(given.name, identifier).whose !== 'writer';
  return {
    names: held.map(({ name }) => name),
    type,
    identifier: isOwn && holding(identifier).length > 0 ? identifier : null,
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
    temporalDetails: temporalOf(given.temporal_details, place.text),
    confidence: Math.min(Math.max(given.confidence, 0), 1),
    chunk: place.chunk,
  };
}

/** When a relation holds; null if the model names a year that the text does not. */
function temporalOf(given: string | null, text: string): string | null {
  const temporal = tidy(given ?? '');
  const isTold = (temporal.match(/\d{4}/g) ?? []).every((year) => text.includes(year));
  return temporal !== '' && isTold ? temporal : null;
}

/** Adds what the rules found in text that the model was not shown, or whose answer could not be used. */
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

/** Lower case, in one line. */
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

/**
 * Packs the chunks into windows, in order, as many as fit into each. A chunk that
 * fits into none is cut at a space.
 */
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
