import { archiveOf, relationships } from './presentations.js';
import type { Sample } from './sample.js';

const workbookNames =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

export interface SheetSource {
  readonly name: string;
  /** `<row>` elements. */
  readonly rows: string;
  /** What stands behind the rows. */
  readonly rest?: string;
  readonly links?: Readonly<Record<string, readonly [type: string, target: string]>>;
}

/** A workbook of these sheets; `styles` are codes of number formats, which cells refer to by their places from 1. */
export function xlsx(
  sheets: readonly SheetSource[],
  {
    strings = [],
    styles = [],
    parts = {},
  }: { strings?: readonly string[]; styles?: readonly string[]; parts?: Record<string, string> } = {},
): Uint8Array {
  const names = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  const formats = styles.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const cellFormats = ['<xf numFmtId="0"/>', ...styles.map((_, index) => `<xf numFmtId="${164 + index}"/>`)];
  const files: Record<string, string> = {
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook ${workbookNames}><sheets>${sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(names.map((name, index) => [`rId${index + 1}`, ['worksheet', name] as const])),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': `<sst ${workbookNames}>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${workbookNames}><numFmts>${formats.join('')}</numFmts><cellXfs>${cellFormats.join('')}</cellXfs></styleSheet>`,
    ...parts,
  };
  sheets.forEach(({ rows, rest = '', links = {} }, index) => {
    files[`xl/${names[index]}`] =
      `<worksheet ${workbookNames}><sheetData>${rows}</sheetData>${rest}</worksheet>`;
    files[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = relationships(links);
  });
  return archiveOf(files);
}

/** A row of texts, at the number given. */
export function textRow(row: number, ...texts: string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`);
  return `<row r="${row}">${cells.join('')}</row>`;
}

interface SheetWriter {
  utils: {
    book_new(): object;
    aoa_to_sheet(rows: unknown[][]): object;
    book_append_sheet(book: object, sheet: object, name: string): void;
  };
  write(book: object, options: { type: 'buffer'; bookType: string }): Buffer;
}

/** A binary workbook; cells are texts, numbers and cells of SheetJS. */
export async function xls(
  sheets: Readonly<Record<string, unknown[][]>>,
  bookType = 'biff8',
): Promise<Uint8Array> {
  const sheetJs = (await import('@e965/xlsx')) as unknown as SheetWriter;
  const { utils } = sheetJs;
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  return sheetJs.write(book, { type: 'buffer', bookType });
}

const openNames =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** A spreadsheet of OpenDocument from its `<table:table>` elements. */
export function ods(tables: string, pages = ''): Uint8Array {
  return archiveOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${openNames}><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${openNames}><office:master-styles>${pages}</office:master-styles></office:document-styles>`,
  });
}

export function openRow(...texts: string[]): string {
  return `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`;
}

const expected = { text: 'name: Zoë; town: Oslo', headings: ['Towns'], layout: { sheet: 'Towns', row: 2 } };

export const spreadsheetSamples: readonly Sample[] = [
  {
    extension: 'xlsx',
    bytes: () => xlsx([{ name: 'Towns', rows: textRow(1, 'name', 'town') + textRow(2, 'Zoë', 'Oslo') }]),
    ...expected,
  },
  {
    extension: 'xls',
    bytes: () =>
      xls({
        Towns: [
          ['name', 'town'],
          ['Zoë', 'Oslo'],
        ],
      }),
    ...expected,
  },
  {
    extension: 'ods',
    bytes: () =>
      ods(
        `<table:table table:name="Towns">${openRow('name', 'town')}${openRow('Zoë', 'Oslo')}</table:table>`,
      ),
    ...expected,
  },
];
