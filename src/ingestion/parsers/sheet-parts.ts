import { chartNames } from './chart.js';
import { paragraphsOf } from './drawing-text.js';
import { readPart, referenceOf, relationshipsOf, type Parts } from './opc.js';
import type { Sheet } from './sheet-blocks.js';
import { childOf, childrenOf, descendantsOf, elementsOf, readXml, textOf } from './xml-reader.js';

/** Shorter words beside the number of a page are `Page` and `of`. */
const numberedCharactersMin = 12;

/** What stands beside the cells of each sheet, by its name: texts of drawings, charts, headers and footers of pages. */
export function sheetAsides(parts: Parts): Map<string, Sheet['asides']> {
  const links = relationshipsOf(parts, 'xl/workbook.xml');
  const sheets = childrenOf(childOf(readPart(parts, 'xl/workbook.xml'), 'sheets'), 'sheet');
  return new Map(
    sheets.map((sheet) => {
      const name = links.get(referenceOf(sheet))?.target ?? '';
      const drawings = [...relationshipsOf(parts, name).values()].filter(({ type }) => type === 'drawing');
      const texts = [
        ...drawings.flatMap(({ target }) => drawnTexts(parts, target)),
        ...pageTexts(parts, name),
      ];
      return [sheet.attributes.name ?? '', texts.map((text) => ({ text }))];
    }),
  );
}

function drawnTexts(parts: Parts, name: string): string[] {
  const root = readPart(parts, name);
  const links = relationshipsOf(parts, name);
  return (root ? descendantsOf(root, 'txBody', 'chart') : []).flatMap((element) => {
    if (element.name === 'txBody') return paragraphsOf(element, links);
    const chart = readPart(parts, links.get(referenceOf(element))?.target ?? '');
    return chart ? [chartNames(chart)] : [];
  });
}

/** Of the printed pages. The element stands behind the cells, which may be a hundred megabytes of XML: found by its name. */
function pageTexts(parts: Parts, name: string): string[] {
  const bytes = parts.get(name);
  if (bytes === undefined) return [];
  const xml = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const element = 'headerFooter';
  const first = xml.indexOf(element, Math.max(0, xml.lastIndexOf('sheetData')));
  const last = xml.lastIndexOf(`${element}>`);
  if (first < 1 || last <= first) return [];
  const source = xml.subarray(xml.lastIndexOf('<', first), last + element.length + 1).toString('utf8');
  return [...new Set(elementsOf(readXml(source)).flatMap((part) => pageText(textOf(part))))];
}

/** The words of a header or footer: `&L`, `&C`, `&R` begin its parts, other codes are fonts, numbers and names. */
export function pageText(source: string): string[] {
  return source
    .replaceAll('&&', '\u0000')
    .split(/&[LCR]/)
    .map((part) => {
      const words = part.replace(/&(?:"[^"]*"|K[\dA-Fa-f]{6}|K\d\d[+-]\d{3}|\d+|.)/g, '').trim();
      return /&[PN]/.test(part) && words.length < numberedCharactersMin
        ? ''
        : words.replaceAll('\u0000', '&');
    })
    .filter((words) => words !== '');
}
