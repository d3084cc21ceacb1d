import { orUndefined } from '../office/office-parts.js';
import { sheetBlocks } from '../office/sheet-blocks.js';
import { Outline } from '../outline.js';
import type { InnerFile } from '../parser.js';
import { tableBlocks } from '../tables/table-rows.js';
import { childOf, childrenOf, descendantsOf, elementsOf, readXml, textOf } from '../xml/reader.js';
import type { XmlElement } from '../xml/reader.js';
import type { OpenDocumentParts } from './package.js';
import { lineText, readSheets } from './sheets-reader.js';
import { OpenDocumentStory } from './story.js';
import { OpenDocumentStyles, stylesIn } from './styles.js';

/** How a chart says that it has no value. */
const noNumber = 'NaN';

/**
 * The objects within a document: charts, formulas, spreadsheets, drawings and texts, each in a folder of its
 * own.
 */
export class EmbeddedObjects {
  /** The objects of other programs that have been referred to. */
  readonly files: InnerFile[] = [];
  private readonly told = new Set<string>();

  /** With `areChartsOfCells` charts are read without their values. */
  constructor(
    private readonly parts: OpenDocumentParts,
    private readonly options: { readonly areChartsOfCells: boolean },
  ) {}

  /**
   * The texts of the object that a document refers to by `name`; `folder` is that of the document. Empty when
   * there is no such object, when it is damaged, and when it was read before: a file may refer to one as often
   * as it likes.
   */
  texts(name: string, folder = ''): string[] {
    const path = `${folder}${name.replace(/^\.\/|\/$/g, '')}`;
    if (this.told.has(path)) return [];
    this.told.add(path);
    const [file, source] = [this.parts.get(path), this.parts.get(`${path}/content.xml`)];
    if (file) this.files.push({ name: path, bytes: file });
    return (source && orUndefined(() => this.textsOf(source, `${path}/`))) ?? [];
  }

  private textsOf(source: Uint8Array, folder: string): string[] {
    const root = readXml(source);
    if (root.name === 'math') return [textOf(descendantsOf(root, 'annotation')[0] ?? root)];
    const [body] = childrenOf(root, 'body').flatMap(elementsOf);
    if (body === undefined) return [];
    const object = (name: string) => this.texts(name, folder);
    if (body.name === 'chart')
      return childrenOf(body, 'chart').flatMap((chart) => chartTexts(chart, this.options.areChartsOfCells));
    if (body.name === 'spreadsheet')
      return readSheets(source, object)
        .flatMap(sheetBlocks)
        .map(({ text }) => text);
    const styles = new OpenDocumentStyles();
    for (const style of stylesIn(root)) styles.take(style);
    const story = new OpenDocumentStory({ outline: new Outline(), styles, object, titled: () => undefined });
    const pages = childrenOf(body, 'page');
    return (pages.length > 0 ? pages : [body]).flatMap((page) => story.texts(page));
  }
}

/** What stands in a chart, such as its titles and labels, and its rows of values. */
function chartTexts(chart: XmlElement, isOfCells: boolean): string[] {
  const besideTable = elementsOf(chart).filter(({ name }) => name !== 'table');
  const names = descendantsOf({ ...chart, children: besideTable }, 'p')
    .map((paragraph) => lineText(paragraph).trim())
    .filter((text) => text !== '');
  const title = [...new Set(names)].join('; ');
  const [header = [], ...rows] = isOfCells ? [] : descendantsOf(chart, 'table-row').map(cellsOf);
  const table = {
    header,
    rows: rows.map((cells, index) => ({ cells, row: index + 1 })),
    headings: [],
  };
  return [title, ...tableBlocks(table).map(({ text }) => text)];
}

function cellsOf(row: XmlElement): string[] {
  return childrenOf(row, 'table-cell').map((cell) => {
    const paragraph = childOf(cell, 'p');
    const text = paragraph ? lineText(paragraph).trim() : '';
    return text === noNumber ? '' : text;
  });
}
