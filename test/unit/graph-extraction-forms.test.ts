import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { wordedIn } from '../support/read-graph.js';

const statedIn = (lines: readonly string[], headings: readonly string[] = []) =>
  wordedIn(lines.join('\n'), { headings });

describe('fields say whom a record names, his role, company and superior', () => {
  const jane = 'Jane Roe works_for (CFO) Acme Ltd';
  const bob = 'Bob Lee works_for (CTO) Globex Inc';
  test.each<[string, string[], string[]]>([
    ['lines', ['Name: Jane Roe', 'Title: CFO', 'Company: Acme Ltd'], [jane]],
    ['a card', ['**Name:** Jane Roe / **Title:** CFO / **Company:** Acme Ltd'], [jane]],
    [
      'rows of a table',
      ['Name: Jane Roe; Title: CFO; Company: Acme Ltd', 'Name: Bob Lee; Title: CTO; Company: Globex Inc'],
      [jane, bob],
    ],
    [
      'records that begin with the company',
      ['Company: Acme Ltd; Name: Jane Roe; Title: CFO', 'Company: Globex Inc; Name: Bob Lee; Title: CTO'],
      [jane, bob],
    ],
    [
      'two of one company',
      ['Company: Acme Ltd', 'Name: Jane Roe', 'Title: CFO', 'Name: Bob Lee', 'Title: CTO'],
      [jane, 'Bob Lee works_for (CTO) Acme Ltd'],
    ],
    [
      'a superior',
      ['Employee: Dr. Wei Zhang', 'Employer: University of Oslo', 'Reports to: Prof. Ann Hill'],
      ['Wei Zhang works_for (at) University of Oslo', 'Wei Zhang reports_to (reports to) Ann Hill'],
    ],
    [
      'both who sign a contract',
      [
        'For the Supplier:',
        'Name: Jane Roe',
        'Title: CFO',
        'Company: Acme Ltd',
        'For the Customer:',
        'Name: Bob Lee',
        'Title: CTO',
        'Company: Globex plc',
      ],
      [jane, 'Bob Lee works_for (CTO) Globex plc'],
    ],
  ])('%s', (_, lines, stated) => {
    expect(statedIn(lines)).toEqual(stated);
  });

  test.each<[string, string[], string[]]>([
    [
      'names turned round',
      ['Name: Nowak, Paweł; Manager: de Vries, Ilse', 'Name: de Vries, Ilse; Manager: Hill, Ann Mary'],
      ['Paweł Nowak reports_to (manager) Ilse de Vries', 'Ilse de Vries reports_to (manager) Ann Mary Hill'],
    ],
    [
      'companies in the rows of a table',
      ['Company: Vitens; City: Zwolle; CEO: Ann Hill', 'Company: Nuon; City: Ghent; CEO: Bob Lee'],
      [
        'Vitens based_in (city) Zwolle',
        'Ann Hill works_for (ceo) Vitens',
        'Nuon based_in (city) Ghent',
        'Bob Lee works_for (ceo) Nuon',
      ],
    ],
    [
      'a city as an employer',
      ['Name: Jane Roe; Title: IT manager; Employer: City of Utrecht'],
      ['Jane Roe works_for (IT manager) City of Utrecht'],
    ],
  ])('%s', (_, lines, stated) => {
    expect(statedIn(lines)).toEqual(stated);
  });

  test.each<[string, string[]]>([
    ['a name and a town', ['Name: Roe, Warsaw; Manager: Hill, Accounting']],
    ['no company', ['Name: Jane Roe', 'Company: None']],
    ['nobody’s name', ['Name: Invoice export', 'Company: Acme Ltd']],
    ['the author of a page', ['Title: The CEO of Acme', 'Author: Jane Roe', 'Company: Acme Ltd']],
    ['whoever has the customer', ['Customer: Acme Ltd', 'Account manager: Bob Lee']],
  ])('silent: %s', (_, lines) => {
    expect(statedIn(lines)).toEqual([]);
  });
});

describe('fields under the name of a company are about it', () => {
  const stated = [
    'Anna Berg works_for (ceo) Acme Ltd',
    'Tom Hill founded (founder) Acme Ltd',
    'Globex vendor_of (vendors) Acme Ltd',
    'Initech vendor_of (vendors) Acme Ltd',
    'Acme Ltd part_of (parent company) Hooli Group',
    'Acme Ltd based_in (headquarters) Umeå',
    'Umeå located_in (,) Sweden',
  ];
  const fields = [
    '- **CEO:** Anna Berg',
    '- **Founder:** Tom Hill',
    '- **Vendors:** Globex and Initech',
    '- **Parent company:** Hooli Group',
    '- **Headquarters:** Umeå, Sweden',
  ];
  test.each<[string, string[], string[]]>([
    ['a line above them', ['Acme Ltd', '', ...fields], []],
    ['a heading in Markdown', ['# Acme Ltd', '', ...fields], []],
    ['the heading of the chunk', fields, ['Companies', 'Acme Ltd', 'Key Figures']],
    ['a field of its own', ['Company: Acme Ltd', ...fields], []],
  ])('%s', (_, lines, headings) => {
    expect(statedIn(lines, headings)).toEqual(stated);
  });

  test.each<[string, string[]]>([
    ['no heading', ['CEO: Anna Berg', 'CFO: Tom Hill']],
    ['a person’s name above them', ['Anna Berg', 'CEO: Tom Hill', 'Headquarters: Oslo']],
    ['a heading of another part', ['Acme Ltd', '', 'Dear Jane,', 'CEO: Anna Berg']],
    ['the owner of a page', ['Acme Ltd', 'Owner: Jane Roe', 'Reviewer: Bob Lee']],
    ['what is no name', ['Acme Ltd', 'CEO: vacant', 'Headquarters: 12 Mill Lane', 'Customers: 300']],
    ['prose behind a label', ['Acme Ltd', 'CEO: Anna Berg said that the plan is late.']],
  ])('silent: %s', (_, lines) => {
    expect(statedIn(lines)).toEqual([]);
  });
});

test.each<[string, string[], string[]]>([
  [
    'of the party before',
    ['Customer: Acme Ltd', 'Contact: Jane Roe', 'Plan: gold'],
    ['Jane Roe works_for (contact) Acme Ltd'],
  ],
  [
    'with the company',
    ['Media contact: Jane Roe, Acme Ltd, jane@acme.example'],
    ['Jane Roe works_for (at) Acme Ltd'],
  ],
  [
    'a role with the company',
    ['Landlord: Mill Estates Ltd', 'Agent: Jane Roe, Purple Key'],
    ['Jane Roe works_for (agent) Purple Key'],
  ],
])('a contact works for a company: %s', (_, lines, stated) => {
  expect(statedIn(lines)).toEqual(stated);
});

test('what a form does not state is read as before', () => {
  const { entities } = extractGraph({
    title: '',
    chunks: [{ text: 'Name: Jane Roe; Title: CFO; Company: Acme Ltd; Email: jane@acme.example' }],
  });
  expect(entities.map(({ name }) => name)).toEqual(['Acme Ltd', 'Jane Roe', 'jane@acme.example']);
});

test('an address in a field that a form states is named too', () => {
  const { entities } = extractGraph({
    title: '',
    chunks: [{ text: 'Press contact: Jane Roe, Acme Ltd, jane@acme.example' }],
  });
  expect(entities.map(({ name }) => name)).toEqual(['Acme Ltd', 'Jane Roe', 'jane@acme.example']);
});
