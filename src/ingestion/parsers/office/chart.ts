import type { ParsedBlock } from '../parser.js';
import { tableBlocks } from '../tables/table-rows.js';
import { childOf, childrenOf, descendantsOf, textOf, type XmlElement } from '../xml/reader.js';
import { lineOf } from './drawing-text.js';
import { chartNumber } from './chart-number.js';
import type { OfficePackage } from './office-package.js';
import { readPart } from './office-parts.js';

const pointsMax = 5_000;
const seriesMax = 200;

/** A chart as the table that it shows under its title: a row per category, a column per series. */
export function chartBlocks(
  chartSpace: XmlElement,
  headings: readonly string[],
  shapes: readonly string[] = [],
): ParsedBlock[] {
  const title = titleOf(childOf(chartSpace, 'chart'));
  const under = title === '' ? [...headings] : [...headings, title];
  // Rows of a chart have no place in the document, so they get no row numbers.
  const rows = chartRows(chartSpace).map((text) => ({ text, headings: under, keepTogether: true }));
  const names = chartNames(chartSpace, shapes);
  const named = names === title && rows.length > 0 ? [] : [{ text: names, headings: [...headings] }];
  return [...named, ...rows];
}

/** The rows of the table that a chart shows, each value with the name of its series. */
export function chartRows(chartSpace: XmlElement): string[] {
  const plot = childOf(childOf(chartSpace, 'chart'), 'plotArea');
  const series = plot ? descendantsOf(plot, 'ser').slice(0, seriesMax) : [];
  const categories = points(childOf(series[0], 'cat', 'xVal'));
  const columns = series.map((each) => points(childOf(each, 'val', 'yVal')));
  const indexes = new Set([categories, ...columns].flatMap((column) => [...column.keys()]));
  const rows = [...indexes]
    .sort((one, other) => one - other)
    .slice(0, pointsMax)
    .map((index) => ({
      cells: [categories, ...columns].map((column) => column.get(index) ?? ''),
      row: index + 1,
    }));
  const header = ['', ...series.map((each) => [...points(childOf(each, 'tx')).values()].join(' '))];
  return tableBlocks({ header, rows, headings: [] }).map(({ text }) => text);
}

/** What is written in a chart: its title and those of its axes, labels of its values, and the `shapes` drawn over it. */
export function chartNames(chartSpace: XmlElement, shapes: readonly string[] = []): string {
  const chart = childOf(chartSpace, 'chart');
  const plot = childOf(chart, 'plotArea');
  const axes = childrenOf(plot, 'catAx', 'valAx', 'dateAx', 'serAx');
  const labels = (plot ? descendantsOf(plot, 'dLbl', 'dlblRangeCache') : []).flatMap((label) =>
    label.name === 'dLbl' ? [lineOf(childOf(childOf(label, 'tx'), 'rich'))] : [...pointsIn(label).values()],
  );
  const names = [...[chart, ...axes].map(titleOf), ...labels, ...shapes].filter((name) => name !== '');
  return [...new Set(names)].join('; ');
}

/** The texts of SmartArt, in the order in which they were typed. */
export function diagramTexts(model: XmlElement | undefined): string[] {
  return childrenOf(childOf(model, 'ptLst'), 'pt')
    .filter(({ attributes }) => attributes.type === undefined || /^(?:node|asst)$/.test(attributes.type))
    .map((point) => lineOf(childOf(point, 't')))
    .filter((text) => text !== '');
}

/** The texts of the shapes that are drawn over the chart in a part. */
export function chartShapes(parts: OfficePackage, chart: string): string[] {
  return parts.related(chart, 'chartUserShapes').flatMap((name) => {
    const root = readPart(parts, name);
    return root ? descendantsOf(root, 'txBody').map(lineOf) : [];
  });
}

function titleOf(element: XmlElement | undefined): string {
  const text = childOf(childOf(element, 'title'), 'tx');
  return lineOf(childOf(text, 'rich')) || [...points(text).values()].join(' ');
}

/**
 * The values that were stored when the chart was drawn, by their index; for several levels all of them, the
 * outermost first.
 */
function points(source: XmlElement | undefined): Map<number, string> {
  const values = new Map<number, string>();
  if (source === undefined) return values;
  const direct = childOf(source, 'v');
  if (direct) values.set(0, textOf(direct).trim());
  const levels = descendantsOf(source, 'lvl');
  if (levels.length > 1) return underGroups(levels.map(pointsIn));
  const [level] = [...levels, ...descendantsOf(source, 'strCache', 'numCache', 'strLit', 'numLit')];
  return level ? pointsIn(level) : values;
}

/** Points under the names of their groups; a group begins at the index of its name. */
function underGroups([points = new Map(), ...groups]: readonly ReadonlyMap<number, string>[]): Map<
  number,
  string
> {
  const open = groups.map(() => '');
  return new Map(
    [...points].map(([index, text]) => {
      groups.forEach((group, level) => (open[level] = group.get(index) ?? open[level] ?? ''));
      const names = [...open.toReversed(), text].filter((name) => name !== '');
      return [index, names.join(' ')];
    }),
  );
}

function pointsIn(cache: XmlElement): Map<number, string> {
  const values = new Map<number, string>();
  const format = childOf(cache, 'formatCode');
  const code = format ? textOf(format) : '';
  for (const point of childrenOf(cache, 'pt')) {
    const value = childOf(point, 'v');
    const index = Number(point.attributes.idx);
    const text = value && textOf(value).trim();
    if (text !== undefined && Number.isSafeInteger(index))
      values.set(index, chartNumber(text, point.attributes.formatCode ?? code));
  }
  return values;
}
