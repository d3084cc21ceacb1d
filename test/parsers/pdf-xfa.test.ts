import { expect, test } from '@jest/globals';
import { PDFBool, PDFName, PDFString } from 'pdf-lib';
import { newPdf } from '../support/files/pdf.js';
import { textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

const template = `<template xmlns="http://www.xfa.org/schema/xfa-template/2.8/"><subform name="form1">
  <draw><value><exData contentType="text/html"><body><p>Claim for</p><p>travel costs</p></body></exData></value></draw>
  <draw presence="hidden"><value><text>Office only</text></value></draw>
  <subform name="person">
    <field name="family"><ui><textEdit/></ui><caption><value><text>Family name:</text></value></caption></field>
    <field name="country"><ui><choiceList/></ui><caption><value><text>Country</text></value></caption>
      <items><text>Norway</text><text>Peru</text></items><items save="1"><text>NO</text><text>PE</text></items></field>
    <field name="pin"><ui><passwordEdit/></ui><caption><value><text>Code</text></value></caption></field>
    <exclGroup name="answer">
      <field name="answer"><ui><checkButton/></ui><caption><value><text>By train</text></value></caption><items><text>T</text></items></field>
    </exclGroup>
  </subform>
  <subform name="trip"><field name="to"><ui><textEdit/></ui><assist><toolTip>Destination</toolTip></assist></field></subform>
</subform></template>`;
const data = `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><lists><x>A & B</x></lists><xfa:data><form1>
  <person><family>Osthoff</family><country>PE</country><pin>4711</pin><answer>T</answer></person>
  <trip><to>Cusco</to></trip><trip><to>Lima</to></trip></form1></xfa:data></xfa:datasets>`;

async function formOf(parts: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const { document, addPage, write } = await newPdf();
  write(addPage(), ['Please wait. Your viewer may not be able to display this document.'], { x: 50, y: 100 });
  const { context, catalog } = document;
  const streams = Object.entries(parts).flatMap(([name, xml]) => [
    PDFString.of(name),
    context.register(context.flateStream(xml)),
  ]);
  catalog.set(PDFName.of('AcroForm'), context.register(context.obj({ Fields: [], XFA: streams })));
  catalog.set(PDFName.of('NeedsRendering'), PDFBool.True);
  return document.save();
}

test('a form that only some viewers draw is read from its template and what was filled in', async () => {
  const bytes = await formOf({ preamble: '<xdp>', template, datasets: data });
  const document = await parseFile({ name: 'a.pdf', bytes }, { ocrLanguages: [] });
  expect(textsOf(document)).toEqual([
    'Claim for travel costs',
    'Family name: Osthoff',
    'Country: Peru',
    'By train: Yes',
    'Destination: Cusco',
    'Destination: Lima',
  ]);
});

test('an empty form is read, and one whose template is damaged says what its page says', async () => {
  const read = async (parts: Readonly<Record<string, string>>) =>
    textsOf(await parseFile({ name: 'a.pdf', bytes: await formOf(parts) }, { ocrLanguages: [] }));
  expect(await read({ template })).toEqual([
    'Claim for travel costs',
    'Family name:',
    'Country',
    'Destination',
  ]);
  expect((await read({ template: 'no XML' }))[0]).toContain('Please wait');
});
