import { LIMITS } from '../../limits.js';
import type { Voices } from './speakers.js';

/** Something that a text names. */
export interface ExtractedEntity {
  /** In the fullest spelling that the text has. */
  readonly name: string;
  /** Upper case: PERSON, ORGANIZATION, LOCATION, PRODUCT, EVENT, TICKET, EMAIL, URL, HANDLE, DATE, OTHER. */
  readonly type: string;
  readonly namespace: string | null;
  /**
   * An e-mail address, a URL or a ticket id, if the text gives one. It distinguishes the
   * entity from others of its name.
   */
  readonly identifier: string | null;
  /** Its other names in the text. */
  readonly aliases: readonly string[];
  /** Whether only this text shows who is meant: "Dr. Smith". */
  readonly isLocal?: boolean;
  /** Positions of the chunks that mention it, ascending. */
  readonly chunks: readonly number[];
}

/** A relation that a text states between two entities, given by their indexes. */
export interface ExtractedRelation {
  readonly source: number;
  readonly target: number;
  /** Canonical: lower case, words joined by underscores. */
  readonly predicate: string;
  /** As worded in the text. */
  readonly rawPredicate: string;
  /** The sentence that states it. */
  readonly context: string;
  /** When it holds or held, in the words of the text: "since 2019", "last month (2025-05)". */
  readonly temporalDetails: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Position of the chunk that states it. */
  readonly chunk: number;
}

/** The entities and relations of one item. */
export interface ExtractedGraph {
  readonly entities: readonly ExtractedEntity[];
  readonly relations: readonly ExtractedRelation[];
  /** Why a part of the text is missing from it: rules failed on that; for the log. */
  readonly problem?: string;
}

/** What a graph is extracted from: the title of an item, its chunks in order, and who may speak in it. */
export interface ExtractionInput extends Voices {
  readonly title: string;
  /** When it was written, as ISO 8601 writes it: from there "yesterday" counts. */
  readonly day?: string | undefined;
  readonly chunks: readonly { readonly text: string; readonly headings?: readonly string[] }[];
}

/** The first relations, as many as a graph, and each entity in it, may have. */
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
