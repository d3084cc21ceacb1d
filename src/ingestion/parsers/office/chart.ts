import type { ParsedBlock } from '../parser.js';
import { tableBlocks } from '../tables/table-rows.js';
import { childOf, childrenOf, descendantsOf, textOf, type XmlElement } from '../xml/reader.js';
import { lineOf } from './drawing-text.js';

const pointsMax = 5_000;
const seriesMax = 200;

/** A chart as the table that it shows: a row per category, a column per series. */
export function chartBlocks(chartSpace: XmlElement, headings: readonly string[]): ParsedBlock[] {
  const chart = childOf(chartSpace, 'chart');
  const plot = childOf(chart, 'plotArea');
  if (plot === undefined) return [];
  const title = titleOf(chart);
  const under = title === '' ? [...headings] : [...headings, title];
  const series = descendantsOf(plot, 'ser').slice(0, seriesMax);
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
  const blocks = tableBlocks({ header, rows, headings: under });
  const names = chartNames(chartSpace);
  const named = names === title && blocks.length > 0 ? [] : [{ text: names, headings: [...headings] }];
  // Rows of a chart have no place in the document, so they get no row numbers.
  return [
    ...named,
    ...blocks.map(({ text, headings: path }) => ({ text, headings: path, keepTogether: true })),
  ];
}

/** The title of a chart and those of its axes. */
export function chartNames(chartSpace: XmlElement): string {
  const chart = childOf(chartSpace, 'chart');
  const axes = childrenOf(childOf(chart, 'plotArea'), 'catAx', 'valAx', 'dateAx', 'serAx');
  return [chart, ...axes]
    .map(titleOf)
    .filter((name) => name !== '')
    .join('; ');
}

function titleOf(element: XmlElement | undefined): string {
  const text = childOf(childOf(element, 'title'), 'tx');
  return lineOf(childOf(text, 'rich')) || [...points(text).values()].join(' ');
}

/**
 * The values that were stored when the chart was drawn, by their index; of several levels only the innermost.
 */
function points(source: XmlElement | undefined): Map<number, string> {
  const values = new Map<number, string>();
  if (source === undefined) return values;
  const direct = childOf(source, 'v');
  if (direct) values.set(0, textOf(direct).trim());
  const [level] = descendantsOf(source, 'lvl', 'strCache', 'numCache', 'strLit', 'numLit');
  for (const point of childrenOf(level, 'pt')) {
    const value = childOf(point, 'v');
    const index = Number(point.attributes.idx);
    if (value && Number.isSafeInteger(index)) values.set(index, textOf(value).trim());
  }
  return values;
}
