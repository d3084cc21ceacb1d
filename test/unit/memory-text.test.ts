import { describe, expect, test } from '@jest/globals';
import { memoryDocument } from '../../src/ingestion/preparation/memory-text.js';
import { textsOf as texts } from '../support/files/reading.js';

describe('memoryDocument', () => {
  test('makes a block of each pair, after the text', () => {
    const document = memoryDocument({
      text: 'Likes tea.',
      userAssistantPairs: [{ user: 'Hi', assistant: 'Hello' }],
      userName: 'Zoë',
    });
    expect(texts(document)).toEqual(['Likes tea.', 'Zoë: Hi\nAssistant: Hello']);
    expect(texts(memoryDocument({ userAssistantPairs: [{ user: 'Hi', assistant: 'Yes' }] }))).toEqual([
      'User: Hi\nAssistant: Yes',
    ]);
  });

  test('reads Markdown only when told so', () => {
    const text = '# Head\n\nBody';
    expect(memoryDocument({ text, isMarkdown: true }).blocks).toEqual([{ text: 'Body', headings: ['Head'] }]);
    expect(texts(memoryDocument({ text }))).toEqual(['# Head', 'Body']);
  });

  test('reports a blank memory as E2002', () => {
    expect(() => memoryDocument({ text: ' ', userAssistantPairs: [] })).toThrow(
      expect.objectContaining({ code: 'E2002' }),
    );
  });
});
