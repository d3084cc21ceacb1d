import { addToList } from '../../lib/add-to-list.js';
import type { SuppliedGraph } from '../../sources/ingest/supplied-graph.js';
import { nameKey } from '../entity-key.js';
import type { NamedEntity } from '../entity-key.js';
import type { ExtractedEntity, ExtractedRelation } from '../extraction/extracted-graph.js';

/** A relation with the chunk that it is found by. */
interface LocatedRelation extends Omit<ExtractedRelation, 'chunk'> {
  readonly chunk: number | null;
  /** True when no chunk names both of its ends. */
  readonly anchored?: boolean;
}

/** The graph of one item with its chunks. A supplied graph may lack types and namespaces. */
export interface LocatedGraph {
  readonly entities: readonly (Omit<ExtractedEntity, 'type'> &
    Pick<NamedEntity, 'type' | 'item' | 'isApart'> & {
      /** The application of an account that the text names. */
      readonly provider?: string;
    })[];
  readonly relations: readonly LocatedRelation[];
}

/** What a graph needs to know of a chunk. */
export interface ChunkText {
  readonly position: number;
  readonly text: string;
}

// To search every chunk of a large item for each entity would cost more than the rest of its indexing.
const chunksOfEntityMax = 50;

/**
 * Finds the chunks that a supplied graph belongs to. A relation belongs to the first chunk that
 * names both of its ends, or else one of them, or else to the item's first chunk. So everything
 * supplied with an item leads to it.
 */
export class GraphLocator {
  /** The words of each entity's name. */
  private readonly names: readonly (readonly string[])[];
  private readonly places: readonly number[][];
  private first: number | null = null;

  constructor(private readonly supplied: SuppliedGraph) {
    this.names = supplied.entities.map(({ name }) => wordsOf(name));
    this.places = supplied.entities.map(() => []);
  }

  /** Searches the next chunks of the item. */
  add(chunks: readonly ChunkText[]): void {
    this.first ??= chunks[0]?.position ?? null;
    const index = new WordIndex(chunks);
    this.places.forEach((places, entity) => {
      const left = chunksOfEntityMax - places.length;
      if (left > 0) places.push(...index.find(this.names[entity] ?? []).slice(0, left));
    });
  }

  /** The graph, once all chunks have been searched. */
  graph(): LocatedGraph {
    const { supplied, places, first } = this;
    const relations = supplied.relations.map((relation) => ({
      ...relation,
      confidence: relation.confidence ?? 1,
      ...this.placeOf(relation),
    }));
    // An entity that the text does not name belongs to the chunks of its relations.
    const stated = places.map((): number[] => []);
    for (const { source, target, chunk } of relations)
      if (chunk !== null) for (const end of [source, target]) stated[end]?.push(chunk);
    const placesOf = (entity: number) => {
      if (places[entity]?.length) return places[entity];
      const known = new Set(stated[entity]?.length ? stated[entity] : first === null ? [] : [first]);
      return [...known].sort((a, b) => a - b).slice(0, chunksOfEntityMax);
    };
    return {
      entities: supplied.entities.map((entity, at) => ({ ...entity, aliases: [], chunks: placesOf(at) })),
      relations,
    };
  }

  private placeOf({
    source,
    target,
  }: SuppliedGraph['relations'][number]): Pick<LocatedRelation, 'chunk' | 'anchored'> {
    const [ofSource, ofTarget] = [this.places[source] ?? [], new Set(this.places[target])];
    const both = ofSource.find((position) => ofTarget.has(position));
    if (both !== undefined) return { chunk: both };
    return { chunk: ofSource[0] ?? [...ofTarget][0] ?? this.first, anchored: true };
  }
}

/** Finds names in chunks, by that of their words which fewest chunks have: "Invoice 17" by "17". */
class WordIndex {
  private readonly texts = new Map<number, string>();
  private readonly positions = new Map<string, number[]>();

  constructor(chunks: readonly ChunkText[]) {
    for (const { position, text } of chunks) {
      const words = wordsOf(text);
      this.texts.set(position, ` ${words.join(' ')} `);
      for (const word of new Set(words)) addToList(this.positions, word, position);
    }
  }

  find(words: readonly string[]): number[] {
    const name = ` ${words.join(' ')} `;
    const [fewest = []] = words
      .map((word) => this.positions.get(word) ?? [])
      .sort((a, b) => a.length - b.length);
    return fewest.filter((position) => this.texts.get(position)?.includes(name));
  }
}

function wordsOf(text: string): string[] {
  return nameKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
