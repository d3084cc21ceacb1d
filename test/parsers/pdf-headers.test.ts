import { expect, test } from '@jest/globals';
import { byDirection } from '../../src/ingestion/parsers/pdf/segments.js';
import { tablesOf, withTablePlaces } from '../../src/ingestion/parsers/pdf/tables.js';
import { newPdf, type MadePdf } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

type Place = readonly [text: string, x: number, y: number];

async function blocksOf({ document }: MadePdf) {
  const bytes = await document.save();
  return (await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] })).blocks;
}

async function textsOf(places: readonly Place[]) {
  const pdf = await newPdf();
  const page = pdf.addPage();
  for (const [text, x, y] of places) pdf.write(page, [text], { x, y });
  return (await blocksOf(pdf)).map(({ text }) => text);
}

/** Figures set at the right, as spreadsheets print them: each ends where the one above ends. */
function figures(rows: readonly (readonly string[])[], { lefts = [50, 178, 242, 306, 370], y = 150 } = {}) {
  const right = (text: string, left: number) => left + 60 - text.length * 5.56;
  return rows.flatMap(([name = '', ...values], row) => [
    [name, lefts[0] ?? 0, y + row * 13] as const,
    ...values.map((text, at) => [text, right(text, lefts[at + 1] ?? 0), y + row * 13] as const),
  ]);
}

const staff = [
  ['North', '12', '30', '14', '20'],
  ['South', '40', '11', '38', '19'],
  ['West', '70', '10', '90', '21'],
];

test('names at the left of columns and figures at their right belong together, and groups to the names below', async () => {
  const header: Place[] = [
    ...([178, 306] as const).map((x, at) => [`${2024 + at}`, x, 124] as const),
    ...['Region', 'Staff', 'Guests', 'Staff', 'Guests'].map(
      (text, at) => [text, [50, 178, 242, 306, 370][at] ?? 0, 137] as const,
    ),
  ];
  expect(await textsOf([...header, ...figures(staff)])).toEqual([
    'Region: North; 2024 Staff: 12; 2024 Guests: 30; 2025 Staff: 14; 2025 Guests: 20',
    'Region: South; 2024 Staff: 40; 2024 Guests: 11; 2025 Staff: 38; 2025 Guests: 19',
    'Region: West; 2024 Staff: 70; 2024 Guests: 10; 2025 Staff: 90; 2025 Guests: 21',
  ]);
});

test('a numbered title above figures, or a line alone above several columns, names no column', async () => {
  const names: Place[] = ['Region', 'Staff', 'Guests', 'Boats', 'Crews'].map(
    (text, at) => [text, [50, 178, 242, 306, 370][at] ?? 0, 137] as const,
  );
  const title: Place = ['Table 2: Staff of the harbours', 200, 120];
  const [first, second] = await textsOf([title, ...names, ...figures(staff)]);
  expect([first, second]).toEqual([title[0], 'Region: North; Staff: 12; Guests: 30; Boats: 14; Crews: 20']);
  const sheet: Place = ['Harbours', 290, 114];
  expect((await textsOf([sheet, ...names, ...figures(staff)])).slice(0, 2)).toEqual([
    'Harbours',
    'Region: North; Staff: 12; Guests: 30; Boats: 14; Crews: 20',
  ]);
  const alone = await textsOf([['Harbours', 280, 137], ...figures(staff)]);
  expect(alone.slice(0, 2)).toEqual(['Harbours', 'North; 12; 30; 14; 20']);
});

test('what the library counts to the first row of a ruled table, but stands further above, stays text', () => {
  const piece = (text: string, x: number, y: number, size = 10) => {
    return { text, x, y, size, height: size, width: text.length * 5, bold: false };
  };
  const segments = [
    piece('Departures', 12, 20, 22),
    ...[piece('Port', 12, 60), piece('Departs', 112, 60), piece('Oslo', 12, 80), piece('noon', 112, 80)],
    ...[piece('Bergen', 12, 100), piece('dusk', 112, 100)],
  ];
  const row = (texts: readonly string[], y: number, height: number) =>
    texts.map((text, at) => ({ text, bbox: { x: 10 + 100 * at, y, width: 100, height } }));
  const block = {
    kind: 'table',
    bbox: { x: 10, y: 10, width: 200, height: 100 },
    header: row(['Departures Port', 'Departs'], 10, 65),
    rows: [row(['Oslo', 'noon'], 75, 20), row(['Bergen', 'dusk'], 95, 20)],
  };
  const page = { blocks: [block], complexity: { layout: { ruledTableCount: 1 } } };
  const tables = tablesOf(page as unknown as Parameters<typeof tablesOf>[0], segments);
  expect(tables.map(({ y, header }) => ({ y, header }))).toEqual([{ y: 60, header: ['Port', 'Departs'] }]);
  expect(withTablePlaces(segments, tables).map(({ text }) => text)).toEqual(['Departures', ' ']);
});

test('a name over several columns of a ruled table, which the library cuts, is given to each of them', () => {
  const row = (texts: readonly string[], y: number) =>
    texts.map((text, at) => ({ text, bbox: { x: 10 + 60 * at, y, width: 60, height: 20 } }));
  const piece = (text: string, x: number, y: number) => {
    return { text, x, y, size: 10, height: 10, width: text.length * 5, bold: true };
  };
  const body = [
    ['PX-410', '12', '80', '1.1'],
    ['PX-420', '20', '140', '2.2'],
  ];
  const named = (names: readonly string[]) => {
    const rows = [names, ...body].map((texts, at) => row(texts, 30 + 20 * at));
    const header = row(['Model', 'Flow', '(l/min)', ''], 10);
    const block = { kind: 'table', bbox: { x: 10, y: 10, width: 240, height: 80 }, header, rows };
    const page = { blocks: [block], complexity: { layout: { ruledTableCount: 1 } } };
    const segments = [piece('Model', 12, 15), piece('Flow (l/min)', 100, 15)];
    return tablesOf(page as unknown as Parameters<typeof tablesOf>[0], segments);
  };
  expect(named(['', 'min', 'max', 'Power (kW)'])).toMatchObject([
    { header: ['Model', 'Flow (l/min) min', 'Flow (l/min) max', 'Power (kW)'], rows: body },
  ]);
  expect(named(['PX-400', '8', '60', '0.9'])).toMatchObject([{ rows: [{ 0: 'PX-400' }, ...body] }]);
});

test('the size of type is not taken from lines without letters that fall below them', () => {
  const item = (text: string, height: number) => {
    return { text, height, x: 50, y: 100, width: 200, fontSize: 12, rotation: 0, fontName: 'Serif' };
  };
  const sizes = (...items: ReturnType<typeof item>[]) =>
    byDirection(items as unknown as Parameters<typeof byDirection>[0]).upright.map(({ size }) => size);
  const low = [item('Timber is stored here', 8.2), item('Lanterns are hidden', 8.2)];
  expect(sizes(...low)).toEqual([12, 12]);
  expect(sizes(...low, item('Ferries go to any port', 10.9))).toEqual([12, 12, 12]);
});

test('what touches the text before belongs to it, raised or not', () => {
  const item = (text: string, x: number, y: number, width: number) => {
    return { text, x, y, width, height: 10, fontSize: 10, rotation: 0, fontName: 'Serif' };
  };
  const items = [item('of 10', 50, 100, 30), item('6', 80.3, 97, 5), item('sites', 90, 100, 20)];
  const { upright } = byDirection(items);
  expect(upright.map(({ text, x, width }) => [text, x, width])).toEqual([
    ['of 106', 50, expect.closeTo(35.3)],
    ['sites', 90, 20],
  ]);
});
