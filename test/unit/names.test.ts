import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { namesIn, namesInQuestion } from '../../src/text/names.js';

test.each([
  ['runs of capitals', 'the painter Mira Stone met Otto', ['Mira Stone', 'Otto']],
  ['small words inside', 'the University of North Carolina is old', ['University of North Carolina']],
  ['no word that opens a sentence', 'It rained. After Karl left he wept.', ['Karl']],
  ['no possessive', "Mira's brother and Lumen’s boss", ['Mira', 'Lumen']],
  ['a comma parts them', 'Leland, North Carolina', ['Leland', 'North Carolina']],
  ['codes', 'see err-4042 and v1.2', ['err-4042', 'v1.2']],
  ['each once, whatever its case', 'Lumen, LUMEN and Lumen', ['Lumen']],
  ['letters of every alphabet', 'в городе Москва и Łódź', ['Москва', 'Łódź']],
  ['none', 'nobody is named here', []],
])('%s', (_case, text, names) => {
  expect(namesIn(text, 10)).toEqual(names);
});

test.each([
  ['Engines of another make', []],
  ['Tickets?', []],
  ['Which engine does Volvo make', ['Volvo']],
  ["Volvo's engines", ['Volvo']],
  ['IBM in Berlin', ['IBM', 'Berlin']],
])('the first word of %s is a name only if it looks so', (question, names) => {
  expect(namesInQuestion(question, 10)).toEqual(names);
});

test('as many as are wanted, each of them a piece of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(5), (text, max) => {
      const names = namesIn(text, max);
      expect(names.length).toBeLessThanOrEqual(max);
      for (const name of names) expect(text).toContain(name);
    }),
  );
});

test('a text without end takes time in proportion', () => {
  for (const piece of ['A of ', 'A.-', '1.', 'A the of ', '1a#']) {
    const startedAt = performance.now();
    namesIn(piece.repeat(40_000), 10);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  }
});
