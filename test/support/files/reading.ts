import type { ParseContext, ParsedDocument } from '../../../src/ingestion/parsers/parser.js';

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textsOf(document: ParsedDocument): string[] {
  return document.blocks.map((block) => block.text);
}

/** For a parser that is tried alone: files within a file are not read. */
export const noContext: ParseContext = { ocrLanguages: ['eng'], readInner: () => Promise.resolve([]) };
