import { userNameDefault } from '../../sources/ingest/user-name.js';
import type { MemoryContent } from '../../sources/source.types.js';
import { markdownDocument } from '../parsers/markdown.js';
import { isReadable, requireText, type ParsedDocument } from '../parsers/parser.js';
import { plainTextDocument } from '../parsers/plain-text.js';

/** What of a memory is searched: a text, pairs of a conversation, or both. */
export type MemoryText = Pick<MemoryContent, 'text' | 'userAssistantPairs' | 'isMarkdown' | 'userName'>;

/**
 * The blocks of a memory: its text, then one block per pair, `<user name>: …` above `Assistant: …`. @throws
 * ParseError E2002 when all of it is blank
 */
export function memoryDocument(memory: MemoryText): ParsedDocument {
  const source = (memory.text ?? '').replace(/\r\n?/g, '\n');
  const document = memory.isMarkdown ? markdownDocument(source) : plainTextDocument(source);
  const pairs = writtenPairs(memory).map((turns, index) => ({
    text: turns,
    headings: [],
    layout: { pair: index + 1 },
  }));
  return requireText({ ...document, blocks: [...document.blocks, ...pairs] }, 'memory');
}

/** A memory as one plain text: its text as it was sent, then each pair as it is searched. */
export function writtenMemory(memory: MemoryText): string {
  return [...(memory.text ? [memory.text] : []), ...writtenPairs(memory)].join('\n\n');
}

function writtenPairs({
  userAssistantPairs,
  userName,
}: Pick<MemoryText, 'userAssistantPairs' | 'userName'>): string[] {
  const speaker = userName.trim() || userNameDefault;
  return (userAssistantPairs ?? [])
    .filter(({ user, assistant }) => isReadable(user + assistant))
    .map(({ user, assistant }) =>
      [turn(speaker, user), turn('Assistant', assistant)].filter((line) => line !== '').join('\n'),
    );
}

function turn(speaker: string, text: string): string {
  return isReadable(text) ? `${speaker}: ${text.trim()}` : '';
}
