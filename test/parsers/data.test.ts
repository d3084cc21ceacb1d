import { describe, expect, test } from '@jest/globals';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

const parse = (name: string, source: string) =>
  parseFile({ name, bytes: bytesOf(source) }, { ocrLanguages: [] });

describe('json', () => {
  test('leaves out bytes that are written as base64, in one line or several, and no other long word', async () => {
    const bytes = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 37) % 251)).toString(
      'base64',
    );
    const lines = `${(bytes.match(/.{1,76}/g) ?? []).join('\n')}\n`;
    const word = 'ACGT'.repeat(200);
    const values = { png: bytes, pem: lines, url: `data:image/png;base64,${bytes}`, dna: word, note: 'kept' };
    expect(textsOf(await parse('a.json', JSON.stringify(values))).join('\n')).toBe(
      `dna: ${word}\nnote: kept`,
    );
  });

  test('keeps keys with values, and numbers as they are written', async () => {
    const document = await parse(
      'a.json',
      '{"title":"T","server":{"port":12345678901234567890},"users":[{"name":"A","tags":["x","y"],"at":{"city":"Oslo"},"none":null}],"tail":"z\\u00e9"}',
    );
    expect(document.title).toBe('T');
    expect(document.blocks).toEqual([
      { text: 'title: T\nserver.port: 12345678901234567890', headings: [], keepTogether: true },
      {
        text: 'name: A; tags: x, y; at.city: Oslo',
        headings: ['users'],
        keepTogether: true,
        layout: { row: 1 },
      },
      { text: 'tail: zé', headings: [], keepTogether: true },
    ]);
  });

  test('puts the parts of a large object under its keys', async () => {
    const long = 'Some words. '.repeat(200).trim();
    const { blocks } = await parse('a.json', JSON.stringify({ page: { intro: long, facts: { size: 3 } } }));
    expect(blocks.map(({ text, headings }) => [text.slice(0, 18), headings])).toEqual([
      ['intro: Some words.', ['page']],
      ['facts.size: 3', ['page']],
    ]);
  });

  test('reads values one after another, and lines beside broken ones', async () => {
    expect(textsOf(await parse('a.json', '{"a":1}{"a":2}\n[3,4]'))).toEqual(['a: 1', 'a: 2', '3, 4']);
    const lines = '{"a":1}\n{"a":"open\n{"a":3}\nno sense\n\nat all\n{"a":5}\n{"a":6}\nthe end';
    expect(textsOf(await parse('a.jsonl', lines))).toEqual([
      'a: 1',
      'open',
      'a: 3',
      'no sense\n\nat all',
      'a: 5',
      'a: 6',
      'the end',
    ]);
  });

  test.each([
    ['before the first record', 'Export of May\n{"a":1}\n{"a":2}', ['Export of May', 'a: 1', 'a: 2']],
    ['between records of a text', '{"a":1}\nand then\n{"a":2}', ['a: 1', 'and then', 'a: 2']],
    ['after a mistake', `{"a":1, 'b': 'two'}\n{"a":3}\n{"a":4}`, ['a: 1', `'b': 'two'}`, 'a: 3', 'a: 4']],
    ['of signs alone', '{"a":1}\n---\n{"a":2}', ['a: 1', 'a: 2']],
  ])('keeps lines that are no JSON as they are written: %s', async (_place, lines, texts) => {
    expect(textsOf(await parse('a.jsonl', lines))).toEqual(texts);
  });

  test('reads lines of which most are no JSON as a text, and records of several lines as records', async () => {
    const log = '[10:00] Otters wake\n[10:05] They dive\n{"seen": 3}\n\n12 of them sleep';
    expect(textsOf(await parse('a.jsonl', log))).toEqual([
      '[10:00] Otters wake\n[10:05] They dive\n{"seen": 3}',
      '12 of them sleep',
    ]);
    const records = [
      { a: [1, true], b: 'one' },
      { a: null, b: 'two' },
    ];
    const indented = records.map((record) => JSON.stringify(record, null, 2)).join('\n');
    expect(textsOf(await parse('a.jsonl', indented))).toEqual(['a: 1, true; b: one', 'b: two']);
  });

  test.each([
    ['after a comma', '{"a":"cut", ', ['a: cut']],
    ['after a value', '{"a":"cut"', ['a: cut']],
    ['after a name', '{"a":"cut","b"', ['a: cut']],
    ['after a colon', '{"a":"cut","b":', ['a: cut']],
    ['in a list', '{"a":"cut","b":[1,', ['a: cut', '1']],
    ['in a string', '{"a":"cut","b":"wor', ['a: cut', 'wor']],
    ['in an escape', '{"a":"cut","b":"wor\\', ['a: cut', 'wor\\']],
  ])('goes on after a line that was cut %s, and reads what is whole of it', async (_place, cut, whole) => {
    const lines = (...some: string[]) => parse('a.jsonl', some.join('\n'));
    const [one, three, four] = ['{"a":"one"}', '{"a":"three"}', '{"a":"four"}'] as const;
    const others = ['a: three', 'a: four'];
    expect(textsOf(await lines(one, four, cut, three, four))).toEqual([
      'a: one',
      'a: four',
      ...whole,
      ...others,
    ]);
    expect(textsOf(await lines(one, cut, three, four))).toEqual(['a: one', ...whole, ...others]);
    expect(textsOf(await lines(cut, three, four))).toEqual([...whole, ...others]);
    expect(textsOf(await lines(one, three, four, cut))).toEqual(['a: one', ...others, ...whole]);
  });

  test('reads a value that stands alone, and says of null that it has no text', async () => {
    expect(textsOf(await parse('a.json', ' 42\n'))).toEqual(['42']);
    expect(textsOf(await parse('a.json', 'true'))).toEqual(['true']);
    expect(textsOf(await parse('a.json', '"word"'))).toEqual(['word']);
    for (const text of ['null', ' \n'])
      await expect(parse('a.json', text)).rejects.toMatchObject({ code: 'E2002' });
    for (const text of ['42 otters', 'nothing'])
      await expect(parse('a.json', text)).rejects.toMatchObject({ code: 'E1001' });
  });

  test('reads what is whole of a file that was cut off', async () => {
    const cut = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hel';
    expect(textsOf(await parse('a.json', cut))).toEqual(['role: user; content: Hi', 'role: assistant']);
    await expect(parse('a.json', 'words {')).rejects.toMatchObject({ code: 'E1001' });
    await expect(parse('a.json', '['.repeat(100_000))).rejects.toMatchObject({ code: 'E1001' });
  });
});

describe('xml', () => {
  test('that names no charset itself is read in that of its part, else as it shows', async () => {
    const read = async (hex: string, contentType = 'text/xml') => {
      const bytes = Buffer.from(hex.replace('.', Buffer.from('<a><b>').toString('hex')), 'hex');
      return textsOf(await parseFile({ name: 'a.xml', contentType, bytes }, { ocrLanguages: [] }));
    };
    const russian = '.cfeef7f2e03c2f623e3c2f613e';
    expect(await read(russian, 'application/xml; charset=windows-1251')).toEqual(['b: Почта']);
    expect(await read('.436166e93c2f623e3c2f613e')).toEqual(['b: Café']);
    expect(await read('.436166c3a93c2f623e3c2f613e', 'text/xml; charset=windows-1251')).toEqual(['b: Café']);
    const declared = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>').toString('hex');
    expect(await read(`${declared}.436166e93c2f623e3c2f613e`, 'text/xml; charset=windows-1251')).toEqual([
      'b: Café',
    ]);
  });

  test('reads elements beside each other as records', async () => {
    const source =
      '<catalog><owner>Ana</owner><book id="b1"><name>One</name><price unit="EUR">5</price></book><book id="b2"><name>Two</name></book></catalog>';
    expect((await parse('a.xml', source)).blocks).toEqual([
      { text: 'owner: Ana', headings: [], keepTogether: true },
      {
        text: 'id: b1; name: One; price.unit: EUR; price: 5',
        headings: [],
        keepTogether: true,
        layout: { row: 1 },
      },
      { text: 'id: b2; name: Two', headings: [], keepTogether: true, layout: { row: 2 } },
    ]);
  });

  test('reads paragraphs with their marks as text, under titles', async () => {
    const source =
      '<article><info><title>Doc</title></info><section><title>Intro</title><para>Hello <emphasis>big</emphasis> world.</para></section><section><title>Alone</title></section></article>';
    const document = await parse('a.xml', source);
    expect(document.title).toBe('Doc');
    expect(document.blocks).toContainEqual({ text: 'Hello big world.', headings: ['Intro'] });
    expect(textsOf(document).join('\n')).toContain('Alone');
  });

  test('reads tables of DocBook by their columns; a cell over several rows is told in each', async () => {
    const row = (...entries: string[]) => `<row>${entries.join('')}</row>`;
    const entry = (text: string, attributes = '') => `<entry ${attributes}>${text}</entry>`;
    const head = row(entry('Fruit'), entry('Price'), entry('Origin'));
    const body = [
      row(entry('Apple', 'morerows="1"'), entry('5'), entry('<para>Oslo</para><para>Bergen</para>')),
      row(entry('6'), entry('Rome')),
      row(entry('Pear'), entry('not <emphasis>yet</emphasis>', 'namest="b" nameend="c"')),
    ];
    const columns = '<colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>';
    const source = `<article><title>T</title><section><title>Fruit</title><table><title>Prices</title><tgroup cols="3">${columns}<thead>${head}</thead><tbody>${body.join('')}</tbody></tgroup></table><para>After.</para></section></article>`;
    const { blocks } = await parse('a.xml', source);
    expect(blocks.map(({ text, headings, layout }) => [text, headings.at(-1), layout])).toEqual([
      ['Fruit: Apple; Price: 5; Origin: Oslo Bergen', 'Prices', { row: 2 }],
      ['Fruit: Apple; Price: 6; Origin: Rome', 'Prices', { row: 3 }],
      ['Fruit: Pear; Price: not yet', 'Prices', { row: 4 }],
      ['After.', 'Fruit', undefined],
    ]);
    expect(textsOf(await parse('a.xml', '<a><tgroup><row><entry>x</entry>'))).toEqual(['x']);
  });

  test('reads tables as HTML has them, titles with marks in them, and no namespaces, of an article', async () => {
    const head =
      '<thead><tr><th rowspan="2">Kind</th><th colspan="2">Speed</th></tr><tr><th>low</th><th>high</th></tr></thead>';
    const body = '<tr><td rowspan="2">Bee</td><td>5</td><td>7</td></tr><tr><td colspan="2">none</td></tr>';
    const wrapped = `<table-wrap><label>Table 1</label><caption><p>Speeds</p></caption><table>${head}<tbody>${body}</tbody></table></table-wrap>`;
    const front =
      '<front><article-meta><title-group><article-title>On <italic>Bees</italic></article-title></title-group></article-meta></front>';
    const section = `<sec><title>How H<sub>2</sub>O <bold>flows</bold></title><p>Words.</p>${wrapped}</sec>`;
    const { title, blocks } = await parse(
      'a.xml',
      `<article xmlns:xlink="http://www.w3.org/1999/xlink">${front}<body>${section}</body></article>`,
    );
    expect(title).toBe('On Bees');
    const flows = 'How H2O flows';
    expect(blocks.map(({ text, headings, layout }) => [text, headings, layout])).toEqual([
      ['front.article-meta.title-group.article-title: On Bees', [], undefined],
      ['Words.', [flows], undefined],
      ['Speeds', [flows, 'Table 1'], undefined],
      ['Kind: Bee; Speed low: 5; Speed high: 7', [flows, 'Table 1'], { row: 3 }],
      ['Kind: Bee; Speed low: none', [flows, 'Table 1'], { row: 4 }],
    ]);
    expect(textsOf(await parse('a.xml', '<a><table><tr><x>one</x><td>two</td></tr>'))).toEqual(['one; two']);
  });

  test('reads a formula as one value', async () => {
    const math = '<f><math display="block"><mi>E</mi><mo>=</mo><msup><mi>a</mi><mn>2</mn></msup></math></f>';
    expect(textsOf(await parse('a.xml', `<a>${math}</a>`))).toEqual(['f.math: E=a2']);
  });

  test('reads elements that are named like paragraphs and hold values as records', async () => {
    const order =
      '<order><line no="1"><sku>SKU1</sku><qty>2</qty></line><line no="2"><sku>SKU2</sku><qty>3</qty></line></order>';
    expect((await parse('a.xml', order)).blocks).toEqual([
      { text: 'no: 1; sku: SKU1; qty: 2', headings: [], keepTogether: true, layout: { row: 1 } },
      { text: 'no: 2; sku: SKU2; qty: 3', headings: [], keepTogether: true, layout: { row: 2 } },
    ]);
    expect(textsOf(await parse('a.xml', '<o><line><sku>SKU1</sku><qty>2</qty></line></o>'))).toEqual([
      'line.sku: SKU1\nline.qty: 2',
    ]);
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><id>urn:1</id><author><name>Ana</name></author><summary>Words.</summary></entry><entry><title>Two</title><id>urn:2</id></entry></feed>';
    expect((await parse('a.xml', atom)).blocks).toEqual([
      {
        text: 'title: One; id: urn:1; author.name: Ana; summary: Words.',
        headings: ['News'],
        keepTogether: true,
        layout: { row: 1 },
      },
      { text: 'title: Two; id: urn:2', headings: ['News'], keepTogether: true, layout: { row: 2 } },
    ]);
  });

  test('reads what elements say in attributes alone, whatever they are named', async () => {
    const map =
      '<map id="m1"><entry key="color" value="red"/><entry key="size" value="5"/><entry id="e1"/><td colspan="2"/></map>';
    expect((await parse('a.xml', map)).blocks).toEqual([
      { text: 'id: m1', headings: [], keepTogether: true },
      { text: 'key: color; value: red', headings: [], keepTogether: true, layout: { row: 1 } },
      { text: 'key: size; value: 5', headings: [], keepTogether: true, layout: { row: 2 } },
    ]);
    const alone = '<d><p><text class="x" xml:id="t"/><line item="Screw" no="7"/></p><term/><li id="l"/></d>';
    expect(textsOf(await parse('a.xml', alone))).toEqual(['p.line.item: Screw\np.line.no: 7']);
  });

  test.each([
    ['<d><p><name>Ana</name> met <name>Bo</name>.</p></d>', ['Ana met Bo.']],
    ['<d><line><b>H</b>ello <x><y>w</y>orld</x></line></d>', ['Hello world']],
    ['<d><li><b>Bold</b><i>er</i></li></d>', ['Bolder']],
    ['<d><li><p>One</p><p>Two</p></li></d>', ['One Two']],
    ['<d><p>One<br/>two <x><p>three</p><p>four</p></x></p></d>', ['One two three four']],
    ['<TEI><text><body><p>One</p><p>Two</p></body></text></TEI>', ['One\nTwo']],
    ['<d><td width="5" href="https://a.b">One</td></d>', ['td.href: https://a.b\nOne']],
  ])('reads the paragraph %s', async (source, texts) => {
    expect(textsOf(await parse('a.xml', source))).toEqual(texts);
  });

  test('keeps what is named like a title and holds values', async () => {
    const head = '<doc><head><title>T</title><author>A</author></head><body><p>para</p></body></doc>';
    expect(textsOf(await parse('a.xml', head))).toEqual(['head.title: T\nhead.author: A\npara']);
    const label = '<order><label><street>Mainstreet</street><city>Oslo</city></label><n>1</n></order>';
    expect(textsOf(await parse('a.xml', label))).toEqual([
      'label.street: Mainstreet\nlabel.city: Oslo\nn: 1',
    ]);
  });

  test('reads feeds, pages and drawings', async () => {
    const feed =
      '<rss><channel><title>News</title><item><title>One</title><description>&lt;p&gt;Hi &lt;i&gt;you&lt;/i&gt;&lt;/p&gt;</description></item></channel></rss>';
    expect(textsOf(await parse('a.xml', feed)).join('\n')).toContain('description: Hi you');
    expect(
      textsOf(await parse('a.xml', '<?xml version="1.0"?><html><body><p>Page</p></body></html>')),
    ).toEqual(['Page']);
    const drawing = '<svg width="10"><path d="M0 0 L1 1"/><text>Label</text></svg>';
    expect(textsOf(await parse('a.xml', drawing))).toEqual(['Label']);
  });

  test('expands no external entities, and reads a broken file up to the break', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY f SYSTEM "file:///etc/hostname">]><a><b>&x;&f; end</b><c>cut';
    const text = textsOf(await parse('a.xml', bomb)).join('\n');
    expect(text).toContain('xxxx&f; end');
    expect(text).toContain('cut');
  });
});

describe('csv, log and yaml', () => {
  test('obeys the line in which Excel names the delimiter', async () => {
    expect(textsOf(await parse('a.csv', 'sep=;\r\na,b;c\r\n1,5;2\r\n'))).toEqual(['a,b: 1,5; c: 2']);
  });

  test('reads the Unicode text of Excel', async () => {
    const bytes = Buffer.from('\ufeffname\ttown\r\n"Zoë ""Z"""\tОсло\r\n', 'utf16le');
    const document = await parseFile({ name: 'a.tsv', bytes }, { ocrLanguages: [] });
    expect(textsOf(document)).toEqual(['name: Zoë "Z"; town: Осло']);
  });

  test('finds the rows again after a quote that stays open', async () => {
    const rows = 'x,y\n'.repeat(60_000);
    const { blocks } = await parse('a.csv', `a,b\n"1","2\n3"\n"open,q\n${rows}`);
    expect(blocks[0]?.text).toBe('a: 1; b: 2\n3');
    expect(blocks.at(-1)).toMatchObject({ text: 'a: x; b: y' });
    expect(blocks.length).toBeGreaterThan(59_000);
  });

  test('keeps a stack trace with its entry', async () => {
    const trace = 'java.lang.Error: x\n\tat a.B\nCaused by: y\n';
    const entries = Array.from(
      { length: 40 },
      (_, index) => `2024-01-31 09:${index + 10}:00 ERROR ${index}\n${trace}`,
    );
    const { blocks } = await parse('a.log', entries.join(''));
    expect(blocks.length).toBeGreaterThan(1);
    for (const { text } of blocks) expect(text).toMatch(/^2024[\s\S]*Caused by: y$/);
  });

  test('numbered captions of a text are the headings of what stands below, items of a list are none', async () => {
    const text = [
      'ARTICLE IV\nTERMINATION',
      'SECTION 5. Term',
      'It lasts for 3 years.',
      '5.1 Renewal',
      'It is renewed once.',
      'To do:',
      '1. Buy milk',
      '2. Call Bob',
      '3. Pay rent',
      'Section 6.2 applies to what is sold.',
      '1. Introduction',
      'This says what it is about.',
      '2.1 Scope\nand what follows on the next line',
    ].join('\n\n');
    const { blocks } = await parseFile({ name: 'a.txt', bytes: bytesOf(text) }, { ocrLanguages: [] });
    const article = ['ARTICLE IV TERMINATION', 'SECTION 5. Term'];
    const renewal = [...article, '5.1 Renewal'];
    const introduction = [...article, '1. Introduction'];
    expect(blocks.map((block) => [block.text, block.headings])).toEqual([
      ['It lasts for 3 years.', article],
      ['It is renewed once.', renewal],
      ['To do:', renewal],
      ['1. Buy milk', renewal],
      ['2. Call Bob', renewal],
      ['3. Pay rent', renewal],
      ['Section 6.2 applies to what is sold.', renewal],
      ['This says what it is about.', introduction],
      ['2.1 Scope\nand what follows on the next line', introduction],
    ]);
  });

  test.each(['a.log', 'a.txt'])('leaves out of %s what a terminal does not show', async (name) => {
    const text =
      '\u001b]0;title\u0007\u001b[1;31mFATALITY\u001b[0m at \u001b[38;5;12mnode[1]\u001b[K\u001b(B end';
    const rest = ' and so on'.repeat(20);
    expect(textsOf(await parse(name, text + rest))).toEqual([`FATALITY at node[1] end${rest}`]);
  });

  test.each(['a.log', 'a.txt'])('reads in %s what a terminal or printer shows', async (name) => {
    const read = async (text: string) => textsOf(await parse(name, text));
    expect(await read('\u001b]0;t\u0007done\n')).toEqual(['done']);
    expect(await read('\u0007\u0007\u0007ready\n')).toEqual(['ready']);
    expect(await read('N\bNA\bAM\bME\bE\n_\bo_\bf b\b_y 漢\b漢\n')).toEqual(['NAME\nof by 漢']);
  });

  test('puts a long section of YAML under its key', async () => {
    const long = Array.from({ length: 100 }, (_, index) => `  key${index}: value`).join('\n');
    const { blocks } = await parse('a.yml', `name: app\n# about\nenv:\n${long}\nlast: 1\n`);
    expect(blocks.map(({ text, headings }) => [text.split('\n')[0], headings])).toEqual([
      ['name: app', []],
      ['# about', ['env']],
      ['last: 1', []],
    ]);
  });
});

test('a page too large for a tree keeps its headings and the headers of its tables', async () => {
  const rows = '<tr><td></td><td>caf&eacute; &amp;<img src="x" alt=\'bar\'></td></tr>'.repeat(5_000);
  const page = `<title>T</title><nav>Menu</nav><h1>One</h1><p><img alt=Some><b>bold</b><img> words<br>here.<table><tr><th>a</th><th>b</th></tr>${rows}</table><h2>Empty</h2>`;
  const document = await parse('a.html', page);
  expect(document.title).toBe('T');
  expect(document.blocks.slice(0, 2)).toEqual([
    { text: 'T', headings: ['One'] },
    { text: 'Some bold words\nhere.', headings: ['One'] },
  ]);
  expect(document.blocks[2]).toEqual({
    text: 'b: café & bar',
    headings: ['One'],
    keepTogether: true,
    layout: { row: 2 },
  });
  expect(document.blocks.slice(-2)).toEqual([
    { text: 'a', headings: ['One'], keepTogether: true, layout: { row: 1 } },
    { text: 'Empty', headings: ['One'] },
  ]);
  expect(document.blocks).toHaveLength(5_004);
});
