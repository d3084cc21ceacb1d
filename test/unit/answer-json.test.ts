import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerJson } from '../../src/api/answer-json.js';

const textOf = (answer: unknown) => String(answerJson(answer));
const entry = (n: number) => ({
  id: `i${n}`,
  at: new Date(n),
  nothing: undefined,
  title: 'naïve 知识 "quoted" \ud800',
});

test.each([0, 1, 32, 33, 64, 65, 1000])('a list of %d entries is written as it is whole', (length) => {
  const relations = Array.from({ length }, (_, n) => entry(n));
  const answer = { success: true, data: { first: 1, relations, last: null }, error: null };
  expect(textOf(answer)).toBe(JSON.stringify(answer));
  expect(textOf(relations)).toBe(JSON.stringify(relations));
  expect(Buffer.isBuffer(answerJson(answer))).toBe(length > 32);
});

test('long lists lie next to one another, and deeper than anyone looks', () => {
  const list = Array.from({ length: 40 }, (_, n) => n);
  const nodes = Object.assign(Object.create(null) as object, { nodes: list, more: [list, list] });
  const answer = { a: list, b: { c: { d: { e: { f: list } }, g: nodes } }, h: list, i: {}, j: [] };
  expect(textOf(answer)).toBe(JSON.stringify(answer));
});

test('what JSON leaves out is left out, and what writes itself does', () => {
  const list = Array.from({ length: 40 }, (_, n) => (n % 2 ? undefined : () => n));
  const answer = {
    first: undefined,
    list,
    call: () => 1,
    sign: Symbol('x'),
    own: { toJSON: () => ({ list }) },
    at: new Date(0),
  };
  expect(textOf(answer)).toBe(JSON.stringify(answer));
});

test('any answer is what JSON.stringify makes of it', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const answers = fc.record({
    data: fc.dictionary(fc.string(), fc.oneof(value, fc.array(value, { minLength: 30, maxLength: 100 }))),
    meta: value,
  });
  fc.assert(
    fc.property(answers, (answer) => {
      expect(textOf(answer)).toBe(JSON.stringify(answer));
    }),
  );
});

test('short answers are texts, long ones bytes', () => {
  expect(typeof answerJson({ text: 'x'.repeat(1000) })).toBe('string');
  const long = { text: 'é'.repeat(70_000) };
  expect(answerJson(long)).toEqual(Buffer.from(JSON.stringify(long)));
});
