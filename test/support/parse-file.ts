import { streamFile } from '../../src/ingestion/parsers/parse-file.js';
import type { ParsedBlock, ParsedDocument } from '../../src/ingestion/parsers/parser.js';

/** Parses a file and what it carries, and holds all of it. */
export async function parseFile(...[file, options]: Parameters<typeof streamFile>): Promise<ParsedDocument> {
  const document = await streamFile(file, options);
  const blocks: ParsedBlock[] = [];
  for await (const block of document.blocks) blocks.push(block);
  return { ...document, blocks };
}
