import { describe, expect, test } from '@jest/globals';
import { ParseError } from '../../src/ingestion/parsers/parser.js';
import type { ParsedDocument } from '../../src/ingestion/parsers/parser.js';
import { PARSERS, parserFor } from '../../src/ingestion/parsers/parsers.js';
import { mutate } from '../support/files/mutate.js';
import { bytesOf } from '../support/files/reading.js';
import { SAMPLES } from '../support/files/samples.js';
import { parseFile } from '../support/parse-file.js';
import { Random } from '../support/random.js';

const settings = { ocrLanguages: ['eng'] };
const mutations = 40;
const mutationsOfSlow = 4;
const cuts = [0.1, 0.5, 0.9, 0.99];

const png = Uint8Array.from(
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
);

const isText = (extension: string) =>
  /^(?:txt|text|md|markdown|html?|csv|tsv|jsonl?|xml|ya?ml|log|eml)$/.test(extension);

/** A file that cannot be read is told by its code; nothing else may come out of a parser. */
async function outcomeOf(name: string, bytes: Uint8Array): Promise<ParsedDocument | ParseError> {
  try {
    return await parseFile({ name, bytes }, settings);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
}

describe.each(PARSERS)('the $name parser', (parser) => {
  test('is found by each extension in any case, and by Content-Type for a name without one', () => {
    for (const extension of parser.extensions) {
      expect(parserFor(`report.${extension}`)).toBe(parser);
      expect(parserFor(`archive.v2.${extension.toUpperCase()}`, 'application/zip')).toBe(parser);
    }
    for (const type of parser.contentTypes) {
      expect(parserFor('README', `${type.toUpperCase()}; charset=utf-8`)).toBe(parser);
    }
  });

  test('has a sample of each extension', () => {
    const sampled = SAMPLES.map(({ extension }) => extension);
    expect(parser.extensions.filter((extension) => !sampled.includes(extension))).toEqual([]);
  });
});

describe.each(SAMPLES)('a file of .$extension', (sample) => {
  const name = `file.${sample.extension}`;

  test('yields its text under its headings and where it stands', async () => {
    const document = await parseFile({ name, bytes: await sample.bytes() }, settings);
    expect(document.blocks).toContainEqual(
      expect.objectContaining({
        text: expect.stringContaining(sample.text),
        ...(sample.headings && { headings: sample.headings }),
        ...(sample.layout && { layout: expect.objectContaining(sample.layout) }),
      }),
    );
  });

  test('is read with what mail programs and web servers put behind it', async () => {
    const bytes = Buffer.concat([await sample.bytes(), bytesOf('\r\n')]);
    const { blocks } = await parseFile({ name, bytes }, settings);
    expect(blocks).toContainEqual(expect.objectContaining({ text: expect.stringContaining(sample.text) }));
  });

  test.each(['', ' \n\t\r\n ', '\ufeff'])('is refused when it holds %j', async (source) => {
    const outcome = await outcomeOf(name, bytesOf(source));
    const isNothing = source === '' || isText(sample.extension) || sample.extension === 'rtf';
    const code = isNothing ? 'E2002' : expect.stringMatching(/^(E1001|E2002)$/);
    expect(outcome).toMatchObject({ name: 'ParseError', code });
  });

  test('is refused as E1001 when it is of another kind', async () => {
    const other = parserFor(name)?.contentTypes.some((type) => type.startsWith('image/'))
      ? bytesOf('These are words and no picture.')
      : png;
    expect(await outcomeOf(name, other)).toMatchObject({ name: 'ParseError', code: 'E1001' });
  });

  test('that was cut off is read in part or refused', async () => {
    const bytes = await sample.bytes();
    for (const share of cuts) await outcomeOf(name, bytes.slice(0, Math.floor(bytes.length * share)));
  });

  test('that was damaged anywhere is read or refused', async () => {
    const bytes = await sample.bytes();
    const times = sample.isSlow ? mutationsOfSlow : mutations;
    for (let seed = 0; seed < times; seed += 1) await outcomeOf(name, mutate(bytes, new Random(seed)));
  });
});

test('parserFor knows neither other extensions nor dots that start none', () => {
  expect(parserFor('photo.heic', 'text/plain')).toBeUndefined();
  expect(parserFor('.md')).toBeUndefined();
  expect(parserFor('README.', 'text/markdown')?.name).toBe('markdown');
  expect(parserFor('v1.2/README', 'text/markdown')?.name).toBe('markdown');
  expect(parserFor('README', 'application/octet-stream')).toBeUndefined();
  expect(parserFor('README')).toBeUndefined();
});

const sameKinds = [
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
];
const isOfOneKind = (one: string, other: string) =>
  one === other || sameKinds.some((kinds) => kinds.includes(one) && kinds.includes(other));

describe.each(SAMPLES.filter(({ extension }) => !isText(extension)))(
  'a file of .$extension by the name of another kind',
  (sample) => {
    test('is E1001, whichever', async () => {
      const bytes = await sample.bytes();
      const others = PARSERS.flatMap(({ extensions }) => extensions).filter(
        (extension) => !isOfOneKind(extension, sample.extension),
      );
      const outcomes = await Promise.all(
        others.map(async (extension) => {
          const outcome = await outcomeOf(`file.${extension}`, bytes);
          return `${extension} ${outcome instanceof ParseError ? outcome.code : 'read'}`;
        }),
      );
      expect(outcomes.filter((outcome) => !outcome.endsWith('E1001'))).toEqual([]);
    });
  },
);
