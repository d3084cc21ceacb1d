import { describe, expect, test } from '@jest/globals';
import { raisedText } from '../../src/ingestion/parsers/raised-text.js';
import { openDocumentFile } from '../support/files/open-document.js';
import { archiveOf, relationships, slide } from '../support/files/presentations.js';
import { bytesOf } from '../support/files/reading.js';
import { rtfFile } from '../support/files/rtf.js';
import { paragraph, run, wordFile } from '../support/files/word.js';
import { parseFile } from '../support/parse-file.js';

const said = 'A range of 10³ miles over 5 km², as Ann wrote[4] and H2O shows.';
const officeRuns = (raised: string) =>
  ['A range of 10', '3', ' miles over 5 km', '2', ', as Ann wrote', '4', ' and H2O shows.'].map(
    (text, index) => run(text, index % 2 === 1 ? raised : ''),
  );
const spans = (open: string, close: string) =>
  `A range of 10${open}3${close} miles over 5 km${open}2${close}, as Ann wrote${open}4${close} and H2O shows.`;

const files: readonly (readonly [string, () => Uint8Array])[] = [
  ['docx', () => wordFile({ body: paragraph(officeRuns('<w:vertAlign w:val="superscript"/>').join('')) })],
  [
    'pptx',
    () =>
      archiveOf({
        '_rels/.rels': relationships({ r: ['officeDocument', 'ppt/presentation.xml'] }),
        'ppt/presentation.xml':
          '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slides/slide1.xml'] }),
        'ppt/slides/slide1.xml': slide(
          'sld',
          `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${spans(
            '</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>',
            '</a:t></a:r><a:r><a:t>',
          )}</a:t></a:r></a:p></p:txBody></p:sp>`,
        ),
      }),
  ],
  [
    'odt',
    () =>
      openDocumentFile({
        styles:
          '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>',
        body: `<text:p>${spans('<text:span text:style-name="T1">', '</text:span>')}</text:p>`,
      }),
  ],
  ['rtf', () => rtfFile(`${spans('{\\super ', '}')}\\par`)],
  ['html', () => bytesOf(`<p>${spans('<sup>', '</sup>')}</p>`)],
];

describe('raised text', () => {
  test.each([
    ['3', 'of 10', '³'],
    ['-1', 'a speed of 4 m s', '⁻¹'],
    ['2+', 'of Ca', '²⁺'],
    ['1', 'at the harbour', '[1]'],
    ['1,2', 'Ann Schmidt', '[1,2]'],
    [' 7', 'as was said.', ' [7]'],
    ['st', 'on May 1', 'st'],
    ['[1]', 'at the harbour', '[1]'],
    ['2', '', '2'],
  ])('%j behind %j is written as %j', (raised, before, written) => {
    expect(raisedText(raised, before)).toBe(written);
  });

  test.each(files)('is no part of the word or number before it in %s', async (extension, bytes) => {
    const { blocks } = await parseFile({ name: `x.${extension}`, bytes: bytes() }, { ocrLanguages: ['eng'] });
    expect(blocks.map(({ text }) => text)).toEqual([said]);
  });

  test('the number of a note in a page is marked, whichever way it is linked', async () => {
    const links =
      'Keepers lived there<sup><a href="#fn1">1</a></sup> for weeks<a href="#n2" epub:type="noteref">2</a>, not ' +
      'years<a class="footnote-ref" href="#fn3"><sup>3</sup></a>.[<a href="#fn4">4</a>] See part <a href="#p5">5</a>.';
    const { blocks } = await parseFile(
      { name: 'x.html', bytes: bytesOf(`<p>${links}</p><p><a href="#fnref1">1</a>Until 1910.</p>`) },
      { ocrLanguages: ['eng'] },
    );
    expect(blocks.map(({ text }) => text)).toEqual([
      'Keepers lived there[1] for weeks[2], not years[3].[4] See part 5.',
      '[1] Until 1910.',
    ]);
  });
});
