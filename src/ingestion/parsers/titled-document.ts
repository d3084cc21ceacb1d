import type { ParsedDocument } from './parser.js';

/** Where a title is repeated if it is: on a first page, in the head of a mail. */
const blocksLookedAt = 50;
/** A longer one is told whether it is said again or not. */
const titleCharactersMax = 500;

/**
 * The document with its title as the first block, under the headings of what it stands above, for the item is called like its file
 * and the title's words are to be found; unchanged where a heading or the beginning says it, or the item has it as its own title.
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
