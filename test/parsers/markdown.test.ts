import { expect, describe, test } from '@jest/globals';
import { markdown } from '../../src/ingestion/parsers/markdown.js';
import { bytesOf as bytes, noContext, textsOf as texts } from '../support/files/reading.js';

describe('markdown', () => {
  const parse = (source: string) => markdown.parse(bytes(source), noContext);

  test('takes the title of the front matter, whose lines are the first block', async () => {
    const document = await parse(
      '---\ntitle: "My title"\nauthor: Zoë\ntags:\n  - mills\n---\n# Head\n\nBody.\n',
    );
    expect(document.title).toBe('My title');
    expect(document.blocks).toEqual([
      { text: 'title: "My title"\nauthor: Zoë\ntags:\n  - mills', headings: [], keepTogether: true },
      { text: 'Body.', headings: ['Head'] },
    ]);
    const deep = await parse(`---\ntags: mills\n---\n${'>'.repeat(20_000)} deep`);
    expect(texts(deep)[0]).toBe('tags: mills');
    expect(texts(await parse('---\n\nBetween rules.\n\n---\n'))).toEqual(['Between rules.']);
  });

  test('shows nothing of the tags of HTML, whatever stands in their values', async () => {
    const html = `<div x-show="count > 0" class='[&>svg]:size-4' title=it's>\nSeen 5 < 6\n</div>`;
    expect(texts(await parse(`${html}\n\nText.\n`))).toEqual(['Seen 5 < 6', 'Text.']);
  });

  test('reads the characters that entities stand for, except in code', async () => {
    const source =
      '# Salt &amp; sea\n\nBed&nbsp;&amp; breakfast for 40&#8239;&euro;, `a &amp;&amp; b`, AT&T;, &#x41;.\n\n| A &lt; B |\n|---|\n| &frac12; |\n';
    const { blocks } = await parse(source);
    expect(blocks.map(({ text, headings }) => [text, ...headings])).toEqual([
      ['Bed\u00a0& breakfast for 40\u202f€, `a &amp;&amp; b`, AT&T;, A.', 'Salt & sea'],
      ['A < B: ½', 'Salt & sea'],
    ]);
  });

  test('reads tables that are written as HTML', async () => {
    const source =
      '# Seats\n\n<table>\n<tr><th>Deck</th><th>Seats</th></tr>\n<tr><td>Upper</td><td>88</td></tr>\n</table>\n\nEnd.\n';
    const { blocks } = await parse(source);
    expect(blocks.map(({ text, headings }) => [text, ...headings])).toEqual([
      ['Deck: Upper; Seats: 88', 'Seats'],
      ['End.', 'Seats'],
    ]);
  });

  test('keeps the headers of each table row', async () => {
    const { blocks, title } = await parse(
      '# T **b** `c` [l](u)\n\n| A | B |\n|---|---|\n| 1 | x \\| y |\n| | 2 |\n',
    );
    expect(title).toBe('T b c l');
    expect(blocks).toEqual([
      { text: 'A: 1; B: x | y', headings: ['T b c l'], keepTogether: true, layout: { row: 2 } },
      { text: 'B: 2', headings: ['T b c l'], keepTogether: true, layout: { row: 3 } },
    ]);
  });

  test('is told without its marks of emphasis; lists, links and code keep theirs', async () => {
    const { blocks } = await parse(
      'The **Receiving Party** (_Acme_) see [terms](u).\n\n- **Term:** `a**b**`\n\n> *so*\n\n| **A** | B |\n|---|---|\n| *1* | __2__ |\n',
    );
    expect(texts({ blocks })).toEqual([
      'The Receiving Party (Acme) see [terms](u).',
      '- Term: `a**b**`',
      'so',
      'A: 1; B: 2',
    ]);
  });

  test('a table of fields has no header, though its first row is set as one', async () => {
    const rows = '| Landlord | Ann Berg |\n|---|---|\n| Tenant | Ola Moe |\n| Rent | 1,180 |\n';
    expect((await parse(rows)).blocks.map(({ text, layout }) => [text, layout])).toEqual([
      ['Landlord: Ann Berg', { row: 1 }],
      ['Tenant: Ola Moe', { row: 2 }],
      ['Rent: 1,180', { row: 3 }],
    ]);
  });

  test('keeps code as it stands', async () => {
    const code = '```sql\n# no heading\n\nselect 1;\n```';
    expect((await parse(`${code}\n`)).blocks).toEqual([{ text: code, headings: [], keepTogether: true }]);
  });

  test('loses no heading that nothing stands under', async () => {
    const { blocks } = await parse('# A\n## B\n<!-- note -->\n## C\ntext\n# D\n');
    expect(blocks).toEqual([
      { text: 'B', headings: ['A'] },
      { text: 'text', headings: ['A', 'C'] },
      { text: 'D', headings: [] },
    ]);
  });

  test('names of anchors are no part of a heading, other braces are', async () => {
    const { title, blocks } = await parse(
      '# Set-up {#setup .wide}\n## Use {: #use}\n### The set {a}\ntext\n',
    );
    expect(title).toBe('Set-up');
    expect(blocks).toEqual([{ text: 'text', headings: ['Set-up', 'Use', 'The set {a}'] }]);
  });

  test('keeps a heading as long as prose as a block', async () => {
    const long = 'word '.repeat(100).trim();
    const { blocks } = await parse(`# ${long}\n\ntext\n`);
    expect(blocks[0]?.text).toBe(long);
    expect(blocks[1]?.headings[0]?.length).toBeLessThan(250);
  });

  test('leaves out backslashes before signs, as converters write them, and line ends in cells', async () => {
    const source =
      '## 4\\.2 MAX\\_SIZE\n\nMAX\\_RETRY\\_COUNT of \\[draft\\] files\\*, `a\\_b` and C:\\temp\n\n- \\#812\n\n' +
      '```\nx\\_y\n```\n\n| Name | Terms |\n|---|---|\n| A\\_1 | net 30<br>min. 200 |\n';
    const { blocks } = await parse(source);
    expect(blocks[0]?.headings).toEqual(['4.2 MAX_SIZE']);
    expect(texts({ blocks })).toEqual([
      'MAX_RETRY_COUNT of [draft] files*, `a\\_b` and C:\\temp',
      '- #812',
      '```\nx\\_y\n```',
      'Name: A_1; Terms: net 30 min. 200',
    ]);
  });

  test('keeps formulas as they are written; prices are none', async () => {
    const formulas = [
      'The set $\\{x_1, *y*_2\\}$ and $a\\,b$.',
      '$$\n\\sum_{i=1}^{n} \\| x_i \\|\\, \\mathbf{*}\n$$',
    ];
    const prices = 'From $5 *each* (MAX\\_A) to $6 or US$7\\_000, `$x` \\$8.';
    expect(texts(await parse([...formulas, prices].join('\n\n')))).toEqual([
      ...formulas,
      'From $5 each (MAX_A) to $6 or US$7_000, `$x` $8.',
    ]);
  });

  test('reads footnotes below what they explain; a text without references keeps them', async () => {
    const source =
      '# Rent\n\nThe rent[^1] is 900.\n\n| Fee | EUR |\n|---|---|\n| Late[^late] | 15 |\n\n```\na[^9]\n```\n\n# Other\n\nText.\n\n' +
      '[^1]: Without heating,[^2]\nand *water*.\n\n    Paid by the month.\n[^2]: Gas.\n[^late]: After 14 days.\n[^9]: Unused.\n\nEnd.\n';
    const { blocks } = await parse(source);
    expect(blocks.map(({ text, headings }) => [...headings, text])).toEqual([
      ['Rent', 'The rent[^1] is 900.'],
      ['Rent', '[^1]: Without heating,[^2]\nand water.\nPaid by the month.'],
      ['Rent', '[^2]: Gas.'],
      ['Rent', 'Fee: Late[^late]; EUR: 15'],
      ['Rent', '[^late]: After 14 days.'],
      ['Rent', '```\na[^9]\n```'],
      ['Other', 'Text.'],
      ['Other', 'End.'],
      ['Other', '[^9]: Unused.'],
    ]);
  });

  test('leaves embedded pictures out', async () => {
    expect(texts(await parse(`![x](data:image/png;base64,${'A'.repeat(5_000)})`))).toEqual(['![x](data:)']);
  });

  test('keeps what is nested too deep to be looked into as it is written, and reads on behind it', async () => {
    const steps = Array.from({ length: 2_000 }, (_, level) => `${'  '.repeat(level)}- [ ] step ${level}`);
    for (const deep of [`${'>'.repeat(200_000)} step 1999`, steps.join('\n')]) {
      const { blocks } = await parse(`${deep}\n\n# Head\n\nBody`);
      expect(blocks.at(-1)).toEqual({ text: 'Body', headings: ['Head'] });
      expect(blocks[0]?.text).toContain('step 1999');
    }
  });
});
