import { expect, test } from '@jest/globals';
import { isConfirmed } from '../../src/ingestion/parsers/pdf/is-picture.js';
import { pictureOf, png } from '../support/files/images.js';
import { newPdf } from '../support/files/pdf.js';
import { textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

test('codes that the library takes for garbled are kept as the file spells them', async () => {
  const { document, addPage, write } = await newPdf();
  const page = addPage();
  for (let y = 82; y < 150; y += 14) write(page, ['l10_qty_brkt'], { x: 50, y });
  const settings = { ocrLanguages: ['eng'] };
  const { blocks } = await parseFile({ name: 'file.pdf', bytes: await document.save() }, settings);
  expect(textsOf({ blocks })).toEqual([Array(5).fill('l10_qty_brkt').join(' ')]);
});

test('garbled text gives way to what OCR reads when that confirms hardly a word of it', () => {
  const page = (text: string, isGarbled: boolean) =>
    ({ text, complexity: { isGarbled } }) as unknown as Parameters<typeof isConfirmed>[0];
  const read = ['Dear Sir,', 'the invoice 2041 is due'];
  expect(isConfirmed(page('Dear Sir, xkq bvn tgh', true), read)).toBe(true);
  expect(isConfirmed(page('Ghdu Vlu, wkh lqyrlfh 2041 lv gxh', true), read)).toBe(false);
  expect(isConfirmed(page('', true), read)).toBe(false);
  // Little text on a picture may be read well and still not be all that the picture says.
  expect(isConfirmed(page('Dear Sir, the', false), read)).toBe(false);
});

test('the words behind a scan that are torn give way to those on it', async () => {
  const lines = [
    'The tenant pays the rent on the first day of a month,',
    'and the landlord sends a receipt within ten days.',
    'Repairs of the roof are the duty of the landlord.',
  ];
  const { document, font, addPage } = await newPdf();
  const page = addPage();
  const torn = lines.map((line) => line.replace(/(\w)\b/g, ' $1'));
  page.drawText(torn.join('\n'), { x: 30, y: 700, size: 10, lineHeight: 14, font, opacity: 0 });
  const blank = Array<string>(30).fill('');
  const scan = await document.embedPng(png(await pictureOf([...lines, ...blank], 24)));
  page.drawImage(scan, { x: 0, y: 0, width: 612, height: 792 });
  const file = { name: 'file.pdf', bytes: await document.save() };
  const { blocks } = await parseFile(file, { ocrLanguages: ['eng'] });
  expect(textsOf({ blocks })).toEqual([lines.join(' ')]);
});
