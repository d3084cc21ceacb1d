import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chunkDocument } from '../../src/ingestion/chunking/chunker.js';
import { ChunkJoiner } from '../../src/ingestion/chunking/join-chunks.js';
import type { ParsedBlock } from '../../src/ingestion/parsers/parser.js';

const charactersMax = 2_000;
const sentence = 'Dr. Smith paid 3.5 dollars for the quick brown fox on Monday.';
const block = (text: string, headings: string[] = []): ParsedBlock => ({ text, headings });
const chunk = (...blocks: ParsedBlock[]) => chunkDocument({ blocks });
const joined = (...blocks: ParsedBlock[]) => {
  const joiner = new ChunkJoiner();
  for (const { text, layout } of chunk(...blocks)) joiner.add(text, layout);
  return joiner.text;
};
const letters = (text: string) => text.replace(/\s+/g, '');

describe('chunkDocument', () => {
  test('gives a blank document no chunk', () => {
    expect(chunk()).toEqual([]);
    expect(chunk(block(' \n'), block(''))).toEqual([]);
  });

  test('keeps a short document whole, inner headings as lines', () => {
    const chunks = chunk(
      block('one', ['Doc', 'A']),
      block('two', ['Doc', 'A']),
      block('three', ['Doc', 'B', 'C']),
    );
    expect(chunks).toEqual([
      {
        position: 0,
        text: 'A\none\n\ntwo\n\nB\nC\nthree',
        headings: ['Doc'],
        layout: { headings: ['Doc'] },
      },
    ]);
  });

  test('keeps a heading path out of the text of its own chunk', () => {
    const paragraph = `${sentence} `.repeat(15).trim();
    const chunks = chunk(block(paragraph, ['Doc', 'A']), block(paragraph, ['Doc', 'B']));
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['Doc', 'A'],
      ['Doc', 'B'],
    ]);
    expect(chunks.map(({ text }) => text)).toEqual([paragraph, paragraph]);
  });

  test('packs many small sections under the headings they share', () => {
    const sections = Array.from({ length: 50 }, (_, index) =>
      block(`Answer ${index}.\nSecond line.`, ['FAQ', `Question ${index}`]),
    );
    const chunks = chunk(...sections);
    expect(chunks.length).toBeLessThan(5);
    expect(chunks.every(({ headings }) => headings.join() === 'FAQ')).toBe(true);
    expect(chunks[0]?.text).toContain('Question 0\nAnswer 0.\nSecond line.\n\nQuestion 1\n');
  });

  test('joins a tiny tail to the chunk before it', () => {
    const chunks = chunk(block(`${'a'.repeat(1_450)}.`, ['A']), block('The end of it all, for now.', ['A']));
    expect(chunks).toHaveLength(1);
    const long = chunk(
      ...Array.from({ length: 3 }, () => block('b'.repeat(740), ['A'])),
      block('c'.repeat(60), ['A']),
    );
    expect(long.map(({ text }) => text.length)).toEqual([1_482, 802]);
    const tail = chunk(block('b'.repeat(1_480), ['A']), block('c'.repeat(60), ['A']));
    expect(tail.map(({ text }) => text.length)).toEqual([1_542]);
  });

  test('ends no chunk with a caption', () => {
    const clause = Array.from({ length: 20 }, () => sentence).join(' ');
    const texts = chunk(
      block('6. Payment'),
      block(clause),
      block('ARTICLE II'),
      block('7. Termination'),
      block(clause),
      block('Signed'),
    ).map(({ text }) => text);
    expect(texts).toEqual([`6. Payment\n\n${clause}`, `ARTICLE II\n\n7. Termination\n\n${clause}\n\nSigned`]);
    const lines = Array.from({ length: 30 }, (_, n) => block(`Line ${n} of ${'many '.repeat(15)}words`));
    const [first] = chunk(...lines);
    expect(first?.text.length).toBeGreaterThan(1_300);
  });

  test('cuts long prose at sentence ends, not after abbreviations', () => {
    const chunks = chunk(block(`${sentence} `.repeat(100)));
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) {
      expect(text).toMatch(/^Dr\. Smith paid/);
      expect(text).toMatch(/on Monday\.$/);
    }
  });

  test('cuts Japanese at its full stops', () => {
    const chunks = chunk(block('吾輩は猫である。名前はまだ無い。'.repeat(300)));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text.endsWith('。')).toBe(true);
  });

  test('cuts long code at line ends and keeps its indentation', () => {
    const line = '    call(first, second); // A sentence. And one more.';
    const chunks = chunk({ ...block(Array<string>(100).fill(line).join('\n')), keepTogether: true });
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) expect(text.split('\n').every((each) => each === line)).toBe(true);
  });

  test('cuts endless words between characters', () => {
    const family = '👩‍👩‍👧‍👦';
    const chunks = chunk(block(family.repeat(400)));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text.length % family.length).toBe(0);
  });

  test('puts nothing that is quoted into a chunk with what is not', () => {
    const quoted = (text: string): ParsedBlock => ({ ...block(text), quoted: true });
    const chunks = chunk(
      block('Thanks.'),
      quoted('> One.'),
      quoted('> Two.'),
      block('Bob'),
      quoted('> Three.'),
    );
    expect(chunks.map(({ position, text, layout }) => ({ position, text, layout }))).toEqual([
      { position: 0, text: 'Thanks.', layout: {} },
      { position: 1, text: '> One.\n\n> Two.', layout: { quoted: true } },
      { position: 2, text: 'Bob', layout: {} },
      { position: 3, text: '> Three.', layout: { quoted: true } },
    ]);
    const long = Array.from({ length: 40 }, () => block(sentence));
    const around = chunk(...long, quoted('> Short.'), ...long);
    expect(around.filter(({ layout }) => layout['quoted']).map(({ text }) => text)).toEqual(['> Short.']);
    expect(around.filter(({ text }) => text.includes('> Short.'))).toHaveLength(1);
  });

  test('says where a chunk begins and ends', () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...block(`name: ${'x'.repeat(40)}`),
      keepTogether: true,
      layout: { row: index + 2 },
    }));
    const chunks = chunk(...rows);
    expect(chunks[0]?.layout).toEqual({ first: { row: 2 }, last: { row: 32 } });
    expect(chunks[1]?.layout).toEqual({ first: { row: 33 }, last: { row: 61 }, seam: { between: '\n' } });
    expect(chunks[0]?.text).not.toContain('\n\n');
  });
});

describe('chunks joined again', () => {
  test.each([
    ['sentences', `${sentence} `.repeat(100).trim()],
    ['paragraphs of one block', Array<string>(60).fill(`${sentence} ${sentence}`).join('\n\n')],
    ['lines', Array<string>(200).fill(sentence).join('\n')],
    ['a word without end', 'x'.repeat(7_000)],
    ['Japanese', '吾輩は猫である。名前はまだ無い。'.repeat(300)],
  ])('are the text that was cut: %s', (_case, text) => {
    expect(chunk(block(text)).length).toBeGreaterThan(2);
    expect(joined(block(text))).toBe(text);
  });

  test('indented code has its lines', () => {
    const code = Array<string>(300).fill('    call(first);').join('\n');
    expect(joined({ ...block(code), keepTogether: true })).toBe(code);
  });

  test('whatever shares a chunk, each block and each heading is there once and in its place', () => {
    const blocks = fc.array(
      fc.record({
        text: fc
          .array(fc.constantFrom('word', 'End.', 'x'.repeat(300)), {
            minLength: 1,
            maxLength: 40,
            size: 'max',
          })
          .map((words) => words.join(' ')),
        headings: fc.array(fc.constantFrom('甲', '乙', '丙\n丁'), { maxLength: 3 }),
        keepTogether: fc.boolean(),
        quoted: fc.boolean(),
      }),
      { maxLength: 25, size: 'max' },
    );
    fc.assert(
      fc.property(blocks, (document) => {
        let expected = '';
        document.forEach(({ text, headings, keepTogether }, index) => {
          const before = document[index - 1];
          const path = before?.headings ?? [];
          const differs = headings.findIndex((heading, depth) => heading !== path[depth]);
          const opened = differs < 0 ? [] : headings.slice(differs);
          const isRow = keepTogether && before?.keepTogether && opened.length === 0;
          expected += [
            index === 0 ? '' : isRow ? '\n' : '\n\n',
            ...opened.map((each) => `${each}\n`),
            text,
          ].join('');
        });
        expect(joined(...document)).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('for any document', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 5_000 }),
    fc
      .array(
        fc.constantFrom('Dr. ', 'word ', 'End. ', '\n', '\n\n', '日本語。', 'ไทย', '👩‍👧 ', '"', '(', '   '),
        {
          maxLength: 1_500,
          size: 'max',
        },
      )
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('x', '界', '😀', 'e\u0301', ' '), fc.nat(7_000))
      .map(([unit, times]) => unit.repeat(times)),
  );
  const parsedBlock: fc.Arbitrary<ParsedBlock> = fc.record({
    text,
    headings: fc.array(fc.constantFrom('甲', '乙', '丙'), { maxLength: 3 }),
    keepTogether: fc.boolean(),
  });
  const document = fc.array(parsedBlock, { maxLength: 12 });

  test('each character but white space stands in exactly one chunk, in order', () => {
    fc.assert(
      fc.property(document, (blocks) => {
        // Heading lines are the only text added: without headings nothing may be.
        const bare = blocks.map((each) => ({ ...each, headings: [] }));
        const found = chunk(...bare).map((each) => each.text);
        expect(letters(found.join(''))).toBe(letters(bare.map((each) => each.text).join('')));
      }),
      { numRuns: 150 },
    );
  });

  test('headings add lines of their own and take nothing away', () => {
    const marked = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(900)), { maxLength: 40 });
    fc.assert(
      fc.property(marked, (parts) => {
        const blocks = parts.map(([depth, length]) =>
          block('x'.repeat(length + 1), ['甲', '乙', '丙'].slice(0, depth)),
        );
        const chunks = chunk(...blocks);
        const found = chunks.map((each) => each.text).join('');
        expect(found.replace(/[甲乙丙\s]/g, '')).toBe(letters(blocks.map((each) => each.text).join('')));
        for (const each of chunks) expect(each.text.length).toBeLessThanOrEqual(charactersMax);
      }),
      { numRuns: 150 },
    );
  });

  test('chunks are numbered, filled, within the maximum and cut at code points', () => {
    fc.assert(
      fc.property(document, (blocks) => {
        // A lone surrogate of the source is no fault of the cut.
        const whole = blocks.map((each) => ({ ...each, text: each.text.replace(/\p{Surrogate}/gu, '?') }));
        chunk(...whole).forEach((each, index) => {
          expect(each.position).toBe(index);
          expect(each.text).toMatch(/\S/);
          expect(each.text.length).toBeLessThanOrEqual(charactersMax);
          expect(each.text).not.toMatch(/\p{Surrogate}/u);
        });
      }),
      { numRuns: 150 },
    );
  });
});
