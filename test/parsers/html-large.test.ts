import { describe, expect, test } from '@jest/globals';
import { htmlDocument } from '../../src/ingestion/parsers/html/document.js';
import { isLargeHtml, largeHtmlBlocks } from '../../src/ingestion/parsers/html/large-html.js';

const textsOf = (source: string) => [...largeHtmlBlocks(source)].map(({ text }) => text);

describe('a page too large for a tree is read as a small one', () => {
  test.each([
    [
      'names of characters',
      '<p>x &le; 5 &rarr; &alpha;, caf&eacute; &amp; &lt;b&gt; &unknown; AT&T</p>',
      'x ≤ 5 → α, café & <b> &unknown; AT&T',
    ],
    ['numbers of characters', '<p>&#8364;&#x20AC;&#XE4; 1990&#150;95&nbsp;</p>', '€€ä 1990–95'],
    [
      'signs that are no tags',
      '<p>a < b and 3<4 <?php echo 1 ?><!DOCTYPE x><![CDATA[no]]></p>',
      'a < b and 3<4',
    ],
    [
      'signs within quoted values',
      `<p class="[&>svg]:size-4" x-show='count > 0'>shown <b title=it's a="">Ann's</b> <img alt="a > b"></p>`,
      "shown Ann's a > b",
    ],
    ['comments', '<p>a<!-- <p>no</p> > --> b<!--> c<!---> d</p>', 'a b c d'],
    ['pictures', '<p>On <img src=x alt="a map">here <img alt=once></p>', 'On a map here once'],
  ])('with %s', (_what, source, text) => {
    expect(textsOf(source)).toEqual([text]);
    expect(htmlDocument(source).blocks.map((block) => block.text)).toEqual([text]);
  });

  test('with lists, and with headings of which nothing follows', () => {
    const source = '<h1>Top</h1><ul><li>one<li>two</ul><h2>Empty</h2><h1>End</h1>';
    const blocks = [
      { text: 'one', headings: ['Top'], keepTogether: true },
      { text: 'two', headings: ['Top'], keepTogether: true },
      { text: 'Empty', headings: ['Top'] },
      { text: 'End', headings: [] },
    ];
    expect([...largeHtmlBlocks(source)]).toEqual(blocks);
  });
});

describe('a page too large for a tree', () => {
  test('is one of many characters or many marks', () => {
    expect(isLargeHtml('x'.repeat(1_500_001))).toBe(true);
    expect(isLargeHtml('&'.repeat(25_001))).toBe(true);
    expect(isLargeHtml('x'.repeat(1_500_000))).toBe(false);
  });

  test.each([
    ['a comment that nothing ends', '<p>a</p><!-- no <p>no</p>', ['a']],
    ['a script that nothing ends', '<p>a</p><script>if (a < b) no', ['a']],
    ['a tag that nothing ends', '<p>a</p><p class="no', ['a']],
    ['cells without a table or row', '<td>a</td><td>b</td><tr>c<td>d</tr>', ['a; b', 'c; d']],
    [
      'paragraphs within a cell',
      '<table><tr><td><p>a</p><div>b</div></td><td>c<br>d</td></tr></table>',
      ['a b; c d'],
    ],
    [
      'a table within a table',
      '<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>',
      ['a', 'b; c'],
    ],
    ['a line of its own', '<p>a<br>b</p>', ['a\nb']],
  ])('tells what there is with %s', (_what, source, texts) => {
    expect(textsOf(source)).toEqual(texts);
  });

  test('cuts texts without end, and long headings in what stands above their section', () => {
    const [long, heading] = ['x'.repeat(20_001), 'y '.repeat(150).trim()];
    expect(textsOf(`<p>${long}<b>more</b></p>`)).toEqual([long, 'more']);
    expect([...largeHtmlBlocks(`<h1>${heading}</h1><p>a</p>`)]).toEqual([
      { text: heading, headings: [heading.slice(0, 200)] },
      { text: 'a', headings: [heading.slice(0, 200)] },
    ]);
  });
});
