import { describe, expect, test } from '@jest/globals';
import { extractByRules } from '../../src/inference/extractors/rules.js';
import { withoutEvidence } from '../../src/inference/facts.js';
import { chunkDocument } from '../../src/ingestion/chunking/chunker.js';
import {
  inferredChunks,
  isSpeech,
  memoryTexts,
  restOf,
} from '../../src/ingestion/preparation/inferred-chunks.js';
import type { MemoryContent } from '../../src/sources/source.types.js';
import { memoryContent } from '../support/memory-content.js';

function chunksOf(own: Partial<MemoryContent>) {
  const memory = memoryContent(own);
  const facts = extractByRules(memoryTexts(memory), 'Anna');
  const rest = restOf(memory, facts);
  return inferredChunks(facts, rest ? chunkDocument(rest) : []);
}

describe('chunks of an inferred item', () => {
  test('facts first, at the positions of their facts, then the rest', () => {
    expect(chunksOf({ text: 'The hotel was nice. I like tea, and I live in Oslo. It rained.' })).toEqual([
      {
        position: 0,
        text: 'Anna likes tea ("I like tea")',
        headings: [],
        layout: { inferred: true, kind: 'preference' },
      },
      {
        position: 1,
        text: 'Anna lives in Oslo ("I live in Oslo.")',
        headings: [],
        layout: { inferred: true, kind: 'fact' },
      },
      { position: 2, text: 'The hotel was nice.\nIt rained.', headings: [], layout: {} },
    ]);
  });

  test('a statement that is its own evidence stands alone; nothing else is left', () => {
    expect(chunksOf({ text: 'Anna likes tea.' }).map((chunk) => chunk.text)).toEqual(['Anna likes tea']);
  });

  test('of a conversation only the user is read, and the assistant stays', () => {
    const memory = {
      userName: 'Anna',
      userAssistantPairs: [
        { user: 'I like tea.', assistant: 'I like coffee.' },
        { user: 'Nice weather. I live in Oslo', assistant: '' },
      ],
    };
    expect(chunksOf(memory).map((chunk) => chunk.text)).toEqual([
      'Anna likes tea ("I like tea.")',
      'Anna lives in Oslo ("I live in Oslo")',
      'Assistant: I like coffee.\n\nAnna: Nice weather.',
    ]);
  });

  test.each([
    ['Got it!', []],
    ["Thanks for letting me know, I'll keep that in mind.", []],
    ['Noted. I have updated your preferences accordingly.', []],
    ["Got it, I'll book the Hilton.", ["Assistant: Got it, I'll book the Hilton."]],
    ['I will remember that you like tea.', ['Assistant: I will remember that you like tea.']],
    ['OK?', ['Assistant: OK?']],
  ])('%j to what has become a fact leaves %j', (assistant, rest) => {
    const memory = { userName: 'Anna', userAssistantPairs: [{ user: 'I like tea.', assistant }] };
    expect(chunksOf(memory).map((chunk) => chunk.text)).toEqual(['Anna likes tea ("I like tea.")', ...rest]);
    const whole = { ...memory, userAssistantPairs: [{ user: 'Nice weather.', assistant }] };
    expect(chunksOf(whole).map((chunk) => chunk.text)).toEqual([
      `Anna: Nice weather.\nAssistant: ${assistant}`,
    ]);
  });

  test('of an app item all is read but what others say in comments', () => {
    const blocks = [
      { text: 'I like tea.', headings: [] },
      { text: 'Bob: I like coffee.', headings: [], layout: { comment: 'c-1' } },
    ];
    expect(blocks.filter(isSpeech).map(({ text }) => text)).toEqual(['I like tea.']);
  });
});

describe('what is left beside evidence', () => {
  test.each([
    ['I like tea, and the sun shines.', ['I like tea'], 'the sun shines.'],
    ['By the way, I like tea.', ['I like tea.'], ''],
    ['A b. C d. E f.', ['C d.', 'A b.'], 'E f.'],
    ['A  b\nc d.', ['b c'], 'A\nd.'],
    ['nothing of it', ['elsewhere', ''], 'nothing of it'],
    ['a+b (c) d', ['b (c)'], 'a+\nd'],
  ])('%j without %j', (text, evidence, rest) => {
    expect(
      withoutEvidence(
        text,
        evidence.map((each) => ({ evidence: each })),
      ),
    ).toBe(rest);
  });

  test('much white space takes no time', () => {
    const text = `x${' '.repeat(500_000)}y. I like tea.${' '.repeat(500_000)}z`;
    expect(withoutEvidence(text, [{ evidence: 'I like tea.' }])).toHaveLength(500_000 + 5);
  });
});
