import type { JsonObject } from '../../sources/source.types.js';
import { headingsOf } from './chunk-headings.js';

/** What separates two chunks unless their seam says otherwise. */
export const chunkSeparator = '\n\n';

/** How a chunk follows the one before it, as far as its headings and a blank line do not say. */
export interface Seam {
  /** What stood between the two: nothing, a space or a line end. */
  between?: string;
  /**
   * How many of its headings the text before already stands under; if absent, those that both chunks have.
   */
  headings?: number;
  /** How many characters at its beginning are headings that the text before already stands under. */
  repeated?: number;
}

/**
 * Puts the text of a document together from its chunks, which do not overlap. Headings that a chunk has and
 * the text before did not become lines above it. Paragraphs that were cut are joined again; chunks stored
 * without seams are separated by blank lines.
 */
export class ChunkJoiner {
  private readonly parts: string[] = [];
  private path: readonly string[] = [];

  add(content: string, layout: JsonObject): void {
    const headings = headingsOf({ layout });
    const seam = (layout['seam'] ?? {}) as Seam;
    let shared = 0;
    while (shared < headings.length && headings[shared] === this.path[shared]) shared += 1;
    if (this.parts.length > 0) this.parts.push(seam.between ?? chunkSeparator);
    const above = headings.slice(seam.headings ?? shared);
    this.parts.push([...above, content.slice(seam.repeated ?? 0)].join('\n'));
    this.path = headings;
  }

  get text(): string {
    return this.parts.join('');
  }
}
