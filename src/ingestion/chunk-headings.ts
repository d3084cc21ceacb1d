import type { JsonObject } from '../sources/source.types.js';

interface StoredChunk {
  readonly content: string;
  readonly layout: JsonObject;
}

/** The headings that all of a chunk stands under, outermost first. */
export function headingsOf({ layout }: Pick<StoredChunk, 'layout'>): readonly string[] {
  return Array.isArray(layout['headings']) ? (layout['headings'] as string[]) : [];
}

/** A chunk as it is read alone: the headings above it are its first lines, for without them "see below" is all it may say. */
export function withHeadings(chunk: StoredChunk): string {
  return [...headingsOf(chunk), chunk.content].join('\n');
}
