import type { LiteParseConfig } from '@llamaindex/liteparse';
import { PicturePdf, pictureDpi } from '../image/picture-pdf.js';
import { brightnessOf, readRenderedPng, type RenderedPng } from '../image/rendered-png.js';
import type { ParseContext } from '../parser.js';
import { skewOf } from './skew.js';
import type { Angle } from './turns.js';

/** A page of a PDF, or an image file, as it is shown to Tesseract. */
export interface PagePicture {
  readonly file: Buffer | string;
  /** Its number in the file. */
  readonly page: number;
  /** By how much it is to be turned clockwise. */
  readonly angle: Angle;
  readonly dpi: number;
  readonly longerInches: number;
  /** Whether text that the page has beside its picture is wrong; the library would keep it. */
  readonly isTextWrong?: boolean;
}

/** Enough to tell by how much lines are askew. */
const longerSidePixels = 1000;

/** The options with which the library reads a picture, turned further by an angle. */
export function pictureOptions({ page, angle, dpi }: PagePicture, turn: Angle = 0): Partial<LiteParseConfig> {
  const turned = ((angle + turn) % 360) as Angle;
  return {
    dpi,
    targetPages: String(page),
    ...(turned !== 0 && { pageOrientationCorrections: [{ page, angle: turned }] }),
    numWorkers: 1,
    maxPages: Number.MAX_SAFE_INTEGER,
    quiet: true,
  };
}

/**
 * A picture whose lines are level: Tesseract reads only parts of a page that is askew by a degree, and nothing
 * of some. The picture itself if it is straight, and has no wrong text.
 */
export async function straightened(
  picture: PagePicture,
  context: Pick<ParseContext, 'progress'>,
): Promise<PagePicture> {
  const dpi = Math.min(picture.dpi, longerSidePixels / picture.longerInches);
  const small = await rendered({ ...picture, dpi });
  const degrees = small === undefined ? 0 : skewOf(brightnessOf(small));
  const large = degrees === 0 && !picture.isTextWrong ? undefined : await rendered(picture);
  if (large === undefined) return picture;
  context.progress?.();
  const { width, height, data } = large;
  const pdf = new PicturePdf(width, height, degrees);
  pdf.addStrip(pngDictionary(large), data, { top: 0, rows: height });
  return { ...picture, file: pdf.bytes(), page: 1, angle: 0, dpi: pictureDpi };
}

/**
 * PDF has no picture of four channels that are red, green, blue and opacity: they are read as the contrary of
 * cyan, magenta and yellow, and as no black at all.
 */
function pngDictionary({ width, height }: RenderedPng): string {
  return (
    `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 0 0] ` +
    `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 4 /Columns ${width} >>`
  );
}

async function rendered(picture: PagePicture): Promise<RenderedPng | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse');
  const options = { ...pictureOptions(picture), ocrEnabled: false, extractScreenshots: true };
  const { screenshots } = await new LiteParse(options).parse(picture.file);
  return screenshots[0] && readRenderedPng(screenshots[0].imageBuffer);
}
