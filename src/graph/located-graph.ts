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

/** A supplied graph with the chunks that name its entities: a relation stands where both of its ends are named first. */
export function locate(graph: SuppliedGraph, chunks: readonly ChunkText[]): LocatedGraph {
  const index = new WordIndex(chunks);
  const places = graph.entities.map(({ name }) => index.find(name));
  return {
    entities: graph.entities.map((entity, at) => ({ ...entity, aliases: [], chunks: places[at] ?? [] })),
    relations: graph.relations.map((relation) => {
      const ofTarget = new Set(places[relation.target]);
      const both = (places[relation.source] ?? []).find((position) => ofTarget.has(position));
      return { ...relation, confidence: relation.confidence ?? 1, chunk: both ?? null };
    }),
  };
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

  find(name: string): number[] {
    const words = wordsOf(name);
    const found: number[] = [];
    for (const position of this.positions.get(words[0] ?? '') ?? []) {
      if (found.length === chunksOfEntityMax) break;
      if (this.texts.get(position)?.includes(` ${words.join(' ')} `)) found.push(position);
    }
    return found;
  }
}

function wordsOf(text: string): string[] {
  return nameKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
