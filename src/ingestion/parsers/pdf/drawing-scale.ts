import type { LiteParseConfig, ParsedPage, TextItem } from '@llamaindex/liteparse';

/** So many pages tell how large the type of a document is drawn. */
const probedPages = 4;
/** Fonts differ by a few hundredths: 11 points are drawn as 11.04. */
const scaleMax = 0.95;
/** A multiple of the type size: words of one phrase are not further apart, those of columns are. */
const phraseGapMax = 0.9;

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
  const textItems = page.textItems.flatMap((item) => {
    if (!item.fontSize || item.fontSize <= 1) return [item];
    return phrasesOf({ ...item, fontSize: item.fontSize * scale });
  });
  return { ...page, textItems };
}

function phrasesOf(item: TextItem): TextItem[] {
  const { words = [], fontSize = 0 } = item;
  if (item.rotation || words.map(({ text }) => text).join('') !== item.text.replace(/\s/g, '')) return [item];
  const phrases: TextItem[] = [];
  for (const { text, x, width } of words) {
    const before = phrases.at(-1);
    if (before && x - before.x - before.width < phraseGapMax * fontSize)
      phrases[phrases.length - 1] = {
        ...before,
        text: `${before.text} ${text}`,
        width: x + width - before.x,
      };
    else phrases.push({ ...item, text, x, width });
  }
  return phrases;
}
