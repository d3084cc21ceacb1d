import { askForJson } from '../../inference/ask-for-json.js';
import type { Completer } from '../../inference/completer.js';
import { findEvidence } from '../../inference/facts.js';
import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from '../../sources/declared-relations.js';
import { inOneLine } from '../../text/one-line.js';
import { keyOf } from './entities.js';
import type { ExtractedGraph, ExtractedRelation, ExtractionInput } from './extracted-graph.js';
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

/**
 * Has a language model extract entities and relations, several chunks to a question. What it answers is checked: an
 * entity stands only when the text names it, a relation only when its evidence is in the text. An answer that does not
 * fit is shown to the model once; if it fails again the rules extract.
 * @throws AppError SERVICE_UNAVAILABLE when the model cannot be reached.
 */
export async function extractGraphByModel(
  completer: Completer,
  { rules, customInstructions, ...input }: ModelGraphRequest,
  signal?: AbortSignal,
): Promise<GraphExtraction> {
  const system = graphInstructions(input.title, customInstructions);
  const gathered = new GatheredGraph();
  for (const window of windowsOf(input.chunks)) {
    const question = { system, name: 'graph', schema: answerSchema, json: answerJsonSchema, text: window };
    const answer = await askForJson(completer, question, signal);
    if (typeof answer === 'string') return { graph: await rules(input), origin: 'rules', problem: answer };
    gathered.add(answer, window);
  }
  return { graph: gathered.graph(), origin: 'model' };
}

interface GatheredEntity {
  readonly name: string;
  readonly type: string;
  identifier: string | null;
  readonly aliases: Set<string>;
  readonly chunks: Set<number>;
}

/** What the answers say, those of one name being one entity. */
class GatheredGraph {
  private readonly entities: GatheredEntity[] = [];
  private readonly byKey = new Map<string, number>();
  private readonly relations = new Map<string, ExtractedRelation>();
  /** Relations of each entity. */
  private readonly counts = new Map<number, number>();

  add({ entities, relations }: ModelAnswer, window: readonly Piece[]): void {
    for (const entity of entities) this.addEntity(entity, window);
    for (const relation of relations) this.addRelation(relation, window);
  }

  graph(): ExtractedGraph {
    return {
      entities: this.entities.map(({ aliases, chunks, ...entity }) => ({
        ...entity,
        namespace: null,
        aliases: [...aliases],
        chunks: [...chunks].sort((a, b) => a - b),
      })),
      relations: [...this.relations.values()],
    };
  }

  private addEntity(given: ModelAnswer['entities'][number], window: readonly Piece[]): void {
    const names = [given.name, ...given.aliases].map((name) => tidy(name)).filter((name) => name !== '');
    const chunks = window
      .filter(({ text }) => names.some((name) => holds(text, name)))
      .map(({ chunk }) => chunk);
    const [name] = names.filter((each) => window.some(({ text }) => holds(text, each)));
    if (name === undefined || chunks.length === 0) return;
    const known = names.map((each) => this.byKey.get(keyOf(each))).find((index) => index !== undefined);
    const index = known ?? this.entities.length;
    if (index >= LIMITS.graphEntitiesMax) return;
    const identifier =
      given.identifier !== null && window.some(({ text }) => holds(text, given.identifier ?? ''))
        ? tidy(given.identifier)
        : null;
    this.entities[index] ??= {
      name,
      type: typeName(given.type),
      identifier,
      aliases: new Set(),
      chunks: new Set(),
    };
    const entity = this.entities[index];
    entity.identifier ??= identifier;
    for (const chunk of chunks) entity.chunks.add(chunk);
    for (const each of names) {
      if (!window.some(({ text }) => holds(text, each))) continue;
      if (!this.byKey.has(keyOf(each))) this.byKey.set(keyOf(each), index);
      if (each !== entity.name) entity.aliases.add(each);
    }
  }

  private addRelation(given: ModelAnswer['relations'][number], window: readonly Piece[]): void {
    const source = this.byKey.get(keyOf(tidy(given.source)));
    const target = this.byKey.get(keyOf(tidy(given.target)));
    const place = window
      .map((piece) => ({ ...piece, found: findEvidence(piece.text, given.evidence) }))
      .find(({ found }) => found !== undefined);
    if (source === undefined || target === undefined || source === target || !place?.found) return;
    const context = place.text.slice(place.found.start, place.found.end);
    const predicate = canonicalPredicate(tidy(given.predicate));
    const key = JSON.stringify([source, target, predicate, place.chunk]);
    if (context.length > LIMITS.graphContextCharactersMax || predicate === '') return;
    if (this.relations.has(key) || this.relations.size >= LIMITS.graphRelationsMax) return;
    if (!this.hasRoom(source) || !this.hasRoom(target)) return;
    this.relations.set(key, {
      source,
      target,
      predicate,
      rawPredicate: tidy(given.predicate),
      context,
      temporalDetails: given.temporal_details === null ? null : tidy(given.temporal_details) || null,
      confidence: Math.min(Math.max(given.confidence, 0), 1),
      chunk: place.chunk,
    });
    for (const end of [source, target]) this.counts.set(end, (this.counts.get(end) ?? 0) + 1);
  }

  private hasRoom(entity: number): boolean {
    return (this.counts.get(entity) ?? 0) < LIMITS.graphRelationsPerEntityMax;
  }
}

function holds(text: string, name: string): boolean {
  return (
    name !== '' && text.toLowerCase().replace(/\s+/g, ' ').includes(name.toLowerCase().replace(/\s+/g, ' '))
  );
}

function tidy(name: string): string {
  return inOneLine(name).slice(0, LIMITS.graphNameCharactersMax).trim();
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
          if (windows.length >= windowsMax) return windows;
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
