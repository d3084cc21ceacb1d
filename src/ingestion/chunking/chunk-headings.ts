import type { JsonObject } from '../../sources/source.types.js';

interface HeadedChunk {
  readonly content: string;
  readonly layout: JsonObject;
}

/** The headings that the whole chunk stands under, outermost first. */
export function headingsOf({ layout }: Pick<HeadedChunk, 'layout'>): readonly string[] {
  return Array.isArray(layout['headings']) ? (layout['headings'] as string[]) : [];
}

/**
 * A chunk as it is read alone, with the headings above it as its first lines: without them it may say little
 * more than "see below".
 */
export function withHeadings(chunk: HeadedChunk): string {
  return [...headingsOf(chunk), chunk.content].join('\n');
}
