import { describe, expect, test } from '@jest/globals';
import { memoryDocument } from '../../src/ingestion/memory-text.js';
import { csv } from '../../src/ingestion/parsers/csv.js';
import { html } from '../../src/ingestion/parsers/html.js';
import { markdown } from '../../src/ingestion/parsers/markdown.js';
import { ParseError, type ParsedDocument } from '../../src/ingestion/parsers/parser.js';
import { PARSERS, parserFor } from '../../src/ingestion/parsers/parsers.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (document: ParsedDocument) => document.blocks.map((block) => block.text);
const png = Uint8Array.from(
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
);

/** One small file per parser, and a block that must come out of it. */
const samples: Record<string, { source: string; text: string; headings: string[] }> = {
  'plain-text': { source: 'First.\n\nSecond café.\n', text: 'Second café.', headings: [] },
  markdown: {
    source: '# Top\n\n## Inner\n\nWords *here*.\n',
    text: 'Words *here*.',
    headings: ['Top', 'Inner'],
  },
  html: {
    source: '<html><body><h1>Top</h1><h2>Inner</h2><p>Words <i>here</i>.</p></body></html>',
    text: 'Words _here_.',
    headings: ['Top', 'Inner'],
  },
  csv: { source: 'name,town\nZoë,Oslo\n', text: 'name: Zoë; town: Oslo', headings: [] },
};

describe.each(PARSERS)('the $name parser', (parser) => {
  test('is found by each extension in any case, and by Content-Type for a name without one', () => {
    for (const extension of parser.extensions) {
      expect(parserFor(`report.${extension}`)).toBe(parser);
      expect(parserFor(`archive.v2.${extension.toUpperCase()}`, 'application/pdf')).toBe(parser);
    }
    for (const type of parser.contentTypes) {
      expect(parserFor('README', `${type.toUpperCase()}; charset=utf-8`)).toBe(parser);
    }
  });

  test('yields the text and the headings of a sample', async () => {
    const sample = samples[parser.name];
    const document = await parser.parse(bytes(sample?.source ?? ''));
    expect(document.blocks).toContainEqual(
      expect.objectContaining({ text: sample?.text, headings: sample?.headings }),
    );
  });

  test.each(['', ' \n\t\r\n ', '\ufeff'])('reports %j as E2002', async (source) => {
    const failure = parser.parse(bytes(source));
    await expect(failure).rejects.toBeInstanceOf(ParseError);
    await expect(failure).rejects.toMatchObject({ code: 'E2002' });
  });

  test('reports a picture under its extension as E1001', async () => {
    await expect(parser.parse(png)).rejects.toMatchObject({ name: 'ParseError', code: 'E1001' });
  });
});

test('parserFor knows neither other extensions nor dots that start none', () => {
  expect(parserFor('photo.png', 'text/plain')).toBeUndefined();
  expect(parserFor('.md')).toBeUndefined();
  expect(parserFor('README.', 'text/markdown')).toBe(markdown);
  expect(parserFor('v1.2/README', 'text/markdown')).toBe(markdown);
  expect(parserFor('README', 'application/octet-stream')).toBeUndefined();
  expect(parserFor('README')).toBeUndefined();
});

describe('markdown', () => {
  const parse = (source: string) => markdown.parse(bytes(source));

  test('takes the title of the front matter and leaves the rest of it out', async () => {
    const document = await parse('---\ntitle: "My title"\ntags: [secret]\n---\n# Head\n\nBody.\n');
    expect(document.title).toBe('My title');
    expect(texts(document)).toEqual(['Body.']);
    expect(texts(await parse('---\n\nBetween rules.\n\n---\n'))).toEqual(['Between rules.']);
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

  test('keeps a heading as long as prose as a block', async () => {
    const long = 'word '.repeat(100).trim();
    const { blocks } = await parse(`# ${long}\n\ntext\n`);
    expect(blocks[0]?.text).toBe(long);
    expect(blocks[1]?.headings[0]?.length).toBeLessThan(250);
  });

  test('leaves embedded pictures out', async () => {
    expect(texts(await parse(`![x](data:image/png;base64,${'A'.repeat(5_000)})`))).toEqual(['![x](data:)']);
  });

  test('reads a text that is nested too deep as plain text', async () => {
    expect(texts(await parse(`${'>'.repeat(20_000)} deep`)).join('')).toContain('deep');
  });
});

describe('html', () => {
  const parse = (source: string | Uint8Array) =>
    html.parse(typeof source === 'string' ? bytes(source) : source);

  test('leaves out what no reader sees and takes the title', async () => {
    const document = await parse(
      '<title>T &amp; t</title><script>let hidden</script><style>p{}</style><nav>Menu</nav><p>Seen</p><p hidden>No</p>',
    );
    expect(document.title).toBe('T & t');
    expect(texts(document)).toEqual(['Seen']);
  });

  test('keeps names with underscores and code free of backslashes', async () => {
    const document = await parse(
      '<p>snake_case [x] 1. *</p><pre><code class="language-js">a_b\\_\n\nc</code></pre>',
    );
    expect(texts(document)).toEqual(['snake_case [x] 1. *', '```js\na_b\\_\n\nc\n```']);
  });

  test('keeps the headers of each table row, and the words of a table made for layout', async () => {
    const document = await parse(
      '<h1>H</h1><table><caption>Cap</caption><tr><th>A<th>B</tr><tr><td>1<td>x<br>y</tr></table>' +
        '<table><tr><td><h2>Left</h2><p>one</p></td><td>two</td></tr></table>',
    );
    expect(document.blocks).toEqual([
      { text: 'Cap', headings: ['H'] },
      { text: 'A: 1; B: x y', headings: ['H'], keepTogether: true, layout: { row: 2 } },
      { text: 'one', headings: ['H', 'Left'] },
      { text: 'two', headings: ['H', 'Left'] },
    ]);
  });

  test('keeps links that lead outside, the words of pictures and ticked boxes', async () => {
    const document = await parse(
      '<p><a href="https://a.b/c_d">out</a> <a href="/in">in</a> <img alt="pic" src="data:image/png;base64,AA"></p>' +
        '<ul><li><input type="checkbox" checked>done</ul>',
    );
    expect(texts(document)).toEqual(['[out](https://a.b/c_d) in pic', '-   [x] done']);
  });

  test('takes the article out of a page, but not when most of the page is elsewhere', async () => {
    const prose = '<p>One sentence of the story, and then, as stories do, another one.</p>'.repeat(20);
    const menu = '<div class="sidebar"><a href="https://x.y">Menu entry</a></div>';
    const article = await parse(`<body>${menu}<article><h2>Story</h2>${prose}</article></body>`);
    expect(texts(article).join(' ')).not.toContain('Menu');
    const listing = '<div class="comment">Something that somebody wanted to find.</div>'.repeat(60);
    const page = await parse(`<body><article>${prose}</article>${listing}</body>`);
    expect(texts(page).join(' ')).toContain('wanted to find');
  });

  test('obeys the declared charset', async () => {
    const page = Buffer.concat([Buffer.from('<meta charset="iso-8859-2"><p>'), Buffer.from('b1e6', 'hex')]);
    expect(texts(await parse(page))).toEqual(['ąć']);
  });

  test('survives nesting that overflows the stack of its libraries', async () => {
    const depth = 20_000;
    expect(texts(await parse(`${'<div>'.repeat(depth)}deep${'</div>'.repeat(depth)}`))).toEqual(['deep']);
  });
});

describe('csv', () => {
  const parse = (source: string) => csv.parse(bytes(source));

  test.each([',', ';', '\t', '|'])('finds the delimiter %j', async (delimiter) => {
    const rows = [
      ['name', 'price'],
      ['bolt; M3', '1,5'],
      ['nut', '2,5'],
    ];
    const source = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\n');
    expect(texts(await parse(source))).toEqual(['name: bolt; M3; price: 1,5', 'name: nut; price: 2,5']);
  });

  test('counts rows from 1, the header and blank rows included, and bears ragged rows', async () => {
    const { blocks } = await parse('\ufeffa,b\r\n1,"two\nlines"\r\n\r\n,3,4\r\n');
    expect(blocks).toEqual([
      { text: 'a: 1; b: two\nlines', headings: [], keepTogether: true, layout: { row: 2 } },
      { text: 'b: 3; 4', headings: [], keepTogether: true, layout: { row: 4 } },
    ]);
  });

  test('tells a title line, a file without headers and a header without rows', async () => {
    expect(texts(await parse('Sales 2024,,\n,,\nyear,sum,\n2024,5,\n'))).toEqual([
      'Sales 2024',
      'year: 2024; sum: 5',
    ]);
    expect(texts(await parse('1,2\n3,4\n'))).toEqual(['1; 2', '3; 4']);
    expect(texts(await parse('name,town\n'))).toEqual(['name; town']);
    expect(texts(await parse('town\nOslo\nRome\n'))).toEqual(['town: Oslo', 'town: Rome']);
  });

  test('reads stray and unclosed quotes as text', async () => {
    expect(texts(await parse('a,b\n5" pipe,x\n"open,y\n'))).toEqual(['a: 5" pipe; b: x', 'a: "open; b: y']);
  });

  test('does not repeat a header out of proportion', async () => {
    const { blocks } = await parse(`${'h'.repeat(2_000)},b\n${'1,2\n'.repeat(1_000)}`);
    expect(blocks).toHaveLength(1_001);
    expect(blocks[1]?.text).toBe('1; 2');
  });
});

describe('memoryDocument', () => {
  test('makes a block of each pair, after the text', () => {
    const document = memoryDocument({
      text: 'Likes tea.',
      userAssistantPairs: [{ user: 'Hi', assistant: 'Hello' }],
      userName: 'Zoë',
    });
    expect(texts(document)).toEqual(['Likes tea.', 'Zoë: Hi\nAssistant: Hello']);
    expect(texts(memoryDocument({ userAssistantPairs: [{ user: 'Hi', assistant: 'Yes' }] }))).toEqual([
      'User: Hi\nAssistant: Yes',
    ]);
  });

  test('reads Markdown only when told so', () => {
    const text = '# Head\n\nBody';
    expect(memoryDocument({ text, isMarkdown: true }).blocks).toEqual([{ text: 'Body', headings: ['Head'] }]);
    expect(texts(memoryDocument({ text }))).toEqual(['# Head', 'Body']);
  });

  test('reports a blank memory as E2002', () => {
    expect(() => memoryDocument({ text: ' ', userAssistantPairs: [] })).toThrow(
      expect.objectContaining({ code: 'E2002' }),
    );
  });
});
