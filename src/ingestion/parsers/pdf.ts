import type { LiteParseConfig, ParsedPage } from '@llamaindex/liteparse';
import { OcrBudget } from './ocr/ocr-budget.js';
import { recognizePage } from './ocr/recognize.js';
import { Turns } from './ocr/turns.js';
import {
  parseSafely,
  type ParseContext,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { attachmentsOf } from './pdf/attachments.js';
import { titleOf } from './pdf/document-title.js';
import { drawingScaleOf, toScale } from './pdf/drawing-scale.js';
import { isConfirmed, isPicture, isTorn } from './pdf/is-picture.js';
import { PdfObjects } from './pdf/objects.js';
import { asParseError, isDamage, pdfBytes, repaired } from './pdf/open-pdf.js';
import { bodySizeOf, PageBlocks, type LaidOutPage } from './pdf/page-blocks.js';
import { withoutFields } from './pdf/page-notes.js';
import { withContents } from './pdf/page-references.js';
import { RunningLines } from './pdf/running-lines.js';
import { byDirection } from './pdf/segments.js';
import { spooled } from './pdf/spooled.js';
import { alignedTablesOf, tablesOf, withTablePlaces } from './pdf/tables.js';
import { turnedPages } from './pdf/turned-pages.js';
import { xfaBlocks } from './pdf/xfa-form.js';

/**
 * How many pages are read at a time. More take too much memory, but for each batch the library goes through
 * the list of pages again.
 */
const pagesAtOnce = 48;
const pagesMax = 20_000;

const options: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  // Markdown is not used, and takes as long as all the rest.
  outputFormat: 'text',
  extractBlocks: true,
  extractAnnotations: true,
  extractFormFields: true,
  includeComplexity: true,
  imageMode: 'off',
  extractLinks: false,
  continueOnPageError: true,
  maxPages: pagesMax,
  quiet: true,
};

/** Text, tables, form values, comments and attachments of a PDF; pages that are pictures are read by OCR. */
async function pdfDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  let pdf = pdfBytes(bytes);
  let blocks: ParsedBlock[];
  try {
    blocks = await spooled(pdf, (file) => readPages(file, context));
  } catch (error) {
    const mended = isDamage(error) ? repaired(pdf) : undefined;
    if (mended === undefined) throw asParseError(error);
    pdf = mended;
    blocks = await spooled(mended, (file) => readPages(file, context)).catch((again: unknown) =>
      Promise.reject(asParseError(again)),
    );
  }
  const objects = new PdfObjects(pdf);
  const form = xfaBlocks(objects);
  if (form.length > 0) blocks = form;
  for (const file of attachmentsOf(objects)) blocks.push(...(await context.readInner(file)));
  const title = titleOf(objects);
  return title ? { title, blocks } : { blocks };
}

async function readPages(pdf: Buffer | string, context: ParseContext): Promise<ParsedBlock[]> {
  const { LiteParse } = await import('@llamaindex/liteparse');
  const blocks = new PageBlocks();
  const running = new RunningLines();
  const pictures = new PictureReader(pdf, context);
  const scale = await drawingScaleOf(pdf);
  const settings = { ...options, emitWordBoxes: scale !== 1 };
  const library = new LiteParse(settings);
  let damage: unknown;
  for await (const { result } of library.parseBatches(pdf, { batchSize: pagesAtOnce })) {
    damage ??= result.pageErrors[0];
    const pages: LaidOutPage[] = [];
    for (const page of await upright(result.pages, pdf, settings))
      pages.push((await pictures.read(page)) ?? laidOut(toScale(page, scale)));
    const bodySize = bodySizeOf(pages);
    running.strip(pages, bodySize);
    for (const page of pages) blocks.addPage(page, bodySize);
  }
  const read = [...blocks.close(), ...pictures.unread()];
  const failure = damage ?? pictures.failure;
  if (read.length === 0 && failure !== undefined) throw asParseError(failure);
  return read;
}

/** The pages, with those whose text lies on its side read again as they are held to read them. */
async function upright(
  pages: readonly ParsedPage[],
  pdf: Buffer | string,
  settings: Partial<LiteParseConfig>,
): Promise<readonly ParsedPage[]> {
  const turned = turnedPages(pages);
  if (turned.length === 0) return pages;
  const { LiteParse } = await import('@llamaindex/liteparse');
  const targetPages = turned.map(({ page }) => page).join(',');
  const again = await new LiteParse({ ...settings, targetPages, pageOrientationCorrections: turned }).parse(
    pdf,
  );
  const byNumber = new Map(again.pages.map((page) => [page.pageNum, page]));
  return pages.map((page) => byNumber.get(page.pageNum) ?? page);
}

function laidOut(page: ParsedPage): LaidOutPage {
  const { upright: pieces, turned } = byDirection(page.textItems);
  const upright = withContents(pieces);
  const tables = tablesOf(page, upright);
  const segments = withTablePlaces(withoutFields(upright, page), tables);
  const running = { head: [], foot: [] };
  return {
    page,
    number: page.pageNum,
    height: page.height,
    segments,
    ...running,
    turned,
    tables,
    isOcr: false,
  };
}

/** Reads pages that are pictures by OCR, one at a time, as far as the budget allows. */
class PictureReader {
  private readonly budget = new OcrBudget();
  private readonly skipped: number[] = [];
  private readonly turns = new Turns();
  /** Why the first page that failed could not be read. */
  failure: unknown;

  constructor(
    private readonly pdf: Buffer | string,
    private readonly context: ParseContext,
  ) {}

  /** Reads a page; undefined for one that has text, or that may not be read any more. */
  async read(page: ParsedPage): Promise<LaidOutPage | undefined> {
    if (!isPicture(page, this.context.ocrLanguages)) return undefined;
    if (!this.budget.takePage()) {
      this.skipped.push(page.pageNum);
      return undefined;
    }
    const { width, height: lying, pageNum: number } = page;
    const { context, turns } = this;
    try {
      const asked = { number, width, height: lying, isTextWrong: isTorn(page.text) };
      const { segments, height } = await recognizePage(this.pdf, asked, { context, turns });
      const read = segments.map(({ text }) => text);
      if (read.length === 0 || isConfirmed(page, read)) return undefined;
      const tables = alignedTablesOf(segments);
      const placed = withTablePlaces(segments, tables);
      return { page, number, height, segments: placed, head: [], foot: [], turned: [], tables, isOcr: true };
    } catch (error) {
      // The other pages are still read.
      this.failure ??= error;
      return undefined;
    }
  }

  /** A block that says which pages were left out, so that nobody takes the text for the whole document. */
  unread(): ParsedBlock[] {
    const [first] = this.skipped;
    if (first === undefined) return [];
    const last = this.skipped.at(-1) ?? first;
    const text = `[${this.skipped.length} scanned pages between page ${first} and page ${last} were not read.]`;
    return [{ text, headings: [], layout: { page: first } }];
  }
}

export const pdf: Parser = {
  name: 'pdf',
  extensions: ['pdf'],
  contentTypes: ['application/pdf', 'application/x-pdf'],
  parse: (bytes, context) => parseSafely(() => pdfDocument(bytes, context)),
};
