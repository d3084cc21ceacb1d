import { describe, expect, test } from '@jest/globals';
import { openDocumentSlides, openDocumentText } from '../../src/ingestion/parsers/open-document.js';
import { openDocumentFile, type OpenDocumentParts } from '../support/files/open-document.js';
import { noContext, textsOf } from '../support/files/reading.js';

const parse = (parts: OpenDocumentParts) => openDocumentText.parse(openDocumentFile(parts), noContext);
const p = (content: string) => `<text:p>${content}</text:p>`;

describe('open-document', () => {
  test('tells notes, comments and text boxes behind their paragraph, once', async () => {
    const document = await parse({
      body: p(
        `One<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('Foot.')}</text:note-body></text:note>` +
          `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020</dc:date>${p('Why?')}</office:annotation>` +
          `<draw:frame><draw:text-box>${p('In a box')}</draw:text-box></draw:frame> more`,
      ),
    });
    expect(textsOf(document)).toEqual(['One[1] more', '[1] Foot.', 'Comment by Ann: Why?', 'In a box']);
  });

  test('leaves out what was deleted or is hidden', async () => {
    const document = await parse({
      styles:
        '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>',
      body:
        `<text:tracked-changes><text:changed-region><text:deletion>${p('gone')}</text:deletion></text:changed-region></text:tracked-changes>` +
        p(
          'a<text:change text:change-id="1"/><text:span text:style-name="T1">no</text:span><text:placeholder>no</text:placeholder>b',
        ) +
        `<text:section text:display="none">${p('no')}</text:section><text:section>${p('c')}</text:section>`,
    });
    expect(textsOf(document)).toEqual(['ab', 'c']);
  });

  test('keeps header rows, and bounds repeated cells and rows', async () => {
    const cells = (...texts: string[]) =>
      texts.map((text) => `<table:table-cell>${p(text)}</table:table-cell>`).join('');
    const document = await parse({
      body:
        `<table:table><table:table-header-rows><table:table-row>${cells('Name', 'Town')}</table:table-row></table:table-header-rows>` +
        `<table:table-row>${cells('Zoë')}<table:table-cell/><table:table-cell table:number-columns-repeated="99999999"/></table:table-row>` +
        `<table:table-row table:number-rows-repeated="99999999"><table:table-cell/></table:table-row>` +
        `<table:table-row>${cells('Ann', 'Oslo')}</table:table-row></table:table>`,
    });
    expect(textsOf(document)).toEqual(['Name: Zoë', 'Name: Ann; Town: Oslo']);
  });

  test('counts lists', async () => {
    const item = (content: string) => `<text:list-item>${content}</text:list-item>`;
    const document = await parse({
      styles:
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>' +
        '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>',
      body: `<text:list text:style-name="L">${item(p('one') + `<text:list>${item(p('inner'))}</text:list>`)}${item(p('two') + p('still'))}</text:list>`,
    });
    expect(textsOf(document)).toEqual(['1. one', 'a) inner', '2. two', 'still']);
  });

  test('tells page headers and footers once', async () => {
    const page = `<style:master-page><style:header>${p('Acme')}</style:header><style:footer>${p('Page 1')}</style:footer></style:master-page>`;
    const document = await parse({
      body: p('Text'),
      files: {
        'styles.xml': `<s:doc xmlns:s="a" xmlns:style="b" xmlns:text="c"><s:master-styles>${page}${page}</s:master-styles></s:doc>`,
      },
    });
    expect(textsOf(document)).toEqual(['Text', 'Acme', 'Page 1']);
  });

  test('puts what a slide says and its notes under its title', async () => {
    const frame = (content: string, kind = '') =>
      `<draw:frame ${kind}><draw:text-box>${content}</draw:text-box></draw:frame>`;
    const slides = openDocumentFile({
      kind: 'presentation',
      body:
        `<draw:page>${frame(p('Plan'), 'presentation:class="title"')}${frame(p('Click here'), 'presentation:placeholder="true"')}` +
        `<draw:frame><table:table><table:table-header-rows><table:table-row><table:table-cell>${p('A')}</table:table-cell><table:table-cell>${p('B')}</table:table-cell></table:table-row></table:table-header-rows>` +
        `<table:table-row><table:table-cell>${p('1')}</table:table-cell><table:table-cell>${p('2')}</table:table-cell></table:table-row></table:table></draw:frame>` +
        `<draw:custom-shape>${p('Shape')}</draw:custom-shape>` +
        `<presentation:notes>${frame(p('Say hello'), 'presentation:class="notes"')}${frame(p('1'), 'presentation:class="page-number"')}</presentation:notes></draw:page>`,
    });
    const { blocks } = await openDocumentSlides.parse(slides, noContext);
    expect(blocks).toEqual([
      { text: 'A: 1; B: 2', headings: ['Plan'], keepTogether: true, layout: { slide: 1, row: 2 } },
      { text: 'Shape', headings: ['Plan'], layout: { slide: 1 } },
      { text: 'Say hello', headings: ['Plan'], layout: { slide: 1 } },
    ]);
  });

  test('refuses what is encrypted or of another kind', async () => {
    const manifest = { 'META-INF/manifest.xml': '<m><f><manifest:encryption-data/></f></m>' };
    await expect(parse({ body: p('x'), files: manifest })).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('encrypted'),
    });
    await expect(parse({ kind: 'presentation', body: '' })).rejects.toMatchObject({ code: 'E1001' });
  });
});
