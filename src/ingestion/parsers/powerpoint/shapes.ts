import type { ParsedBlock } from '../parser.js';
import { tableBlocks } from '../tables/table-rows.js';
import { numberAt, recordsWithin, recordTypes, type PowerPointRecord } from './records.js';
import { textsIn, type SlideText } from './text.js';

/** The texts of a shape with the kind of its placeholder (0 for none), or a table. */
export type SlideShape =
  { texts: readonly SlideText[]; placeholder: number } | { table: readonly ParsedBlock[] };

const isTableProperty = 0x039f;

/**
 * The shapes with text, in their order. `outline` holds the texts that the document itself stores for the
 * slide.
 */
export function shapesOf(page: PowerPointRecord, outline: readonly SlideText[]): SlideShape[] {
  return recordsWithin(page, recordTypes.drawing).flatMap((drawing) => groupShapes(drawing, outline));
}

function groupShapes(group: PowerPointRecord, outline: readonly SlideText[]): SlideShape[] {
  if (isTable(group)) return [{ table: tableOf(group, outline) }];
  return group.children.flatMap((child) => {
    if (child.type === recordTypes.shapeGroup) return groupShapes(child, outline);
    if (child.type !== recordTypes.shape) return [];
    const texts = textsOf(child, outline);
    return texts.length === 0 ? [] : [{ texts, placeholder: placeholderOf(child) }];
  });
}

function textsOf(shape: PowerPointRecord, outline: readonly SlideText[]): SlideText[] {
  return shape.children
    .filter(({ type }) => type === recordTypes.clientTextbox)
    .flatMap(({ children }) => {
      const reference = children.find(({ type }) => type === recordTypes.outlineTextReference);
      const referred = reference && outline[numberAt(reference, 0)];
      return [...(referred ? [referred] : []), ...textsIn(children)];
    });
}

function placeholderOf(shape: PowerPointRecord): number {
  return recordsWithin(shape, recordTypes.placeholder)[0]?.body[4] ?? 0;
}

/** Whether a group is a table. The properties of a group are those of its first shape. */
function isTable(group: PowerPointRecord): boolean {
  const options = group.children[0]?.children.find(({ type }) => type === recordTypes.tertiaryOptions);
  if (group.type !== recordTypes.shapeGroup || options === undefined) return false;
  for (let index = 0; index < options.instance && index * 6 + 6 <= options.body.length; index += 1) {
    const id = options.body.readUInt16LE(index * 6) & 0x3fff;
    if (id === isTableProperty) return (options.body.readUInt32LE(index * 6 + 2) & 1) === 1;
  }
  return false;
}

/**
 * Reads a table, whose cells are ordinary shapes: those with the same top form a row, those with the same
 * left edge a column.
 */
function tableOf(group: PowerPointRecord, outline: readonly SlideText[]): ParsedBlock[] {
  const cells = group.children.flatMap((shape) => {
    const anchor = shape.children.find(({ type }) => type === recordTypes.childAnchor);
    const text = textsOf(shape, outline)
      .flatMap(({ paragraphs }) => paragraphs)
      .join(' ');
    return anchor && anchor.body.length >= 8 && text !== ''
      ? [{ left: anchor.body.readInt32LE(0), top: anchor.body.readInt32LE(4), text }]
      : [];
  });
  const columns = new Map(sorted(cells.map(({ left }) => left)).map((left, index) => [left, index]));
  const lines = new Map(sorted(cells.map(({ top }) => top)).map((top, index) => [top, index]));
  const rows = [...lines.values()].map((index) => ({
    cells: Array<string>(columns.size).fill(''),
    row: index + 1,
  }));
  for (const { left, top, text } of cells) {
    const row = rows[lines.get(top) ?? 0];
    if (row) row.cells[columns.get(left) ?? 0] = text;
  }
  return tableBlocks({ header: rows[0]?.cells ?? [], rows: rows.slice(1), headings: [] });
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}
