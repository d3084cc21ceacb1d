import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import type { ExtractedGraph } from '../../src/graph/extraction/extracted-graph.js';
import { LIMITS } from '../../src/limits.js';

const people = ['Anna Berg', 'Tom Larsen', 'Berg', 'Dr. Wei Zhang', 'Mrs. Hill', 'she', 'He'];
const others = [
  'Nimbus Corp',
  'Nimbus',
  'Oslo',
  'Volvo',
  'Bergen, Norway',
  'PAY-12',
  'the company',
  'the billing service',
  'a@b.example',
  'log4j-2.17.1',
  'cc-@anna',
  'éa@b.example',
];
const joints = [
  'works for',
  'lives in',
  'is the CEO of',
  'does not own',
  ', the owner of',
  'was born in',
  'and',
  ', ',
  '(',
  ')',
  '.',
  '?',
  'acquired',
  'depends on',
  'of',
  "'s",
  'said',
  'if',
  '\n',
  '\n\n',
  '|',
  '"',
  'in 2019',
  'by',
  '–',
  '🙂',
  '\u0000',
];
const words = fc.array(fc.constantFrom(...people, ...others, ...joints), { maxLength: 40 });
const chunk = fc.oneof(
  { weight: 3, arbitrary: words.map((parts) => parts.join(' ')) },
  { weight: 1, arbitrary: words.map((parts) => parts.join('-')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
);
const chunks = fc.array(chunk, { maxLength: 5 });
/** A chunk on which rules fail. */
const broken = {
  text: 'Anna Berg lives in Oslo.',
  get headings(): string[] {
    throw new Error('a rule failed');
  },
};
/** A number spelled in letters, so that it may stand in a name. */
const letters = (index: number) =>
  index.toString(10).replace(/\d/g, (digit) => 'bcdfghjkmx'[Number(digit)] ?? '');
const read = (texts: readonly string[]) =>
  extractGraph({ title: '', chunks: texts.map((text) => ({ text })) });

function checkShape({ entities, relations }: ExtractedGraph, texts: readonly string[]): void {
  expect(entities.length).toBeLessThanOrEqual(LIMITS.graphEntitiesMax);
  expect(relations.length).toBeLessThanOrEqual(LIMITS.graphRelationsMax);
  for (const { name, type, chunks: places, aliases } of entities) {
    expect(name.length).toBeLessThanOrEqual(LIMITS.graphNameCharactersMax);
    expect(name).not.toMatch(/Qz{3}/);
    expect(type).toMatch(/^[A-Z]+$/);
    expect(aliases).not.toContain(name);
    expect(places.length).toBeGreaterThan(0);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    // Every chunk that it claims says one of its names.
    for (const place of places) {
      const text = texts[place]?.toLowerCase().replace(/\s+/g, ' ') ?? '';
      expect([name, ...aliases].some((each) => text.includes(each.toLowerCase()))).toBe(true);
    }
  }
  for (const relation of relations) {
    const ends = [entities[relation.source], entities[relation.target]];
    expect(ends.every((end) => end !== undefined)).toBe(true);
    expect(relation.source).not.toBe(relation.target);
    expect(relation.predicate).toMatch(/^[a-z][a-z_-]*$/);
    expect(relation.confidence).toBeGreaterThan(0);
    expect(relation.confidence).toBeLessThanOrEqual(1);
    expect(relation.context.length).toBeLessThanOrEqual(LIMITS.graphContextCharactersMax);
    const text = (texts[relation.chunk] ?? '').replace(/\s+/g, ' ');
    expect(text).toContain(relation.context.replace(/\s+/g, ' '));
    for (const end of ends) {
      const named = [end?.name ?? '', ...(end?.aliases ?? [])].some((each) =>
        relation.context.toLowerCase().includes(each.toLowerCase()),
      );
      expect(named || /\b(?:he|she|the company)\b/i.test(relation.context)).toBe(true);
    }
  }
}

describe('any text', () => {
  test('gives a well-formed graph, and always the same', () => {
    fc.assert(
      fc.property(chunks, (texts) => {
        const graph = read(texts);
        checkShape(graph, texts);
        expect(read(texts)).toEqual(graph);
      }),
      { numRuns: 150 },
    );
  });

  test('gives what its chunks give, whatever else was read before', () => {
    const before = read(['Anna Berg works for Volvo. She lives in Oslo.']);
    read(['Anna Berg lives in Paris.', 'Volvo Berg']);
    expect(read(['Anna Berg works for Volvo. She lives in Oslo.'])).toEqual(before);
  });
});

describe('much of anything is read in bounded time, in one piece or in chunks', () => {
  const repeated = (unit: string, characters = 200_000) => unit.repeat(Math.ceil(characters / unit.length));
  const megabyte = (unit: string) => repeated(unit, 1_000_000);
  const distinct = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => of(index)).join(' ');
  const texts: readonly (readonly [string, string])[] = [
    ['no full stop', megabyte('the cat of Bob sat on a mat and ')],
    ['one capital', megabyte('A')],
    ['capitals', megabyte('A ')],
    ['names joined', repeated('Bob and ')],
    ['a name without end', repeated('Bank of ')],
    ['other names each time', distinct(16_000, (index) => `Mr. Zx${letters(index)}`)],
    ['relations', megabyte('Ann Hill works for Volvo. ')],
    ['other relations each time', distinct(8_000, (index) => `Ann Q${letters(index)} works for Volvo.`)],
    ['brackets', repeated('(')],
    ['quotation marks', repeated("'")],
    ['hyphens', repeated('a-')],
    ['lines', repeated('\n')],
    ['beginnings of addresses', repeated('a@')],
    ['full stops', repeated('. ')],
  ];

  test.each(texts)('%s', (_what, text) => {
    const part = text.slice(0, 200_000);
    for (const parts of [[text], part.match(/[\s\S]{1,2000}/g) ?? []]) {
      const before = process.cpuUsage();
      const graph = read(parts);
      const { user, system } = process.cpuUsage(before);
      // Three megabytes a second are usual; quadratic work would take minutes.
      expect((user + system) / 1_000_000).toBeLessThan(40);
      checkShape(graph, parts);
    }
  });

  test('no chunk and no entity has more than its share', () => {
    const text = distinct(2_000, (index) => `Ann Q${letters(index)} works for Volvo.`);
    const { relations } = read([text, text]);
    const inFirst = relations.filter(({ chunk: place }) => place === 0);
    expect(inFirst).toHaveLength(LIMITS.graphRelationsPerChunkMax);
    const pieces = Array.from({ length: 10 }, (_, at) =>
      distinct(90, (index) => `Ann Q${letters(at * 90 + index)} works for Volvo.`),
    );
    expect(read(pieces).relations).toHaveLength(LIMITS.graphRelationsPerEntityMax);
  });
});

test('a chunk on which rules fail is left out, and nothing else', () => {
  const whole = { text: 'Tom Larsen works for Volvo.' };
  const { entities, relations, problem } = extractGraph({ title: '', chunks: [broken, whole, broken] });
  expect(entities.map(({ name }) => name)).toEqual(['Tom Larsen', 'Volvo']);
  expect(relations).toMatchObject([{ predicate: 'works_for', chunk: 1 }]);
  expect(problem).toBe('a rule failed');
  expect(extractGraph({ title: '', chunks: [whole] })).not.toHaveProperty('problem');
});
