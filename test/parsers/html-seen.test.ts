import { describe, expect, test } from '@jest/globals';
import { html } from '../../src/ingestion/parsers/html.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';

const parse = (source: string) => html.parse(bytesOf(`<body>${source}</body>`), noContext);
const seen = async (source: string) => textsOf(await parse(source));
const told = async (source: string) =>
  (await parse(source)).blocks.map(({ headings, text }) => [...headings, text]);

describe('what readers open', () => {
  const answer = (attributes: string) => `<div id="a" ${attributes}><p>You have 45 days.</p></div>`;

  test.each([
    [
      'a button in a heading that names it',
      '<h3><button aria-expanded="false" aria-controls="a">How long?</button></h3>',
      'hidden',
    ],
    [
      'a button in the heading before it',
      '<h3><button aria-expanded="false">How long?</button></h3>',
      'style="display: none"',
    ],
    [
      'a collapse of Bootstrap',
      '<h2><button data-bs-toggle="collapse" data-bs-target="#a">How long?</button></h2>',
      'class="collapse" aria-hidden="true"',
    ],
    ['a heading', '<h3 aria-expanded="false">How long?</h3>', 'hidden'],
  ])('answers stand under their questions: %s', async (_, question, attributes) => {
    expect(await told(`<div>${question}${answer(attributes)}</div>`)).toEqual([
      ['How long?', 'You have 45 days.'],
    ]);
  });

  test.each([
    ['<button class="accordion">How long?</button>', ''],
    ['<div role="button" aria-expanded="false" aria-controls="a">How long?</div>', 'hidden'],
    ['<a href="#a" data-target="#a">How long?</a>', 'aria-hidden="true"'],
    ['<span></span>', 'hidden="until-found"'],
  ])('or behind them: %s', async (question, attributes) => {
    const asked = question.includes('How') ? ['How long?'] : [];
    expect(await seen(`<section>${question}${answer(attributes)}</section>`)).toEqual([
      ...asked,
      'You have 45 days.',
    ]);
  });

  test('panels of tabs follow their tabs', async () => {
    const tabs =
      '<div role="tablist"><button role="tab" aria-controls="p">Python</button><button role="tab">Go</button></div>' +
      '<div role="tabpanel" id="p" hidden><pre>limits()</pre></div><div role="tabpanel" hidden><p>Limits()</p></div>';
    expect(await seen(tabs)).toEqual(['Python', '```\nlimits()\n```', 'Limits()']);
  });

  test.each([
    '<button aria-controls="m" aria-expanded="false">Menu</button><div id="m" hidden><a href="/a">Shop</a> <a href="/b">Sale</a></div>',
    '<button data-bs-target="#m">Delete</button><div class="modal fade" id="m" aria-hidden="true"><p>Are you sure?</p></div>',
    '<button aria-controls="m" aria-haspopup="true">More</button><ul id="m" hidden><li>Print</li></ul>',
    '<button aria-controls="m">Ask</button><div role="dialog" id="m" hidden><p>Are you sure?</p></div>',
    '<button>Next</button><div hidden><p>Nobody opens this.</p></div>',
  ])('menus, dialogs and other buttons stay out: %s', async (source) => {
    expect(await told(`<h2>Prices <button>Copy link</button></h2>${source}<p>Text.</p>`)).toEqual([
      ['Prices', 'Text.'],
    ]);
  });
});

describe('what is seen without being text', () => {
  test.each(['#', '¶', '\u200b', ''])('a sign %j that copies the address of a heading', async (sign) => {
    const anchor = (id: string) => `<a class="headerlink" href="#${id}" title="Permalink">${sign}</a>`;
    const page = `<h2 id="c">C#${anchor('c')}</h2><p>Words.</p><dl><dt id="t">term ${anchor('t')}</dt><dd>Meaning</dd></dl>`;
    expect(await told(page)).toEqual([
      ['C#', 'Words.'],
      ['C#', 'term: Meaning'],
    ]);
  });

  test('signs that are all a cell shows, and stars', async () => {
    const row = (name: string, ...cells: string[]) =>
      `<tr><td>${[name, ...cells].join('</td><td>')}</td></tr>`;
    const table =
      '<table><tr><th>Feature</th><th>Basic</th><th>Pro</th></tr>' +
      row(
        'Offline',
        '<svg role="img" aria-label="Not included"><path/></svg>',
        '<svg><title>Included</title></svg>',
      ) +
      row('Guests', '<i class="fa fa-times" title="no"></i>', '<span aria-label="yes"></span>') +
      row(
        'Support',
        '<svg aria-hidden="true"><title>mail</title></svg>By mail',
        '<span title="Chat">24/7</span>',
      ) +
      '</table><p>Rated <span aria-label="4.6 out of 5">★★★★★</span></p>';
    expect(await seen(table)).toEqual([
      'Feature: Offline; Basic: Not included; Pro: Included',
      'Feature: Guests; Basic: no; Pro: yes',
      'Feature: Support; Basic: By mail; Pro: 24/7',
      'Rated 4.6 out of 5',
    ]);
  });

  test('what a form holds', async () => {
    const form =
      '<form><label>Name</label><input value="Cornelius"><input type="hidden" value="9f8e"><input type="submit" value="Send">' +
      '<label>Country <select><option>France</option><option selected>Belgium</option></select></label>' +
      '<p><input type="radio"> Credit <input type="radio" checked> Transfer</p><textarea>Zip broke.</textarea></form>';
    expect((await seen(form)).join(' ')).toBe(
      'Name Cornelius Country Belgium [ ] Credit [x] Transfer Zip broke.',
    );
  });

  test.each([
    ['<li><span>Weight</span><span>1.18 kg</span></li>', '-   Weight 1.18 kg'],
    ['<div><span>Founded</span><span>2016</span><span>Staff</span><b>7</b></div>', 'Founded 2016 Staff 7'],
    ['<div><b class="figure">45</b><span class="unit">days</span></div>', '45 days'],
    ['<div><a href="/a">red</a><a href="/b">blue</a></div>', 'red blue'],
    ['<div><span class="whole">149</span><span class="part">99</span></div>', '149 99'],
  ])('spaces that the page leaves by its style: %s', async (source, expected) => {
    expect(await seen(source)).toEqual([expected]);
  });

  test.each([
    ['<div><span class="dropcap">T</span><span>hey came</span></div>', 'They came'],
    ['<div><span>12</span><span>34</span> <span>CO</span><span>2</span></div>', '1234 CO2'],
    ['<p><span>Wor</span><span>Press</span> <b>bold</b>ly</p>', 'WorPress boldly'],
  ])('none within words: %s', async (source, expected) => {
    expect(await seen(source)).toEqual([expected]);
  });

  test.each([
    ['start="3"><li>three<li value="7">seven<li>eight', ['3.  three', '7.  seven', '8.  eight']],
    ['reversed><li>four<li>three<li>two<li>one', ['4.  four', '3.  three', '2.  two', '1.  one']],
    ['type="a"><li>one<li>two<p>more</p>', ['-   a. one', '-   b. two\n    \n    more']],
    ['type="I" start="4"><li>four<ul><li data-mark="9. ">dot</ul>', ['-   IV. four\n    -   dot']],
    ['start="-1"><li>less<li>none', ['-   -1. less', '0.  none']],
  ])('items of lists as browsers count them: %s', async (list, expected) => {
    expect(await seen(`<ol ${list}</ol>`)).toEqual(expected);
  });

  test('formulas that nobody typed, terms in groups, and tables in the cells of a table with names', async () => {
    const half = '<mfrac><mn>1</mn><mrow><mi>k</mi><mo>+</mo><mn>4</mn></mrow></mfrac>';
    expect(
      await seen(
        `<p>So <math><mi>t</mi><mo>=</mo><msup><mn>2</mn><mi>n</mi></msup>${half}<msqrt><msub><mi>x</mi><mn>1</mn></msub></msqrt></math>.</p>`,
      ),
    ).toEqual(['So t=2^n1/(k+4)√(x_1).']);
    expect(await seen('<dl><div><dt>Data centre</dt><dd>Tartu</dd></div></dl>')).toEqual([
      'Data centre: Tartu',
    ]);
    const cell = '<table><tr><td><img src="a.jpg" alt=""></td><td>Cloth<br>Colour: slate</td></tr></table>';
    expect(
      await seen(`<table><tr><th>Product</th><th>Qty</th></tr><tr><td>${cell}</td><td>2</td></tr></table>`),
    ).toEqual(['Product: Cloth Colour: slate; Qty: 2']);
  });
});

test('a page within the page is read, and what edits a section is no part of its heading', async () => {
  const frame =
    '<iframe srcdoc="&lt;p&gt;Needs 18 slates.&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;"></iframe>';
  expect(await seen(`<p>Before.</p>${frame}`)).toEqual(['Before.', 'Needs 18 slates.']);
  const heading = '<h2>History<span class="mw-editsection">[<a href="/e">edit</a>]</span></h2><p>Old.</p>';
  expect(await told(heading)).toEqual([['History', 'Old.']]);
});
