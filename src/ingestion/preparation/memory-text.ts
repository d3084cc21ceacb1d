import { userNameDefault } from '../../sources/ingest/user-name.js';
import { markdownDocument } from '../parsers/markdown.js';
import { isReadable, requireText, type ParsedDocument } from '../parsers/parser.js';
import { plainTextDocument } from '../parsers/plain-text.js';

export interface MemoryText {
  text?: string | undefined;
  userAssistantPairs?: readonly { user: string; assistant: string }[] | undefined;
  isMarkdown?: boolean | undefined;
  userName?: string | undefined;
  /** YYYY-MM-DD */
  observationDate?: string | undefined;
}

/**
 * The blocks of a memory: its text, then one block per pair, `<user name>: …` above `Assistant: …`. @throws
 * ParseError E2002 when all of it is blank
 */
export function memoryDocument(memory: MemoryText): ParsedDocument {
  const { text = '', userAssistantPairs = [], isMarkdown = false, userName } = memory;
  const source = text.replace(/\r\n?/g, '\n');
  const document = isMarkdown ? markdownDocument(source) : plainTextDocument(source);
  const pairs = writtenPairs(userAssistantPairs, userName).map((turns, index) => ({
    text: turns,
    headings: [],
    layout: { pair: index + 1 },
  }));
  return requireText({ ...document, blocks: [...document.blocks, ...pairs] }, 'memory');
}

/** A memory as one plain text: its text as it was sent, then each pair as it is searched. */
export function writtenMemory({
  text,
  userAssistantPairs,
  userName,
}: {
  text: string | null;
  userAssistantPairs: readonly { user: string; assistant: string }[] | null;
  userName: string;
}): string {
  return [...(text ? [text] : []), ...writtenPairs(userAssistantPairs ?? [], userName)].join('\n\n');
}

function writtenPairs(
  pairs: readonly { user: string; assistant: string }[],
  userName: string | undefined,
): string[] {
  const speaker = userName?.trim() || userNameDefault;
  return pairs
    .filter(({ user, assistant }) => isReadable(user + assistant))
    .map(({ user, assistant }) =>
      [turn(speaker, user), turn('Assistant', assistant)].filter((line) => line !== '').join('\n'),
    );
}

function turn(speaker: string, text: string): string {
  return isReadable(text) ? `${speaker}: ${text.trim()}` : '';
}
