import { expect, test } from '@jest/globals';
import { PDFDict, PDFName } from 'pdf-lib';
import { newPdf, type MadePdf } from '../support/files/pdf.js';
import { textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

/** Of the letters that are drawn. */
const hebrew = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x05d0 + letter.charCodeAt(0) - 0x61));
const drawn = (text: string) => [...text].reverse().join('');

/** The small letters of its font stand for Hebrew ones. */
async function inHebrew({ document, font }: MadePdf): Promise<Uint8Array> {
  await document.flush();
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfrange <20> <20> <0020> <61> <7a> <05d0> endbfrange endcmap`;
  const stream = document.context.register(document.context.flateStream(map));
  document.context.lookup(font.ref, PDFDict).set(PDFName.of('ToUnicode'), stream);
  return document.save();
}

test('lines of Hebrew are read from right to left, whole or in pieces', async () => {
  const pdf = await newPdf();
  const page = pdf.addPage();
  pdf.write(page, [drawn('abcd efg hijk'), drawn('lmno pqrs tu')], { x: 50, y: 100 });
  pdf.write(page, [drawn('cba')], { x: 400, y: 400 });
  pdf.write(page, [drawn('fed')], { x: 360, y: 400 });
  const { blocks } = await parseFile(
    { name: 'file.pdf', bytes: await inHebrew(pdf) },
    { ocrLanguages: ['eng'] },
  );
  expect(textsOf({ blocks })).toEqual([hebrew('abcd efg hijk lmno pqrs tu'), hebrew('cba fed')]);
});
