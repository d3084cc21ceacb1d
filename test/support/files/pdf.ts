import { createHash } from 'node:crypto';
import { concatTransformationMatrix, PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';
import type { Sample } from './sample.js';

export interface MadePdf {
  readonly document: PDFDocument;
  readonly font: PDFFont;
  /** A page of letter size in points, empty. */
  readonly addPage: () => PDFPage;
  /** Lines below each other from a place that is counted from the page's upper left corner. */
  readonly write: (
    page: PDFPage,
    lines: readonly string[],
    place: { x: number; y: number; size?: number },
  ) => void;
}

export async function newPdf(): Promise<MadePdf> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  return {
    document,
    font,
    addPage: () => document.addPage([612, 792]),
    write: (page, lines, { x, y, size = 10 }) =>
      lines.forEach((line, index) => {
        page.drawText(line, { x, y: 792 - y - size - index * size * 1.2, size, font });
      }),
  };
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Words at a place of a page, in points from its left and upper edge. */
export interface PlacedWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly isBold?: boolean;
}

/** A page with these words; with a scale, of type that is larger than it is drawn. */
export async function pdfOf(
  words: readonly PlacedWord[],
  { size: usual, scale = 1 }: { readonly size: number; readonly scale?: number },
): Promise<Uint8Array> {
  const { document, font, addPage } = await newPdf();
  const boldFont = await document.embedFont(StandardFonts.HelveticaBold);
  const page = addPage();
  if (scale !== 1) page.pushOperators(concatTransformationMatrix(scale, 0, 0, scale, 0, 0));
  for (const { text, x, y, size = usual, isBold = false } of words) {
    const place = { x: x / scale, y: (792 - y) / scale - size };
    page.drawText(text, { ...place, size, font: isBold ? boldFont : font });
  }
  return document.save();
}

/** One line of text behind a password, as PDF 1.3 encrypted; an empty one is what printers set. */
export function encryptedPdf(line: string, password: string): Buffer {
  const secret = Buffer.concat([Buffer.from(password), padding]).subarray(0, 32);
  const id = Buffer.alloc(16, 7);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-4);
  const owner = rc4(md5(secret).subarray(0, 5), secret);
  const key = md5(Buffer.concat([secret, owner, permissions, id])).subarray(0, 5);
  const content = Buffer.from(`BT /F 12 Tf 50 700 Td (${line}) Tj ET`);
  const data = rc4(md5(Buffer.concat([key, Buffer.from([4, 0, 0, 0, 0])])).subarray(0, 10), content);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const head = [
    '%PDF-1.3',
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R',
    '/Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj',
    `4 0 obj <</Length ${data.length}>>`,
    'stream\n',
  ].join('\n');
  const end = [
    '\nendstream endobj',
    `5 0 obj <</Filter /Standard /V 1 /R 2 /P -4 /O ${hex(owner)} /U ${hex(rc4(key, padding))}>> endobj`,
    `trailer <</Root 1 0 R /Encrypt 5 0 R /ID [${hex(id)} ${hex(id)}] /Size 6>>`,
    'startxref\n0\n%%EOF\n',
  ].join('\n');
  return Buffer.concat([Buffer.from(head), data, Buffer.from(end)]);
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** By hand: OpenSSL 3 has put it away. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}

export const pdfSamples: readonly Sample[] = [
  {
    extension: 'pdf',
    bytes: async () => {
      const { document, addPage, write } = await newPdf();
      const page = addPage();
      write(page, ['Top'], { x: 50, y: 100, size: 24 });
      write(page, ['Inner'], { x: 50, y: 150, size: 15 });
      write(page, ['Words here, enough of them to be', 'what the page is mostly made of.'], {
        x: 50,
        y: 200,
      });
      return document.save();
    },
    text: 'Words here, enough of them to be what the page is mostly made of.',
    headings: ['Top', 'Inner'],
    layout: { page: 1 },
  },
];
