import { markdownDocument } from './parsers/markdown.js';
import { requireText, type ParsedDocument } from './parsers/parser.js';
import { plainTextDocument } from './parsers/plain-text.js';

export interface MemoryText {
  text?: string | undefined;
  userAssistantPairs?: readonly { user: string; assistant: string }[] | undefined;
  isMarkdown?: boolean | undefined;
  userName?: string | undefined;
}

/**
 * The blocks of a memory: its text first, then one block per pair, `<user name>: …` over `Assistant: …`.
 * Throws ParseError E2002 when all of it is blank.
 */
export function memoryDocument(memory: MemoryText): ParsedDocument {
  const { text = '', userAssistantPairs = [], isMarkdown = false, userName } = memory;
  const source = text.replace(/\r\n?/g, '\n');
  const document = isMarkdown ? markdownDocument(source) : plainTextDocument(source);
  const speaker = userName?.trim() || 'User';
  const pairs = userAssistantPairs
    .filter(({ user, assistant }) => /\S/.test(user + assistant))
    .map(({ user, assistant }, index) => ({
      text: [turn(speaker, user), turn('Assistant', assistant)].filter((line) => line !== '').join('\n'),
      headings: [],
      layout: { pair: index + 1 },
    }));
  return requireText({ ...document, blocks: [...document.blocks, ...pairs] });
}

function turn(speaker: string, text: string): string {
  return text.trim() === '' ? '' : `${speaker}: ${text.trim()}`;
}
