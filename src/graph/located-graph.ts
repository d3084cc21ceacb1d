import { nameKey } from './entity-key.js';
import type { ExtractedEntity, ExtractedRelation } from './extraction/extracted-graph.js';
import type { SuppliedGraph } from '../sources/supplied-graph.js';

/** A graph of one item with the chunks that it stands in; one that was supplied need not say types and places. */
export interface LocatedGraph {
  readonly entities: readonly (Omit<ExtractedEntity, 'type'> & { readonly type: string | null })[];
  readonly relations: readonly (Omit<ExtractedRelation, 'chunk'> & { readonly chunk: number | null })[];
}

/** A chunk as far as a graph needs it. */
export interface ChunkText {
  readonly position: number;
  readonly text: string;
}

// What is looked for in every chunk of a large item would cost more than the rest of its indexing.
const chunksOfEntityMax = 50;

/** Finds the chunks that name the entities of a supplied graph: a relation stands where both of its ends are named first. */
export class GraphLocator {
  /** The words of each entity's name. */
  private readonly names: readonly (readonly string[])[];
  private readonly places: readonly number[][];

  constructor(private readonly supplied: SuppliedGraph) {
    this.names = supplied.entities.map(({ name }) => wordsOf(name));
    this.places = supplied.entities.map(() => []);
  }

  /** Looks through the next chunks of the item. */
  add(chunks: readonly ChunkText[]): void {
    const index = new WordIndex(chunks);
    this.places.forEach((places, entity) => {
      const left = chunksOfEntityMax - places.length;
      if (left > 0) places.push(...index.find(this.names[entity] ?? []).slice(0, left));
    });
  }

  graph(): LocatedGraph {
    const { supplied, places } = this;
    return {
      entities: supplied.entities.map((entity, at) => ({ ...entity, aliases: [], chunks: places[at] ?? [] })),
      relations: supplied.relations.map((relation) => {
        const ofTarget = new Set(places[relation.target]);
        const both = (places[relation.source] ?? []).find((position) => ofTarget.has(position));
        return { ...relation, confidence: relation.confidence ?? 1, chunk: both ?? null };
      }),
    };
  }
}

/** Finds names in chunks by their first word. */
class WordIndex {
  private readonly texts = new Map<number, string>();
  private readonly positions = new Map<string, number[]>();

  constructor(chunks: readonly ChunkText[]) {
    for (const { position, text } of chunks) {
      const words = wordsOf(text);
      this.texts.set(position, ` ${words.join(' ')} `);
      for (const word of new Set(words)) {
        const known = this.positions.get(word);
        if (known) known.push(position);
        else this.positions.set(word, [position]);
      }
    }
  }

  find(words: readonly string[]): number[] {
    const name = ` ${words.join(' ')} `;
    return (this.positions.get(words[0] ?? '') ?? []).filter((position) =>
      this.texts.get(position)?.includes(name),
    );
  }
}

function wordsOf(text: string): string[] {
  return nameKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
