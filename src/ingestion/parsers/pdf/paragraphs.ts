import { bothCjk, commonSize, type Line } from './segments.js';

/** A paragraph; `table` is the index of the table that it stands for. */
export interface Paragraph {
  text: string;
  readonly lines: number;
  readonly size: number;
  readonly bold: boolean;
  readonly isItem: boolean;
  /** Whether it is a line of a table of contents. */
  readonly isEntry?: boolean;
  /** In how many columns its first line stands. */
  readonly columns: number;
  readonly table?: number;
}

const bullet =
  /^(?:[•◦▪‣●○■□➢✓·*–—-]\s|[•◦▪‣●○■□➢✓]|\(?(?:\d{1,3}|[a-z])[.)]\s|\[\d{1,3}\]\s?(?=[\p{Lu}"“]))/u;
/** The number of a reference, with the reference right behind it. */
const gluedNumber = /^(\[\d{1,3}\])(?=\p{Lu})/u;
/** A share of the column's width: a shorter line ends its paragraph, or belongs to a list. */
const fullWidthMin = 0.8;
const headingSizeRatioMax = 1.04;
/** How many times larger than the text the type of a title is. */
const largeTypeMin = 1.3;
/** A multiple of the type size: lines of a title are set further apart than those of text. */
const largeStepMax = 1.65;
const hyphenAtEnd = /\p{L}[-\u2010\u00ad]$/u;

/** Joins the lines of one column into paragraphs, and words that were divided at the end of a line. */
export function paragraphsOf(lines: readonly Line[]): Paragraph[] {
  const left = lines.reduce((least, line) => Math.min(least, line.x), Infinity);
  const right = lines.reduce((most, line) => Math.max(most, line.right), 0);
  const pitch = commonPitch(lines, left, right);
  const bodySize = commonSize(lines) ?? 0;
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const above = group?.at(-1);
    const goesOn =
      group && above && !endsItem(group, line) && continues(above, line, { pitch, left, right, bodySize });
    if (goesOn) group.push(line);
    else groups.push([line]);
  }
  return groups.map(toParagraph);
}

/**
 * The distance between the tops of most lines, in points. If there are full lines, only the lines below these
 * count, because among headings, lists and forms most steps are between paragraphs.
 */
function commonPitch(lines: readonly Line[], left: number, right: number): number {
  const steps = lines.slice(1).map((line, index) => {
    const above = lines[index] ?? line;
    const isFull = above.right - left >= fullWidthMin * (right - left);
    return { step: line.y - above.y, isFull, stepMax: 2.6 * above.size };
  });
  const near = steps.filter(({ step, stepMax }) => step > 0 && step < stepMax);
  const full = near.filter(({ isFull }) => isFull);
  const counted = (full.length > 0 ? full : near).map(({ step }) => step).sort((a, b) => a - b);
  return counted[Math.floor((counted.length - 1) / 2)] ?? 0;
}

/** Whether a line stands left of the text of a list item, or of its bullet, and so is not of the item. */
function endsItem([first, second]: readonly Line[], line: Line): boolean {
  if (first === undefined || !bullet.test(first.text)) return false;
  const edge = second !== undefined && second.x > first.x + 0.5 * first.size ? second.x : first.x;
  return line.x < edge - 0.5 * first.size;
}

interface Column {
  readonly pitch: number;
  readonly left: number;
  readonly right: number;
  readonly bodySize: number;
}

function continues(above: Line, line: Line, column: Column): boolean {
  if (above.table !== undefined || line.table !== undefined) return false;
  // Of headings, a small difference makes two levels.
  const sizeRatioMax = above.bold && line.bold ? headingSizeRatioMax : 1.15;
  if (Math.max(above.size, line.size) > sizeRatioMax * Math.min(above.size, line.size)) return false;
  if (bullet.test(line.text) || line.isNote || line.isEntry || above.isEntry) return false;
  const step = line.y - above.y;
  const isLarge =
    line.size > largeTypeMin * column.bodySize && above.bold === line.bold && isWrapped(above, line, column);
  if (step > Math.max(1.3 * column.pitch, (isLarge ? largeStepMax : 1.25) * line.size)) return false;
  if (above.bold !== line.bold && (above.bold || line.bold) && above.right < column.right - 3 * above.size)
    return false;
  const isIndented = line.x > column.left + 0.8 * line.size && above.x <= column.left + 0.5 * line.size;
  return !(isIndented && !bullet.test(above.text) && /[.!?:;"”)]$/.test(above.text));
}

/** Whether the first word of a line would not have fitted on the line above. */
function isWrapped(above: Line, line: Line, { left, right }: Column): boolean {
  const [word = ''] = line.text.split(' ', 1);
  const wordWidth = ((line.right - line.x) * word.length) / line.text.length;
  return above.right - above.x + wordWidth > right - left;
}

function toParagraph(lines: readonly Line[]): Paragraph {
  const [first] = lines as [Line];
  const text = joinLines(lines.map((line) => line.text)).replace(gluedNumber, '$1 ');
  const targets = new Set(lines.flatMap((line) => line.targets));
  return {
    text: targets.size > 0 ? `${text} (${[...targets].join(', ')})` : text,
    lines: lines.length,
    size: first.size,
    bold: lines.every((line) => line.bold),
    isItem: bullet.test(first.text) || first.isEntry === true,
    columns: first.columns,
    ...(first.isEntry && { isEntry: true }),
    ...(first.table !== undefined && { table: first.table }),
  };
}

function joinLines(texts: readonly string[]): string {
  const compounds = new Set(texts.join('\n').match(/\p{L}+-\p{L}+/gu));
  return texts.reduce((text, next) => joinTexts(text, next, compounds));
}

/**
 * Joins a line to the next. A hyphen at its end is dropped, unless the same word is written with one
 * elsewhere.
 */
export function joinTexts(text: string, next: string, compounds: ReadonlySet<string> = new Set()): string {
  if (bothCjk(text, next)) return text + next;
  if (!hyphenAtEnd.test(text) || !/^\p{Ll}/u.test(next)) return `${text} ${next}`;
  const start = /\p{L}+$/u.exec(text.slice(0, -1))?.[0] ?? '';
  const end = /^\p{L}+/u.exec(next)?.[0] ?? '';
  return compounds.has(`${start}-${end}`) ? text + next : text.slice(0, -1) + next;
}
