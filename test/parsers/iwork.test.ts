import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { keynote, numbers, pages } from '../../src/ingestion/parsers/iwork.js';
import { keynoteFile, numbersFile, pagesFile } from '../support/files/iwork.js';
import { archiveOf } from '../support/files/presentations.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';

describe('iWork since 2013', () => {
  test('a text keeps its order with the tables in it', async () => {
    expect(textsOf(await pages.parse(pagesFile(), noContext))).toEqual([
      'First words.',
      'name: Zoë; town: Oslo',
      'Last words.',
    ]);
  });

  test('slides come in order with their notes, without the templates', async () => {
    const { blocks } = await keynote.parse(keynoteFile(), noContext);
    expect(blocks).toEqual([
      { text: 'Plan', headings: [], layout: { slide: 1 } },
      { text: 'Words here.', headings: ['Café'], layout: { slide: 2 } },
      { text: 'Say it slowly.', headings: ['Café', 'Notes'], layout: { slide: 2 } },
    ]);
  });

  test('sheets keep texts beside their tables', async () => {
    const { blocks } = await numbers.parse(numbersFile(), noContext);
    expect(blocks[0]).toEqual({ text: 'Account 17', headings: ['Towns'], layout: { sheet: 'Towns' } });
    expect(blocks[1]?.text).toBe('name: Zoë; town: Oslo');
  });

  test('a document behind a password and one of another program are told', async () => {
    const locked = archiveOf({ 'Index/Document.iwa': 'x', '.iwph': 'hint' });
    await expect(pages.parse(locked, noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /encrypted/,
    });
    await expect(numbers.parse(keynoteFile(), noContext)).rejects.toMatchObject({ code: 'E1001' });
    await expect(pages.parse(numbersFile(), noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /no document of pages/,
    });
  });
});

describe("iWork '09", () => {
  const names =
    'xmlns:sfa="http://developer.apple.com/namespaces/sfa" xmlns:sf="http://developer.apple.com/namespaces/sf" xmlns:sl="http://developer.apple.com/namespaces/sl" xmlns:key="http://developer.apple.com/namespaces/keynote2" xmlns:ls="http://developer.apple.com/namespaces/ls"';
  const table = `<sf:tabular-model sf:name="Towns"><sf:grid sf:numcols="3" sf:numrows="2"><sf:datasource>
    <sf:t><sf:ct sfa:s="name"/></sf:t><sf:g/><sf:t><sf:ct sfa:s="year"/></sf:t>
    <sf:t><sf:ct sfa:s="Zoë"/></sf:t><sf:g sf:ct="1"/><sf:n sf:v="1999"/>
  </sf:datasource></sf:grid></sf:tabular-model>`;

  test('a text has its tables and links, headers once and no prompts', async () => {
    const xml = `<sl:document ${names}><sf:stylesheet><sf:p>Style</sf:p></sf:stylesheet>
      <sf:header><sf:text-body><sf:p>Top</sf:p></sf:text-body></sf:header>
      <sf:header><sf:text-body><sf:p>Top</sf:p></sf:text-body></sf:header>
      <sf:text-body><sf:p>One<sf:tab/>two<sf:br/></sf:p><sf:p><sf:ghost-text>Type here</sf:ghost-text></sf:p>
      <sf:p>See <sf:link href="http://a.example/">here</sf:link>.</sf:p></sf:text-body>${table}</sl:document>`;
    const bytes = archiveOf({ 'index.xml': xml });
    const texts = ['One\ttwo', 'See here (http://a.example/).', 'name: Zoë; year: 1999', 'Top'];
    expect(textsOf(await pages.parse(bytes, noContext))).toEqual(texts);
    const packed = archiveOf({ 'index.xml.gz': gzipSync(bytesOf(xml)) });
    expect(textsOf(await pages.parse(packed, noContext))).toEqual(texts);
  });

  test('slides have titles and notes, sheets names', async () => {
    const deck = `<key:presentation ${names}><key:theme-list><sf:p>Judul</sf:p></key:theme-list><key:slide-list><key:slide>
      <key:page><key:title-placeholder><sf:p>Café</sf:p></key:title-placeholder><key:body-placeholder><sf:p>Words</sf:p></key:body-placeholder></key:page>
      <key:notes><sf:p>Slowly</sf:p></key:notes></key:slide></key:slide-list></key:presentation>`;
    const { blocks } = await keynote.parse(archiveOf({ 'index.apxl': deck }), noContext);
    expect(blocks).toEqual([
      { text: 'Words', headings: ['Café'], layout: { slide: 1 } },
      { text: 'Slowly', headings: ['Café', 'Notes'], layout: { slide: 1 } },
    ]);
    const book = `<ls:document ${names}><ls:workspace ls:workspace-name="Data">${table}</ls:workspace></ls:document>`;
    expect((await numbers.parse(archiveOf({ 'index.xml': book }), noContext)).blocks).toEqual([
      {
        text: 'name: Zoë; year: 1999',
        headings: ['Data', 'Towns'],
        keepTogether: true,
        layout: { sheet: 'Data', row: 2 },
      },
    ]);
  });
});
