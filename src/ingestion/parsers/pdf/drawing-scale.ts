import type { LiteParseConfig, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse';
import { isFigure } from '../tables/figures.js';

/** So many pages tell how large the type of a document is drawn. */
const probedPages = 4;
/** Fonts differ by a few hundredths: 11 points are drawn as 11.04. */
const scaleMax = 0.95;
/** A multiple of the type size: words of one phrase are not further apart, those of columns are. */
const phraseGapMax = 0.9;
/** The same between cells whose texts fill their columns: a space is narrower. */
const cellGapMin = 0.42;
/** So many phrases that begin or end at one place show that a column does. */
const alignedMin = 2;

const probe: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  outputFormat: 'text',
  extractTextMetadata: true,
  imageMode: 'off',
  extractLinks: false,
  continueOnPageError: true,
  maxPages: probedPages,
  quiet: true,
};

/**
 * By how much the type of a PDF is drawn smaller than its fonts say; 1 for most. Browsers draw pages to scale
 * (Chrome and weasyprint by 0.75, wkhtmltopdf by 0.6), and the library joins what is less than a font size apart:
 * so it takes cells of a table for one phrase.
 */
export async function drawingScaleOf(pdf: Buffer | string): Promise<number> {
  const { LiteParse } = await import('@llamaindex/liteparse');
  // The metadata are not asked for with the text itself, because short pieces are then missing.
  const { pages } = await new LiteParse(probe).parse(pdf);
  const scales = pages
    .flatMap(({ textItems }) => textItems)
    .flatMap(({ fontHeight = 0, fontSize = 0 }) => (fontSize > 1 ? fontHeight / fontSize : []))
    .sort((one, other) => one - other);
  const middle = scales[Math.floor(scales.length / 2)] ?? 1;
  return middle > 0 && middle < scaleMax ? middle : 1;
}

/** A page that is drawn to scale, with the size of its type as it is drawn, and its phrases apart. */
export function toScale(page: ParsedPage, scale: number): ParsedPage {
  if (scale === 1) return page;
  const apart = page.textItems.flatMap((item) => {
    if (!item.fontSize || item.fontSize <= 1) return [item];
    const drawn = { ...item, fontSize: item.fontSize * scale };
    return split(drawn, (gap, size) => gap >= phraseGapMax * size);
  });
  const figures = apart.flatMap((item) => split(item, areFigures));
  const isCommon = commonEdges(figures);
  return { ...page, textItems: figures.flatMap((item) => split(item, isCommon)) };
}

type Divides = (gap: number, size: number, words: { before: WordBox; next: WordBox }) => boolean;

/** Numbers of two columns: in a sentence hardly any two stand beside each other. */
const areFigures: Divides = (gap, size, { before, next }) =>
  gap >= cellGapMin * size && isFigure(before.text) && isFigure(next.text);

/** Divides phrases where several others on the page begin or end, as cells of a column do. */
function commonEdges(items: readonly TextItem[]): Divides {
  const [starts, ends] = [new Map<number, number>(), new Map<number, number>()];
  const count = (edges: Map<number, number>, x: number) =>
    [-1, 0, 1].reduce((sum, step) => sum + (edges.get(Math.round(x) + step) ?? 0), 0);
  for (const { x, width } of items) {
    starts.set(Math.round(x), (starts.get(Math.round(x)) ?? 0) + 1);
    ends.set(Math.round(x + width), (ends.get(Math.round(x + width)) ?? 0) + 1);
  }
  return (gap, size, { before, next }) =>
    gap >= cellGapMin * size &&
    (count(starts, next.x) >= alignedMin || count(ends, before.x + before.width) >= alignedMin);
}

/** The phrases of an item, divided where two of its words belong to different ones. */
function split(item: TextItem, divides: Divides): TextItem[] {
  const { words = [], fontSize = 0 } = item;
  if (item.rotation || words.map(({ text }) => text).join('') !== item.text.replace(/\s/g, '')) return [item];
  const phrases: WordBox[][] = [];
  for (const next of words) {
    const phrase = phrases.at(-1);
    const before = phrase?.at(-1);
    const gap = before ? next.x - before.x - before.width : 0;
    if (phrase && before && !divides(gap, fontSize, { before, next })) phrase.push(next);
    else phrases.push([next]);
  }
  return phrases.map((phrase) => phraseOf(item, phrase));
}

function phraseOf(item: TextItem, words: WordBox[]): TextItem {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return item;
  const text = words.map((word) => word.text).join(' ');
  return { ...item, text, x: first.x, width: last.x + last.width - first.x, words };
}
