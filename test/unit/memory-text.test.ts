import { describe, expect, test } from '@jest/globals';
import { memoryDocument } from '../../src/ingestion/preparation/memory-text.js';
import type { MemoryContent } from '../../src/sources/source.types.js';
import { textsOf as texts } from '../support/files/reading.js';
import { memoryContent } from '../support/memory-content.js';

const documentOf = (own: Partial<MemoryContent>) => memoryDocument(memoryContent(own));

describe('memoryDocument', () => {
  test('makes a block of each pair, after the text', () => {
    const document = documentOf({
      text: 'Likes tea.',
      userAssistantPairs: [{ user: 'Hi', assistant: 'Hello' }],
      userName: 'Zoë',
    });
    expect(texts(document)).toEqual(['Likes tea.', 'Zoë: Hi\nAssistant: Hello']);
    expect(texts(documentOf({ userAssistantPairs: [{ user: 'Hi', assistant: 'Yes' }] }))).toEqual([
      'User: Hi\nAssistant: Yes',
    ]);
  });

  test('reads Markdown only when told so', () => {
    const text = '# Head\n\nBody';
    expect(documentOf({ text, isMarkdown: true }).blocks).toEqual([{ text: 'Body', headings: ['Head'] }]);
    expect(texts(documentOf({ text }))).toEqual(['# Head', 'Body']);
  });

  test('reports a blank memory as E2002', () => {
    expect(() => documentOf({ text: ' ', userAssistantPairs: [] })).toThrow(
      expect.objectContaining({ code: 'E2002' }),
    );
  });
});
