import { LIMITS } from '../../limits.js';
import type { Voices } from './speakers.js';

/** Something that a text names. */
export interface ExtractedEntity {
  /** As the text spells it where it is longest. */
  readonly name: string;
  /** Upper case: PERSON, ORGANIZATION, LOCATION, PRODUCT, EVENT, TICKET, EMAIL, URL, HANDLE, DATE, OTHER. */
  readonly type: string;
  readonly namespace: string | null;
  /** An e-mail address, a URL, a ticket id: what tells it from others of its name, when the text gives it. */
  readonly identifier: string | null;
  /** Its other names in the text. */
  readonly aliases: readonly string[];
  /** Only this text tells who is meant: "Dr. Smith". */
  readonly isLocal?: boolean;
  /** Positions of the chunks that mention it, ascending. */
  readonly chunks: readonly number[];
}

/** What a text says of two entities, which it names by index. */
export interface ExtractedRelation {
  readonly source: number;
  readonly target: number;
  /** Canonical: lower case, words joined by underscores. */
  readonly predicate: string;
  /** As the text puts it. */
  readonly rawPredicate: string;
  /** The sentence that says so. */
  readonly context: string;
  /** When it holds or held, in the words of the text. */
  readonly temporalDetails: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Position of the chunk that says so. */
  readonly chunk: number;
}

export interface ExtractedGraph {
  readonly entities: readonly ExtractedEntity[];
  readonly relations: readonly ExtractedRelation[];
}

/** What a graph is extracted from: an item's title and its chunks in order. */
export interface ExtractionInput extends Voices {
  readonly title: string;
  readonly chunks: readonly { readonly text: string; readonly headings?: readonly string[] }[];
}

/** As many of the relations as a graph, and each entity in it, may have: the first. */
export function withinLimits(relations: readonly ExtractedRelation[]): ExtractedRelation[] {
  const counts = new Map<number, number>();
  const taken: ExtractedRelation[] = [];
  for (const relation of relations) {
    const ends = [relation.source, relation.target];
    const isFull = ends.some((end) => (counts.get(end) ?? 0) >= LIMITS.graphRelationsPerEntityMax);
    if (isFull || taken.length >= LIMITS.graphRelationsMax) continue;
    for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
    taken.push(relation);
  }
  return taken;
}
