import type { ParsedDocument } from './parser.js';

/**
 * How many blocks are searched for a repetition of the title, which stands on a first page or in the header
 * of a mail.
 */
const blocksLookedAt = 50;
/** A longer title is added without that search. */
const titleCharactersMax = 500;

/**
 * Adds the title of a document as its first block, under the headings of the block that follows: the item is
 * named after its file, and the words of the title should be found too. Unchanged if a heading or the
 * beginning contains the title, or the item has it as its own.
 */
export function titledDocument(document: ParsedDocument, itemTitle: string | undefined): ParsedDocument {
  const { title = '', blocks } = document;
  const [first] = blocks;
  if (first === undefined || title.trim() === '' || title === itemTitle || isSaid(document)) return document;
  const { headings, layout } = first;
  return { ...document, blocks: [{ text: title, headings, ...(layout && { layout }) }, ...blocks] };
}

function isSaid({ title = '', blocks }: ParsedDocument): boolean {
  if (title.length > titleCharactersMax) return false;
  const words = title.trim().split(/\s+/);
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const phrase = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu');
  if (blocks.slice(0, blocksLookedAt).some(({ text }) => phrase.test(text))) return true;
  const paths = new Set(blocks.map(({ headings }) => headings));
  return [...paths].some((headings) => headings.some((heading) => phrase.test(heading)));
}
