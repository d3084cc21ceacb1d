import { describe, expect, test } from '@jest/globals';
import { excel } from '../../src/ingestion/parsers/excel.js';
import { openCompoundFile } from '../../src/ingestion/parsers/office/compound-file.js';
import { excelBinary } from '../../src/ingestion/parsers/excel-binary.js';
import { openDocumentSheets } from '../../src/ingestion/parsers/open-document-sheets.js';
import { compoundFileOf } from '../support/files/presentations.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { ods, openRow, textRow, xls, xlsx } from '../support/files/spreadsheets.js';

describe('xlsx', () => {
  const read = (...parameters: Parameters<typeof xlsx>) => excel.parse(xlsx(...parameters), noContext);

  test('values are read as they are seen, dates as ISO dates, formulas by their results', async () => {
    const cells = [
      '<c t="s"><v>0</v></c>',
      '<c s="1"><v>45382</v></c>',
      '<c s="1"><v>45382.5</v></c>',
      '<c s="2"><v>0.25</v></c>',
      '<c><f>1/3</f><v>0.30000000000000004</v></c>',
      '<c t="str"><f>A1</f><v>a_x000D_b</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c s="3"><v>5</v></c>',
    ];
    const document = await read([{ name: 'S', rows: `<row r="1">${cells.join('')}</row>` }], {
      strings: ['<r><t>Zo</t></r><r><t>ë</t></r><rPh><t>reading</t></rPh>'],
      styles: ['d/m/yyyy', '0.0%', '0 &quot;days&quot;'],
    });
    expect(textsOf(document)).toEqual(['Zoë; 2024-03-31; 2024-03-31 12:00; 25.0%; 0.3; a\nb; TRUE; 5 days']);
  });

  test('whole numbers are written in full, unless their format says otherwise', async () => {
    const numbers = ['4006381333931', '-123456789012345', '9007199254740991', '0.1', '1.5E+30'];
    const cells = [
      ...numbers.map((number) => `<c><v>${number}</v></c>`),
      '<c s="1"><v>4006381333931</v></c>',
    ];
    const document = await read([{ name: 'S', rows: `<row r="1">${cells.join('')}</row>` }], {
      styles: ['0.00E+00'],
    });
    expect(textsOf(document)).toEqual([
      '4006381333931; -123456789012345; 9007199254740991; 0.1; 1.5E+30; 4.01E+12',
    ]);
  });

  test('rows keep their numbers and columns, in each sheet; a merged cell counts for all its rows', async () => {
    const { blocks } = await read([
      { name: 'Empty', rows: '' },
      {
        name: 'Sales',
        rows: `${textRow(1, 'Sales 2024')}${textRow(3, 'region', 'town')}${textRow(4, 'North', 'Oslo')}<row r="6"><c r="B6" t="inlineStr"><is><t>Rome</t></is></c></row>`,
        rest: '<mergeCells><mergeCell ref="A4:A6"/></mergeCells>',
      },
    ]);
    expect(blocks).toEqual([
      { text: 'Sales 2024', headings: ['Sales'], layout: { sheet: 'Sales', row: 1 } },
      {
        text: 'region: North; town: Oslo',
        headings: ['Sales'],
        keepTogether: true,
        layout: { sheet: 'Sales', row: 4 },
      },
      {
        text: 'region: North; town: Rome',
        headings: ['Sales'],
        keepTogether: true,
        layout: { sheet: 'Sales', row: 6 },
      },
    ]);
  });

  test('a cover sheet is fields, two of them in a row too', async () => {
    const rows = [
      textRow(1, 'Client', 'Acme', 'Project', 'Bridge'),
      textRow(2, 'Author', 'Ann Berg', 'Version', '2.1'),
    ];
    expect(textsOf(await read([{ name: 'Cover', rows: rows.join('') }]))).toEqual([
      'Client: Acme; Project: Bridge',
      'Author: Ann Berg; Version: 2.1',
    ]);
  });

  test('names of columns that no row fills are told too', async () => {
    const rows = `${textRow(1, 'Plan for the yard', 'Owner')}<row r="2"><c r="B2" t="inlineStr"><is><t>Ann</t></is></c></row>`;
    const { blocks } = await read([{ name: 'Plan', rows }]);
    expect(blocks.map(({ text }) => text)).toEqual(['Plan for the yard', 'Owner: Ann']);
  });

  test('a line of totals above the header is none', async () => {
    const rows = [
      textRow(1, '', '', 'Sum', '9'),
      textRow(2, 'a', 'b', 'c', 'd'),
      textRow(3, '1', '2', '3', '4'),
    ];
    expect(textsOf(await read([{ name: 'S', rows: rows.join('') }]))).toEqual([
      'Sum 9',
      'a: 1; b: 2; c: 3; d: 4',
    ]);
  });

  test('tables below each other have names of their own, also in two rows', async () => {
    const rows = [
      textRow(1, '', '2023', '', '2024', ''),
      textRow(2, 'Region', 'Units', 'Sum', 'Units', 'Sum'),
      textRow(3, 'North', '1', '2', '3', '4'),
      textRow(5, 'Name', 'Since'),
      textRow(6, 'Acme', '2001'),
    ];
    expect(textsOf(await read([{ name: 'S', rows: rows.join('') }]))).toEqual([
      'Region: North; 2023 Units: 1; 2023 Sum: 2; 2024 Units: 3; 2024 Sum: 4',
      'Name: Acme; Since: 2001',
    ]);
  });

  test('links, comments, drawings and printed headers are read', async () => {
    const { blocks } = await read(
      [
        {
          name: 'S',
          rows: textRow(1, 'site') + textRow(2, 'Acme'),
          rest: '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Secret &amp;&amp; draft&amp;RPage &amp;P</oddHeader></headerFooter>',
          links: {
            rId1: ['hyperlink', 'https://acme.example/'],
            rId2: ['comments', '../comments1.xml'],
            rId3: ['threadedComment', '../threaded1.xml'],
            rId4: ['drawing', '../drawings/drawing1.xml'],
          },
        },
      ],
      {
        parts: {
          'xl/comments1.xml':
            '<comments><authors><author>Ann</author><author> </author></authors><commentList><comment ref="A2" authorId="0"><text><t>Call them</t></text></comment><comment ref="A1" authorId="0"><text><t>[Threaded comment]</t></text></comment><comment ref="B2" authorId="1"><text><t>From nobody</t></text></comment></commentList></comments>',
          'xl/threaded1.xml':
            '<ThreadedComments><threadedComment ref="A1" personId="{P}"><text>Why?</text></threadedComment></ThreadedComments>',
          'xl/persons/person.xml': '<personList><person id="{P}" displayName="Ben"/></personList>',
          'xl/drawings/drawing1.xml':
            '<x:wsDr xmlns:x="x" xmlns:a="a"><x:sp><x:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></x:txBody></x:sp></x:wsDr>',
        },
      },
    );
    expect(blocks.map(({ text, layout }) => [text, layout?.row])).toEqual([
      ['site: Acme (https://acme.example/)', 2],
      ['Ben: Why?', 1],
      ['Ann: Call them', 2],
      ['From nobody', 2],
      ['In a box', undefined],
      ['Secret & draft', undefined],
    ]);
  });

  test('a sheet of two cells that claims to be the largest is read at once', async () => {
    const rows =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>first</t></is></c></row><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>last</t></is></c></row>';
    const { blocks } = await read([
      { name: 'S', rows, rest: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' },
    ]);
    expect(blocks.at(-1)).toMatchObject({
      text: expect.stringContaining('last'),
      layout: { row: 1_048_576 },
    });
  });

  test('an encrypted workbook and a binary one are told', async () => {
    const bytes = await compoundFileOf({
      EncryptedPackage: Buffer.alloc(600),
      EncryptionInfo: Buffer.alloc(100),
    });
    await expect(excel.parse(bytes, noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /encrypted/,
    });
    const old = await xls({ S: [['a']] });
    await expect(excel.parse(old, noContext)).rejects.toMatchObject({ code: 'E1001' });
  });
});

describe('xls', () => {
  test('whole numbers are written in full, unless their format says otherwise', async () => {
    const long = 4006381333931;
    const bytes = await xls({
      S: [[long, -7, { t: 'n', v: long, z: '0.00E+00' }, { t: 'n', v: 5, z: '0.0' }]],
    });
    expect(textsOf(await excelBinary.parse(bytes, noContext))).toEqual([`${long}; -7; 4.01E+12; 5.0`]);
  });

  test('comments end before the bytes of their formatting, which the last one has in parts', async () => {
    const commented = { t: 's', v: 'bolt', c: [{ a: 'Ann', t: 'Call them' }] };
    const inOne = Buffer.from('3c0010000000000000000000', 'hex');
    const inParts = Buffer.from('3c000400000000003c000800', 'hex');
    const bytes = Buffer.from(await xls({ S: [[commented]] }));
    inParts.copy(bytes, bytes.indexOf(inOne));
    expect(textsOf(await excelBinary.parse(bytes, noContext))).toEqual(['bolt', 'Ann: Call them']);
  });

  describe('what stands beside the cells', () => {
    /** A record of BIFF8: its type and length, then its data. */
    const record = (type: number, ...parts: (number[] | Buffer)[]) => {
      const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
      const head = Buffer.alloc(4);
      head.writeUInt16LE(type);
      head.writeUInt16LE(data.length, 2);
      return Buffer.concat([head, data]);
    };
    const wide = (text: string) => Buffer.concat([Buffer.of(1), Buffer.from(text, 'utf16le')]);
    const narrow = (text: string) => Buffer.concat([Buffer.of(0), Buffer.from(text, 'latin1')]);
    const object = (kind: number) => record(0x5d, [0x15, 0, 0x12, 0, kind, 0], Buffer.alloc(16));
    const textOf = (length: number) => record(0x1b6, Buffer.alloc(10), [length, 0], Buffer.alloc(6));
    const [textBox, note] = [6, 0x19];
    const ended = record(0x0a);

    /** The texts of a sheet with one cell and these records, in the stream of its workbook. */
    async function read(...records: Buffer[]): Promise<string[]> {
      const book = openCompoundFile(await xls({ S: [['bolt']] }))
        .streams.get('Workbook')
        ?.read();
      const stream = Buffer.from(book ?? []);
      expect(stream.subarray(-ended.length)).toEqual(ended);
      const bytes = Buffer.concat([stream.subarray(0, -ended.length), ...records, ended]);
      return textsOf(await excelBinary.parse(bytes, noContext));
    }

    test('text boxes are read, whose text may be in parts; comments are read with their cells', async () => {
      const texts = await read(
        object(textBox),
        textOf(10),
        record(0x3c, narrow('Call ')),
        record(0x3c, wide('Zoë 5')),
        record(0x3c, Buffer.alloc(16)),
        object(note),
        textOf(4),
        record(0x3c, narrow('Ann:')),
        textOf(3),
        record(0x3c, narrow('end')),
      );
      expect(texts).toEqual(['bolt', 'Call Zoë 5', 'end']);
    });

    test('titles and series of charts, headers and footers are read once each', async () => {
      const chart = (text: string) => record(0x100d, [0, 0, text.length], wide(text));
      const texts = await read(
        record(0x14, [18, 0], narrow('&L&"Arial"Northern')),
        record(0x15, [9, 0], narrow('Page &P/&N')),
        record(0x809, [0, 6, 0x20, 0], Buffer.alloc(12)),
        chart('Sales'),
        chart('Sales'),
        ended,
        object(textBox),
        textOf(5),
        record(0x3c, narrow('below')),
      );
      expect(texts).toEqual(['bolt', 'Sales', 'below', 'Northern']);
    });

    test('a text that says to be longer than its record ends with it', async () => {
      expect(await read(record(0x100d, [0, 0, 99], narrow('Sales')))).toEqual(['bolt', 'Sales']);
    });
  });

  test.each(['biff8', 'biff5', 'biff2'])('reads %s', async (bookType) => {
    const bytes = await xls(
      {
        S: [
          ['name', 'day', 'share'],
          ['bolt', { t: 'n', v: 45382, z: 'd/m/yy' }, { t: 'n', v: 0.25, z: '0%' }],
        ],
      },
      bookType,
    );
    const [block] = (await excelBinary.parse(bytes, noContext)).blocks;
    expect(block?.text).toContain('name: bolt; day: ');
    if (bookType !== 'biff2') expect(block?.text).toBe('name: bolt; day: 2024-03-31; share: 25%');
  });

  test('an encrypted workbook, a page and a table of text by that name are refused', async () => {
    const beginning = Buffer.from('0908100000060500', 'hex');
    const filePass = Buffer.from('2f0036000100010001', 'hex');
    const workbook = Buffer.concat([beginning, Buffer.alloc(12), filePass, Buffer.alloc(600)]);
    const encrypted = await compoundFileOf({ Workbook: workbook });
    await expect(excelBinary.parse(encrypted, noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /encrypted/,
    });
    for (const source of ['<html><table><tr><td>a</td></tr></table></html>', 'a\tb\n1\t2\n']) {
      await expect(excelBinary.parse(bytesOf(source), noContext)).rejects.toMatchObject({ code: 'E1001' });
    }
  });
});

describe('ods', () => {
  const table = (rows: string) => `<table:table table:name="S">${rows}</table:table>`;
  const read = (...parameters: Parameters<typeof ods>) =>
    openDocumentSheets.parse(ods(...parameters), noContext);

  test('header rows, dates, notes, drawings and printed headers are read', async () => {
    const date =
      '<table:table-cell office:value-type="date" office:date-value="1960-01-01T00:00:09.9999997"><text:p>1.1.60</text:p></table:table-cell>';
    const noted =
      '<table:table-cell><office:annotation><dc:creator>Ann</dc:creator><text:p>Why?</text:p></office:annotation><text:p>a<text:s text:c="3"/>b</text:p></table:table-cell>';
    const rows = `<table:table-header-rows>${openRow('name', 'day')}</table:table-header-rows><table:table-row>${noted}${date}</table:table-row>`;
    const shapes =
      '<table:shapes><draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame></table:shapes>';
    const pages =
      '<style:master-page><style:header><text:p>Secret</text:p></style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>';
    expect(textsOf(await read(table(shapes + rows), pages))).toEqual([
      'name: a b; day: 1960-01-01 00:00:10',
      'In a box',
      'Ann: Why?',
      'Secret',
    ]);
  });

  test('a merged cell counts for all its rows that have more', async () => {
    const merged = (text: string) =>
      `<table:table-cell table:number-rows-spanned="3"><text:p>${text}</text:p></table:table-cell>`;
    const town = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const covered = '<table:covered-table-cell table:number-columns-repeated="2"/>';
    const rows = [
      `${merged('North')}${merged('Sea')}${town('Oslo')}`,
      `${covered}${town('Alta')}`,
      covered,
      `${town('South')}${town('Hill')}${town('Rome')}`,
    ].map((cells) => `<table:table-row>${cells}</table:table-row>`);
    expect(textsOf(await read(table(openRow('region', 'kind', 'town') + rows.join(''))))).toEqual([
      'region: North; kind: Sea; town: Oslo',
      'region: North; kind: Sea; town: Alta',
      'region: South; kind: Hill; town: Rome',
    ]);
  });

  test('repeated cells and rows keep their places, and cannot fill the memory', async () => {
    const gap = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>';
    const far =
      '<table:table-row><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>';
    const { blocks } = await read(table(openRow('a', 'b', 'c') + gap + far));
    expect(blocks).toMatchObject([
      { text: 'a; b', layout: { sheet: 'S', row: 1 } },
      { text: 'c: x', layout: { sheet: 'S', row: 5 } },
    ]);
    const bomb =
      '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>7</text:p></table:table-cell></table:table-row>';
    const told = (await read(table(bomb))).blocks;
    expect(new Set(told.map(({ layout }) => layout?.row)).size).toBeLessThanOrEqual(1_000);
    expect(told.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(4_000_000);
    await expect(read(table(bomb.repeat(3)))).rejects.toMatchObject({ code: 'E1001', message: /too large/ });
  });
});
