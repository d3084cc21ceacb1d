import { expect, describe, test } from '@jest/globals';
import { html } from '../../src/ingestion/parsers/html.js';
import { bytesOf as bytes, noContext, textsOf as texts } from '../support/files/reading.js';

describe('html', () => {
  const parse = (source: string | Uint8Array) =>
    html.parse(typeof source === 'string' ? bytes(source) : source, noContext);

  test('leaves out what no reader sees and takes the title', async () => {
    const document = await parse(
      '<title>T &amp; t</title><script>let hidden</script><style>p{}</style><nav>Menu</nav><p>Seen</p><p hidden>No</p>',
    );
    expect(document.title).toBe('T & t');
    expect(texts(document)).toEqual(['Seen']);
  });

  test('takes no sign of a font for a table', async () => {
    const table = '<table><tr><th>Fruit<th>Price<tr><td>Apple<td>3<tr><td>Pear<td>4</table>';
    const signs = ['&#xe000;', '&#57344', '\ue000'].map((sign) => `<p>A warning ${sign}</p>`);
    const seen = texts(await parse(`<body>${table}${signs.join('')}<p>After.</p></body>`));
    expect(seen.map((text) => text.trim())).toEqual([
      'Fruit: Apple; Price: 3',
      'Fruit: Pear; Price: 4',
      ...signs.map(() => 'A warning'),
      'After.',
    ]);
  });

  test.each([
    ['<details><summary>Sum</summary>inside</details>after', ['Sum', 'inside', 'after']],
    ['<fieldset><legend>Shipping</legend>Address</fieldset>', ['Shipping', 'Address']],
    ['before<dialog open>asked</dialog>after', ['before', 'asked', 'after']],
    ['before<search>sought</search>after', ['before', 'sought', 'after']],
    [
      'eleven<nav>n</nav>twelve<select><option>o</select>thirteen<button>b</button>fourteen',
      ['eleven twelve thirteen fourteen'],
    ],
    ['one<script>s</script>word, <span hidden>h</span>whole', ['oneword, whole']],
    ['<pre><button>Copy</button>code</pre>', ['```\ncode\n```']],
  ])('keeps words apart that are seen apart: %s', async (source, seen) => {
    expect(texts(await parse(`<body><div>${source}</div></body>`))).toEqual(seen);
  });

  test('keeps sections that are called like a menu or a list of links', async () => {
    const prose = (about: string) =>
      `<p>${`What there is to say about ${about}, in whole sentences, with commas and all. `.repeat(6)}</p>`;
    const section = (id: string) => `<div class="section" id="${id}"><h2>${id}</h2>${prose(id)}</div>`;
    const document = await parse(
      `<title>Help</title><body><div class="body"><h1>Help</h1>${prose('the program')}${prose('its window')}${prose('its files')}${section('menus')}${section('sidebar')}${section('related')}</div></body>`,
    );
    const told = texts(document).join(' ');
    for (const id of ['menus', 'sidebar', 'related']) expect(told).toContain(`say about ${id},`);
  });

  test('keeps names with underscores and code free of backslashes', async () => {
    const document = await parse(
      '<p>snake_case [x] 1. *</p><pre><code class="language-js">a_b\\_\n\nc</code></pre>',
    );
    expect(texts(document)).toEqual(['snake_case [x] 1. *', '```js\na_b\\_\n\nc\n```']);
  });

  test('keeps signs that Markdown would take for tags or comments, and what follows them', async () => {
    const document = await parse(
      '<h2>The &lt;title&gt; element</h2><p>&lt;!-- or &lt;b&gt; begins</p><p>&lt;div&gt; too, 1 &lt; 2</p>' +
        '<pre>&lt;?xml?&gt;<br>&lt;!-- open\n  <b>bold</b></pre><ul><li>&lt;i&gt; item</li></ul><p>last</p>',
    );
    expect(texts(document)).toEqual([
      '<!-- or <b> begins',
      '<div> too, 1 < 2',
      '```\n<?xml?>\n<!-- open\n  bold\n```',
      '-   <i> item',
      'last',
    ]);
    expect(document.blocks[0]?.headings).toEqual(['The <title> element']);
  });

  test('keeps all pieces of what is written as it stands', async () => {
    const document = await parse(
      '<pre>\n<code>one</code><code>two</code></pre><pre><div>a  b</div><div>c</div></pre><pre>x <code>y</code> z</pre>',
    );
    expect(texts(document)).toEqual(['```\none\ntwo\n```', '```\na  b\nc\n```', '```\nx y z\n```']);
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

  test('the tables of an article have the headers of each row too', async () => {
    const prose = `<p>${'The river rose by four metres, and the ferry stayed at its pier. '.repeat(12)}</p>`;
    const table = '<table><tr><th>Gauge<th>Level</tr><tr><td>North<td>412</tr></table>';
    const menu = '<div class="sidebar"><a href="https://x.y">Menu entry</a></div>';
    const document = await parse(`<body>${menu}<article>${prose}${table}${prose}</article></body>`);
    expect(texts(document)).toContain('Gauge: North; Level: 412');
    expect(texts(document).join(' ')).not.toContain('Menu');
  });

  test('a first row over all columns is the title of a table and no name of its columns', async () => {
    const document = await parse(
      '<table><tr><td colspan="3">Table 4. Harvest</td></tr><tr><th>Orchard<th>Tonnes<th>Year</tr><tr><td>Quince Hill<td>417<td>2021</tr></table>' +
        '<table><tr><th colspan="2">Opening hours</th></tr><tr><th>Monday</th><td>9 to 5</td></tr><tr><th>Tuesday</th><td>9 to 3</td></tr></table>',
    );
    expect(document.blocks.map(({ text, layout }) => [text, layout?.row])).toEqual([
      ['Table 4. Harvest', undefined],
      ['Orchard: Quince Hill; Tonnes: 417; Year: 2021', 3],
      ['Opening hours', undefined],
      ['Monday: 9 to 5', 2],
      ['Tuesday: 9 to 3', 3],
    ]);
  });

  test.each([
    ['page', ''],
    ['large page', `<p>${'<i>x</i>'.repeat(15_000)}</p>`],
  ])(
    'of a %s, tables have the columns of their figures, and names may take several rows',
    async (_, rest) => {
      const value = (text: string, sign?: string) =>
        `<td></td>${sign ? `<td>${sign}</td><td>${text}</td>` : `<td colspan="2">${text}</td>`}<td></td>`;
      const bracket = (text: string) => `<td></td><td colspan="2">(${text}</td><td>)</td>`;
      const accounts = `<table>
      <tr><td></td><td></td><td colspan="7">Years ended</td></tr>
      <tr><td></td><td></td><td colspan="3">September 28,<br>2024</td><td></td><td colspan="3">September 30,<br>2023</td></tr>
      <tr><td>Net sales:</td><td colspan="8"></td></tr>
      <tr><td>Products</td>${value('294,866', '$')}${value('298,085', '$')}</tr>
      <tr><td>Other income, net</td>${value('269')}${bracket('565')}</tr></table>`;
      const grouped = `<table><thead><tr><th rowspan="2">Region</th><th colspan="2">2023</th></tr>
      <tr><th>Units</th><th>Sum</th></tr></thead><tr><td>North</td><td>1</td><td>2</td></tr></table>`;
      const list = '<table><tr><td>Name</td><td>Ann</td></tr><tr><td>Age</td><td>30</td></tr></table>';
      const blocks = texts(await parse(`${accounts}${grouped}${list}${rest}`));
      expect(blocks.slice(0, 6)).toEqual([
        'Net sales:',
        'Products; Years ended September 28, 2024: $294,866; Years ended September 30, 2023: $298,085',
        'Other income, net; Years ended September 28, 2024: 269; Years ended September 30, 2023: (565)',
        'Region: North; 2023 Units: 1; 2023 Sum: 2',
        'Name; Ann',
        'Age; 30',
      ]);
    },
  );

  test('a heading that says more than the title of the page is not lost', async () => {
    const prose = `<p>${'The divers took the depth on lines ten metres apart. '.repeat(12)}</p>`;
    const document = await parse(
      `<html><head><title>Harbour Survey</title></head><body><h1>Harbour Survey 2025</h1>${prose}<h2>Method</h2>${prose}</body></html>`,
    );
    expect(document.blocks.map(({ headings }) => headings)).toEqual([
      ['Harbour Survey 2025'],
      ['Harbour Survey 2025', 'Method'],
    ]);
  });

  test('cells marked as heads of their rows are labels', async () => {
    const rows = '<tr><th>Known for<td>Seismic charts</tr><tr><th>Spouse<td>Kari Vold</tr>';
    expect(texts(await parse(`<table>${rows}</table>`))).toEqual([
      'Known for: Seismic charts',
      'Spouse: Kari Vold',
    ]);
  });

  test('a first row that alone is bold names the columns', async () => {
    const rows = '<tr><td><b>Plan</b><td><strong>Price</strong></tr><tr><td>Pro<td>$12</tr>';
    expect(texts(await parse(`<table>${rows}</table>`))).toEqual(['Plan: Pro; Price: $12']);
  });

  test('so does one of words above values', async () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const rows = [
      row('Country', 'Fee', 'Carrier'),
      row('Norway', '12 €', 'Bring'),
      row('Spain', '9 €', 'Correos'),
    ];
    expect(texts(await parse(`<table>${rows.join('')}</table>`))).toEqual([
      'Country: Norway; Fee: 12 €; Carrier: Bring',
      'Country: Spain; Fee: 9 €; Carrier: Correos',
    ]);
    const pairs = [row('From', 'Oslo'), row('Weight', '12 kg'), row('Length', '3 m')];
    expect(texts(await parse(`<table>${pairs.join('')}</table>`))[0]).toBe('From; Oslo');
  });

  test('keeps links that lead outside, the words of pictures and ticked boxes', async () => {
    const document = await parse(
      '<p><a href="https://a.b/c_d">out</a> <a href="/in">in</a> <img alt="pic" src="data:image/png;base64,AA"></p>' +
        '<ul><li><input type="checkbox" checked>done</ul>',
    );
    expect(texts(document)).toEqual(['out (https://a.b/c_d) in pic', '-   [x] done']);
    const close = await parse('<p><img alt="Warning">Diskword is<img alt="really">full</p><p>a<img>b</p>');
    expect(texts(close)).toEqual(['Warning Diskword is really full', 'ab']);
    const table = await parse(
      '<table><tr><th>What<th>Done</tr><tr><td><img alt="a red barn" src="x.png"><td><input type=checkbox checked></tr></table>',
    );
    expect(texts(table)).toEqual(['What: a red barn; Done: [x]']);
    const cells =
      '<td><a href="/x">Anna</a><td><a href="https://a.b/cv">CV</a> of <a href="mailto:a@b.c">hers</a>';
    expect(texts(await parse(`<table><tr><th>Who<th>More</tr><tr>${cells}</tr></table>`))).toEqual([
      'Who: Anna; More: CV (https://a.b/cv) of hers (a@b.c)',
    ]);
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

  test('leaves out what every page of a site shows, by element, role and name, and nothing that is most of the page', async () => {
    const story = '<h2>Storks</h2><p>The storks came back in April and built their nest on the old mill.</p>';
    const page = await parse(`<body class="has-sidebar"><header><a href="/">Home</a><h1>The Mill</h1></header>
      <header>Opening hours</header><div class="cookie-banner">We value your privacy</div>
      <div role="navigation">Start, About</div><main>${story}<footer>By Zoë</footer></main>
      <ul class="share"><li>Tweet this</li></ul><aside>Also read</aside><footer>Imprint</footer></body>`);
    expect(texts(page).join('\n')).toContain('The storks came back');
    expect(texts(page).join('\n')).toContain('By Zoë');
    expect(page.blocks.at(-1)?.headings[0]).toBe('The Mill');
    expect(JSON.stringify(page.blocks)).not.toMatch(/privacy|About|Tweet|Also read|Imprint|Opening hours/);
    const sections =
      await parse(`<body><section><header><h2>Nests</h2></header><p>${'Of twigs. '.repeat(20)}</p>
      <aside>Mind the gap.</aside></section></body>`);
    expect(sections.blocks.map(({ headings }) => headings)).toEqual([['Nests'], ['Nests']]);
    expect(texts(sections)).toContain('Mind the gap.');
    const rules = await parse(
      `<body><p>Rules. ${'More of them. '.repeat(20)}</p><h2 id="consent">Consent</h2><p>Is needed.</p></body>`,
    );
    expect(rules.blocks.at(-1)).toMatchObject({ text: 'Is needed.', headings: ['Consent'] });
    const whole = await parse(`<body><div class="sidebar">${story}</div></body>`);
    expect(texts(whole).join('\n')).toContain('The storks came back');
  });

  test('leaves out what is hidden, tells terms with what they mean, and spanned cells in each of their rows', async () => {
    const hidden = await parse('<p>Seen.</p><p style="color: red; display:none">Not seen.</p>');
    expect(texts(hidden)).toEqual(['Seen.']);
    const terms = await parse('<dl><dt>Span</dt><dd>12 m</dd><dt>Height</dt><dd>3 m</dd></dl>');
    expect(texts(terms)).toEqual(['Span: 12 m', 'Height: 3 m']);
    const table = await parse(`<table><tr><th>Town</th><th>Year</th><th>Storks</th></tr>
      <tr><td rowspan="2">Oslo</td><td>2020</td><td>3</td></tr><tr><td>2021</td><td>5</td></tr>
      <tr><td>Rome</td><td>2020</td><td>7</td></tr></table>`);
    expect(texts(table)).toEqual([
      'Town: Oslo; Year: 2020; Storks: 3',
      'Town: Oslo; Year: 2021; Storks: 5',
      'Town: Rome; Year: 2020; Storks: 7',
    ]);
  });

  test('reads attributes in capital letters, as old pages have them', async () => {
    const page =
      '<P>Ask <A HREF="mailto:a@pond.example">the warden</A>.<P Style="display:none">No.' +
      '<OL START=4><LI>Two rods</OL><TABLE><TR><TH ROWSPAN=2>Pond<TH COLSPAN=2>Depth<TR><TH>May<TH>July' +
      '<TR><TD>Altsee<TD>7 m<TD>5 m</TABLE>';
    expect(texts(await parse(page))).toEqual([
      'Ask the warden (a@pond.example).',
      '4.  Two rods',
      'Pond: Altsee; Depth May: 7 m; Depth July: 5 m',
    ]);
  });

  test('obeys the declared charset', async () => {
    const page = Buffer.concat([Buffer.from('<meta charset="iso-8859-2"><p>'), Buffer.from('b1e6', 'hex')]);
    expect(texts(await parse(page))).toEqual(['ąć']);
  });

  test('survives nesting that overflows the stack of its libraries', async () => {
    const depth = 20_000;
    expect(texts(await parse(`${'<div>'.repeat(depth)}deep${'</div>'.repeat(depth)}`))).toEqual(['deep']);
  });

  test('formulas are told once, as they were typed', async () => {
    const math = (annotation: string) =>
      `<math><semantics><mrow><mi>E</mi><mo>=</mo><msup><mi>a</mi><mn>2</mn></msup></mrow>${annotation}</semantics></math>`;
    const page =
      `<p>So ${math('<annotation encoding="application/x-tex">E = a^2_{i}</annotation>')} holds, and ` +
      `${math('<annotation-xml encoding="MathML-Content"><ci>E</ci></annotation-xml>')} too.</p>`;
    expect(texts(await parse(page))).toEqual(['So E = a^2_{i} holds, and E=a^2 too.']);
  });

  test('tells the words of drawings, tables that are one by their roles, and words without their soft hyphens', async () => {
    const row = (role: string, ...cells: string[]) =>
      `<div role="row">${cells.map((cell) => `<span role="${role}">${cell}</span>`).join('')}</div>`;
    const page =
      '<p>Soft&shy;ware of the rail\u00adway.</p><p>Sold: <svg><path d="M0 0"/><text>2023</text><text>410</text></svg></p>' +
      '<svg aria-hidden="true"><text>icon</text></svg>' +
      `<div role="table">${row('columnheader', 'Train', 'Leaves')}${row('cell', 'Night mail', '23:15')}${row('cell', 'Milk train', '04:05')}</div>`;
    expect(texts(await parse(page))).toEqual([
      'Software of the railway.',
      'Sold:',
      '2023 410',
      'Train: Night mail; Leaves: 23:15',
      'Train: Milk train; Leaves: 04:05',
    ]);
  });
});
