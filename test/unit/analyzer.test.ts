import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyze, stem, termId, termIdMax, termVector } from '../../src/text/analyzer.js';

describe('analyze', () => {
  test('folds case, stems and drops stop words', () => {
    expect(analyze('The Engines were RUNNING')).toEqual(['engin', 'run']);
    expect(analyze('patients')).toEqual(analyze('patient'));
  });

  test('folds diacritics and compatibility forms', () => {
    expect(analyze('Café Zürich ﬁnal')).toEqual(analyze('cafe zurich final'));
    expect(analyze('cafe\u0301')).toEqual(analyze('caf\u00e9'));
  });

  test('keeps ids and codes whole and in parts', () => {
    expect(analyze('ERR-4042')).toEqual(['err-4042', 'err', '4042']);
    expect(analyze('v1.2.3')).toEqual(['v1.2.3', 'v1', '2', '3']);
    expect(analyze('foo_bar')).toEqual(['foo_bar', 'foo', 'bar']);
    expect(analyze('me@example.com')).toEqual(expect.arrayContaining(['me@example.com']));
  });

  test('cuts a code that is too long to parts only', () => {
    const terms = analyze(Array.from({ length: 30 }, (_, index) => `part${index}`).join('-'));
    expect(terms).toHaveLength(30);
  });

  test('drops possessives and joins contractions', () => {
    expect(analyze("the engine's")).toEqual(['engin']);
    expect(analyze('the engine’s')).toEqual(['engin']);
    expect(analyze("o'clock")).toEqual(['oclock']);
  });

  test('keeps the words of a text of stop words alone', () => {
    expect(analyze('to be or not to be')).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
    expect(analyze('The Who')).toEqual(['the', 'who']);
  });

  test('finds words in scripts without spaces', () => {
    const terms = analyze('東京に行きます');
    expect(terms.length).toBeGreaterThan(1);
    expect(terms.join('')).toBe('東京に行きます');
    expect(analyze('東京')).toEqual(terms.slice(0, 1));
  });

  test('takes long runs of such a script in pieces and loses no character', () => {
    expect(analyze('漢'.repeat(1000)).join('')).toBe('漢'.repeat(1000));
  });

  test('gives a text without words no terms', () => {
    expect(analyze('')).toEqual([]);
    expect(analyze(' … -- !? ')).toEqual([]);
  });

  test('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => analyze(text).every((term) => term !== '')),
    );
  });
});

describe('stem', () => {
  test('leaves codes and other scripts alone', () => {
    expect(stem('running')).toBe('run');
    expect(stem('runs4')).toBe('runs4');
    expect(stem('бегущий')).toBe('бегущий');
  });
});

describe('termId', () => {
  test('is stable and from 1 to the maximum', () => {
    expect(termId('patient')).toBe(termId('patient'));
    expect(termId('patient')).not.toBe(termId('patients'));
    fc.assert(
      fc.property(fc.string(), (term) => {
        const id = termId(term);
        return Number.isInteger(id) && id >= 1 && id <= termIdMax;
      }),
    );
  });
});

describe('termVector', () => {
  test('counts terms by ascending id', () => {
    const { ids, counts, length } = termVector(['a', 'b', 'a', 'c', 'a']);
    expect([...ids]).toEqual(['a', 'b', 'c'].map(termId).sort((x, y) => x - y));
    expect(counts[ids.indexOf(termId('a'))]).toBe(3);
    expect(counts[ids.indexOf(termId('c'))]).toBe(1);
    expect(length).toBe(5);
  });

  test('gives no terms an empty vector', () => {
    expect(termVector([])).toEqual({ ids: new Int32Array(), counts: new Int32Array(), length: 0 });
  });
});
