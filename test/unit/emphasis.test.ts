import { describe, expect, test } from '@jest/globals';
import { withoutEmphasis } from '../../src/ingestion/parsers/emphasis.js';

describe('emphasis', () => {
  test.each([
    ['The **Receiving Party** shall *not* disclose.', 'The Receiving Party shall not disclose.'],
    ['**Term:** two years; __Law__: _English_.', 'Term: two years; Law: English.'],
    ['***both*** and **outer *inner* end**', 'both and outer inner end'],
    ['re**mark**able', 'remarkable'],
    [
      '**"Quoted"**, (**x**), **[link](https://a.example/b_c_d)**',
      '"Quoted", (x), [link](https://a.example/b_c_d)',
    ],
    ['* item **one**\n* item *two*', '* item one\n* item two'],
    ['**第一条** 定義', '第一条 定義'],
    ['**two\nlines**', 'two\nlines'],
  ])('%j is read as %j', (source, read) => {
    expect(withoutEmphasis(source)).toBe(read);
  });

  test.each([
    'code: `a **b** c` and ``x ` *y*``',
    '```js\nconst a = b ** c ** d; /* *x* */\n```',
    '2*3*4 and 2 * 3 * 4, 5 ** 2',
    'snake_case_name, _private and __init__.py',
    'all *.ts and *.js of src/**/*.ts',
    String.raw`\*not\* emphasised`,
    'https://a.example/_x_/*y*/',
    '***',
    '____ and ****',
    'a * b, c* and *d',
    '<img alt="*a*"> <a_b_c>',
  ])('%j keeps its marks', (source) => {
    expect(withoutEmphasis(source)).toBe(source);
  });

  test('takes no longer than a text is long', () => {
    const start = Date.now();
    for (const source of ['*a ', '**a', '`` ` ', '_*', '[x](', '<a '])
      withoutEmphasis(source.repeat(100_000));
    expect(Date.now() - start).toBeLessThan(5_000);
  });
});
