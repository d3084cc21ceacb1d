import type { JsonObject } from '../sources/source.types.js';
import { headingsOf } from './chunk-headings.js';

/**
 * The text of a document from its chunks, which do not overlap. Headings that a chunk stands under and the one before did
 * not are lines above it. What separated two chunks (a line end, a space) is not kept: it reads as a blank line.
 */
export class ChunkJoiner {
  private readonly parts: string[] = [];
  private path: readonly string[] = [];

  add(content: string, layout: JsonObject): void {
    const headings = headingsOf({ layout });
    let shared = 0;
    while (shared < headings.length && headings[shared] === this.path[shared]) shared += 1;
    this.parts.push([...headings.slice(shared), content].join('\n'));
    this.path = headings;
  }

  get text(): string {
    return this.parts.join('\n\n');
  }
}
