import { describe, expect, test } from '@jest/globals';
import { htmlDocument } from '../../src/ingestion/parsers/html/document.js';
import { formulaText } from '../../src/ingestion/parsers/office/formula-text.js';
import { readXml, textOf } from '../../src/ingestion/parsers/xml/reader.js';

const office = (markup: string) => formulaText(readXml(`<m:oMath xmlns:m="m">${markup}</m:oMath>`), textOf);
const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const m = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
const [e, sub, sup, lim] = ['e', 'sub', 'sup', 'lim'].map((name) => (text: string) => m(name, r(text))) as [
  (text: string) => string,
  (text: string) => string,
  (text: string) => string,
  (text: string) => string,
];

describe('a formula of Office in one line', () => {
  test.each([
    ['a lower index', m('sSub', e('x') + sub('i')), 'x_i'],
    ['a power', m('sSup', e('a+b') + sup('2')), '(a+b)^2'],
    ['signs before', m('sPre', sub('6') + sup('14') + e('C')), '_6^14C'],
    ['a limit below', m('limLow', e('lim') + lim('n→∞')), 'lim_(n→∞)'],
    ['a limit above', m('limUpp', e('x') + lim('n')), 'x^n'],
    ['a function', m('func', m('fName', r('sin')) + e('x')), 'sin x'],
    ['an accent', m('acc', m('accPr', '<m:chr m:val="⃗"/>') + e('v')), 'v⃗'],
    ['the usual accent', m('acc', e('p')), 'p\u0302'],
    ['equations below one another', m('eqArr', e('a=1') + e('b=2')), 'a=1; b=2'],
    ['brackets as they are by default', m('d', e('a') + e('b')), '(a|b)'],
    ['an open bracket', m('d', m('dPr', '<m:begChr m:val="{"/><m:endChr m:val=""/>') + e('a')), '{a'],
    ['a root of a degree', m('rad', m('deg', r('3')) + e('x')), '3√x'],
    ['an integral', m('nary', sub('0') + sup('1') + e('x')), '∫_0^1 x'],
  ])('has %s', (_what, markup, text) => {
    expect(office(markup)).toBe(text);
  });
});

describe('a formula of a web page in one line', () => {
  test.each([
    ['both indices', '<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_i^2'],
    [
      'limits of a sum',
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>',
      '∑_(i=1)^n',
    ],
    ['a limit below', '<munder><mi>lim</mi><mi>n</mi></munder>', 'lim_n'],
    ['a sign above', '<mover><mi>x</mi><mi>n</mi></mover>', 'x^n'],
    ['a root of a degree', '<mroot><mi>x</mi><mn>3</mn></mroot>', '3√x'],
    [
      'a matrix',
      '<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo>',
      '[1, 2; 3, 4]',
    ],
  ])('has %s', (_what, markup, text) => {
    expect(htmlDocument(`<p>So <math>${markup}</math> holds.</p>`).blocks[0]?.text).toBe(`So ${text} holds.`);
  });
});
