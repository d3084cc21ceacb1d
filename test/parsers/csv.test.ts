import { expect, describe, test } from '@jest/globals';
import { bytesOf, textsOf as texts } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

describe('csv', () => {
  const parse = (source: string | Uint8Array) =>
    parseFile(
      { name: 'file.csv', bytes: typeof source === 'string' ? bytesOf(source) : source },
      { ocrLanguages: [] },
    );

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
    expect(texts(await parse(',2021,2022\nCash,10,20\nDebt,5,\n'))).toEqual([
      'Cash; 2021: 10; 2022: 20',
      'Debt; 2021: 5',
    ]);
    expect(texts(await parse(',2021,2022\n,10,20\n'))).toEqual(['2021; 2022', '10; 20']);
    expect(texts(await parse('name,town\n'))).toEqual(['name; town']);
    expect(texts(await parse('town\nOslo\nRome\n'))).toEqual(['town: Oslo', 'town: Rome']);
  });

  test('a first row of the kinds that stand below it is no header; years and steps of numbers are', async () => {
    expect(
      texts(await parse('1001,Ann,a@x.com,2021-03-04,350.00\n1002,Bob,b@x.com,2021-03-05,20.00\n')),
    ).toEqual(['1001; Ann; a@x.com; 2021-03-04; 350.00', '1002; Bob; b@x.com; 2021-03-05; 20.00']);
    expect(texts(await parse('INV-2041,Ann,open\nINV-2042,Bob,paid\n'))[0]).toBe('INV-2041; Ann; open');
    expect(texts(await parse('Region,2021,2022\nNorth,1800,1900\n'))).toEqual([
      'Region: North; 2021: 1800; 2022: 1900',
    ]);
    expect(texts(await parse('Customer,30,60,90\nAcme,100,200,300\n'))).toEqual([
      'Customer: Acme; 30: 100; 60: 200; 90: 300',
    ]);
    expect(texts(await parse('8 €,12 kg\n9 €,3 kg\n'))).toEqual(['8 €; 12 kg', '9 €; 3 kg']);
    expect(texts(await parse('Order,Customer,Date\nA-100,Ann,2024-01-02\n'))).toEqual([
      'Order: A-100; Customer: Ann; Date: 2024-01-02',
    ]);
  });

  test('fields of a form have no header', async () => {
    const { blocks } = await parse('Lease,\nLandlord,Ann Berg\nTenant,Ola Moe\nRent,"1,180"\n');
    expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
      ['Lease', { row: 1 }],
      ['Landlord: Ann Berg', { row: 2 }],
      ['Tenant: Ola Moe', { row: 3 }],
      ['Rent: 1,180', { row: 4 }],
    ]);
  });

  test('in one column a text is no name of what stands below it; names of several lines are told in one', async () => {
    expect(texts(await parse('"To do:\nfirst"\nsecond\n'))).toEqual(['To do:\nfirst', 'second']);
    expect(texts(await parse('Well,"Depth\n(m)"\nA,5\n'))).toEqual(['Well: A; Depth (m): 5']);
  });

  test('a row that is too wide for a chunk says in each part what it is about', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Reading ${index + 1}`);
    const { blocks } = await parse(
      `Probe,${names.join()}\nP-1,${names.map((_, index) => index * 3).join()}\n`,
    );
    expect(blocks.length).toBeGreaterThan(1);
    for (const { text, layout } of blocks) {
      expect(text).toMatch(/^Probe: P-1; Reading \d+: \d+;/);
      expect(text.length).toBeLessThan(1_500);
      expect(layout).toEqual({ row: 2 });
    }
    expect(texts({ blocks }).join()).toContain('Reading 200: 597');
  });

  test.each([
    ['beside the first name', 'Region,2023,,2024,\n,Units,Revenue,Units,Revenue\n'],
    ['above the others', ',2023,,2024,\nRegion,Units,Revenue,Units,Revenue\n'],
  ])('names of groups %s are told with the names below them', async (_, header) => {
    const { blocks } = await parse(`${header}North,1,2,3,4\nSouth,5,6,7,8\n`);
    expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
      ['Region: North; 2023 Units: 1; 2023 Revenue: 2; 2024 Units: 3; 2024 Revenue: 4', { row: 3 }],
      ['Region: South; 2023 Units: 5; 2023 Revenue: 6; 2024 Units: 7; 2024 Revenue: 8', { row: 4 }],
    ]);
  });

  test('units between the names of columns and the values take no names away', async () => {
    const { blocks } = await parse('Season,Chile,,Peru,\n,Fresh,Dried,Fresh,Dried\n,tons\n\n1997,3,4,5,6\n');
    expect(blocks.at(-1)).toMatchObject({
      text: 'Season: 1997; Chile Fresh: 3; Chile Dried: 4; Peru Fresh: 5; Peru Dried: 6',
    });
  });

  test('another table behind a blank row has names of its own; a blank row within one ends nothing', async () => {
    const tables =
      'Account,Balance\nCash,10\n\nSuppliers,\nName,City,Since\nAcme,Oslo,2001\nBolt,Rome,2002\n';
    expect((await parse(tables)).blocks.map(({ text, layout }) => [text, layout])).toEqual([
      ['Account: Cash; Balance: 10', { row: 2 }],
      ['Suppliers', { row: 4 }],
      ['Name: Acme; City: Oslo; Since: 2001', { row: 6 }],
      ['Name: Bolt; City: Rome; Since: 2002', { row: 7 }],
    ]);
    const gaps = 'Name,City,Amount\nAnn,Oslo,10\n\nBob,Rome,n/a\nCy,Bonn,12\n\nTotal,,22\n';
    expect(texts(await parse(gaps))).toEqual([
      'Name: Ann; City: Oslo; Amount: 10',
      'Name: Bob; City: Rome; Amount: n/a',
      'Name: Cy; City: Bonn; Amount: 12',
      'Name: Total; Amount: 22',
    ]);
  });

  test('tells the names of columns that no row fills, once and last', async () => {
    const rows = '1,,,4\n'.repeat(1_200);
    const { blocks } = await parse(`a,b,c,d\n${rows}1,,3,4\n`);
    expect(blocks).toHaveLength(1_202);
    expect(blocks.at(-1)).toEqual({ text: 'b', headings: [], keepTogether: true, layout: { row: 1 } });
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
