import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { saidIn } from '../support/read-graph.js';

const statedIn = (lines: readonly string[], headings: readonly string[] = [], title = '') =>
  saidIn(lines.join('\n'), { headings, title }, (time) => ` ${time}`);

describe('lines of a résumé are of whom it names first', () => {
  const fjordline = 'Tamara Eklund works_for Fjordline 2019–2022';
  test.each<[string, string[], string[]]>([
    ['years first', ['Tamara Eklund', '2019–2022: Senior Designer, Fjordline'], [fjordline]],
    [
      'years last',
      ['Tamara Eklund', 'Senior Designer, Fjordline, 2019 - 2022'],
      ['Tamara Eklund works_for Fjordline 2019 - 2022'],
    ],
    [
      'months, in brackets',
      ['Tamara Eklund', '- UX Designer at Klarna (Jan 2016 – present)'],
      ['Tamara Eklund works_for Klarna Jan 2016 – present'],
    ],
    [
      'a company that is called like a place',
      ['Tamara Eklund', '2022–present: Head of Design, Navan'],
      ['Tamara Eklund works_for Navan 2022–present'],
    ],
    ['the company first', ['Tamara Eklund', '2019–2022 | Fjordline | Senior Designer'], [fjordline]],
    [
      'degrees',
      ['Tamara Eklund', 'MSc Computer Science, Umeå University, 2015'],
      ['Tamara Eklund studied_at Umeå University 2015'],
    ],
    [
      'where she lives',
      ['Tamara Eklund', 'Gothenburg, Sweden', '2019–2022: Senior Designer, Fjordline'],
      [fjordline, 'Tamara Eklund lives_in Gothenburg', 'Gothenburg located_in Sweden'],
    ],
    [
      'the school first',
      ['Tamara Eklund', '2010 - 2015   Umeå University, Master in Design'],
      ['Tamara Eklund studied_at Umeå University 2010 - 2015'],
    ],
    [
      'years on a line of their own',
      ['Tamara Eklund', 'Fjordline, Oslo — Senior Designer', 'March 2019 – May 2022', '- Led a team of five'],
      ['Tamara Eklund works_for Fjordline March 2019 – May 2022'],
    ],
    [
      'three lines each',
      [
        'Tamara Eklund',
        'Senior Designer',
        'Fjordline',
        '(2019–2022)',
        '',
        'UX Designer',
        'Klarna',
        '2016–2019',
      ],
      [fjordline, 'Tamara Eklund works_for Klarna 2016–2019'],
    ],
    ['a field', ['Name: Tamara Eklund', '2019–2022: Senior Designer, Fjordline'], [fjordline]],
  ])('%s', (_, lines, stated) => {
    expect(statedIn(lines)).toEqual(stated);
  });

  test('its heading and its title name him too, for every chunk', () => {
    const line = '2019–2022: Senior Designer, Fjordline';
    expect(statedIn([line], ['Tamara Eklund', 'Experience'])).toEqual([fjordline]);
    expect(statedIn([line], [], 'CV Tamara Eklund')).toEqual([fjordline]);
    const chunks = [{ text: 'Tamara Eklund' }, { text: line }];
    expect(extractGraph({ title: '', chunks }).relations).toMatchObject([
      { predicate: 'works_for', chunk: 1 },
    ]);
  });

  test.each<[string, string[]]>([
    ['nobody is named', ['2019–2022: Senior Designer, Fjordline']],
    ['a post names nobody', ['Senior Designer', '2019–2022: Senior Designer, Fjordline']],
    ['no post', ['Tamara Eklund', '2019: The Fjord, Nordic Review']],
    ['a person', ['Tamara Eklund', '2019: Director, Thomas Lee']],
    ['a sentence', ['Tamara Eklund', '2019: Designer, Fjordline, left.']],
    ['a place', ['Tamara Eklund', '2019–2022: Senior Designer, Sweden']],
  ])('%s: nothing', (_, lines) => {
    expect(statedIn(lines)).toEqual([]);
  });
});

describe('fields of services', () => {
  test.each<[string, string[], string[]]>([
    [
      'what it needs and runs on',
      ['# billing-api', 'Runs on: AWS Fargate', 'Depends on: ledger-service, PostgreSQL 15'],
      [
        'billing-api runs_on AWS Fargate',
        'billing-api depends_on ledger-service',
        'billing-api depends_on PostgreSQL',
      ],
    ],
    [
      'who needs, owns and maintains it',
      ['Service: billing-api', 'Used by: checkout-web', 'Owner: Ola Nyberg', 'Maintainer: Greta Lindqvist'],
      [
        'checkout-web depends_on billing-api',
        'Ola Nyberg owns billing-api',
        'Greta Lindqvist maintains billing-api',
      ],
    ],
    [
      'several at once, as sentences list them',
      ['# billing-api', 'Depends on: ledger-service, catalog-db (read only), and mail-relay'],
      ['ledger-service', 'catalog-db', 'mail-relay'].map((name) => `billing-api depends_on ${name}`),
    ],
    [
      'each under its name',
      ['## search-indexer', '', '- Depends on: catalog-db', '', '## catalog-db', '', '- Runs on: Nomad'],
      ['search-indexer depends_on catalog-db', 'catalog-db runs_on Nomad'],
    ],
  ])('%s', (_, lines, stated) => {
    expect(statedIn(lines)).toEqual(stated);
  });

  test('under a heading of the chunk', () => {
    expect(statedIn(['Depends on: catalog-db'], ['Services', 'order-service'])).toEqual([
      'order-service depends_on catalog-db',
    ]);
  });

  test.each<[string, string[]]>([
    ['an owner of the page', ['# billing-api', 'Owner: Ola Nyberg', 'Status: Resolved']],
    ['a team', ['# billing-api', 'Owner: Team Payments', 'Runs on: two servers']],
    ['no service', ['# Holiday plans', 'Depends on: the weather']],
    ['nothing', ['# billing-api', 'Depends on: None']],
  ])('%s: nothing', (_, lines) => {
    expect(statedIn(lines)).toEqual([]);
  });
});

describe('where the person or the company of a form is', () => {
  test.each<[string, string[], string[]]>([
    [
      'a person',
      ['Name: Ilse Vanderhoeven', 'Company: Navan', 'City: Ghent'],
      ['Ilse Vanderhoeven works_for Navan', 'Ilse Vanderhoeven based_in Ghent'],
    ],
    ['his home', ['Name: Bob Lee', 'Lives in: Ghent'], ['Bob Lee lives_in Ghent']],
    [
      'a company',
      ['Company: Kettlewise GmbH', 'Location: Hamburg, Germany'],
      ['Kettlewise GmbH based_in Hamburg', 'Hamburg located_in Germany'],
    ],
    [
      'what it makes',
      ['Company: Halden Marine AS', 'Products: HaldenSense, HaldenCloud'],
      ['Halden Marine AS makes HaldenSense', 'Halden Marine AS makes HaldenCloud'],
    ],
    [
      'who reports',
      ['Reported by: Hanna Weiss (Brandt Logistik)'],
      ['Hanna Weiss works_for Brandt Logistik'],
    ],
  ])('%s', (_, lines, stated) => {
    expect(statedIn(lines)).toEqual(stated);
  });

  test.each<[string, string[]]>([
    ['no place', ['Company: Kettlewise GmbH', 'Location: Remote']],
    ['words', ['Company: Halden Marine AS', 'Products: Dairy, Cheese']],
    ['a page', ['# Kettlewise GmbH', 'Location: Hamburg']],
  ])('%s: nothing', (_, lines) => {
    expect(statedIn(lines)).toEqual([]);
  });
});

describe('labels are of what the title, a heading or the line above names', () => {
  const chair = 'Beryl Hawke works_for Tamber Allotment Society';
  test.each<[string, string[], string, string[]]>([
    ['minutes', ['Chair: Beryl Hawke.'], 'Minutes of Tamber Allotment Society, 12 March', [chair]],
    [
      'several on a line',
      ['Chair: Beryl Hawke. Treasurer: Demelza Hocking. Secretary: Anjali Rao.'],
      'Tamber Allotment Society',
      [
        chair,
        'Demelza Hocking works_for Tamber Allotment Society',
        'Anjali Rao works_for Tamber Allotment Society',
      ],
    ],
    [
      'its officers',
      ['Directors', 'Sir Desmond Achterberg (chair), Yevgenia Lisko (chief executive)'],
      'Annual report, Achterberg Holding NV',
      [
        'Desmond Achterberg works_for Achterberg Holding NV',
        'Yevgenia Lisko works_for Achterberg Holding NV',
      ],
    ],
    ['the line above', ['Tamber Allotment Society', 'Chair: Beryl Hawke'], '', [chair]],
    [
      'an account',
      ['Account manager: Beryl Hawke', 'Insurer: Meridian Mutual'],
      'Kestrel Foods Ltd',
      ['Beryl Hawke account_manager_of Kestrel Foods Ltd', 'Kestrel Foods Ltd insured_with Meridian Mutual'],
    ],
    ['a service', ['Owner: Ifeoma Balogun.'], 'Billing service', ['Ifeoma Balogun owns billing service']],
    [
      'behind other fields',
      ['Created by: Tom Larsen', '', 'Owner: Ifeoma Balogun.'],
      'Billing service',
      ['Ifeoma Balogun owns billing service'],
    ],
    ['a project', ['Project lead: Ifeoma Balogun'], 'Project Aurora', ['Ifeoma Balogun leads Aurora']],
    [
      'a contract',
      ['Landlord: Dart Estates Ltd. Tenant: Adeyemi Boats, owner Piers Adeyemi.'],
      'Lease of Unit 4',
      ['Dart Estates Ltd landlord_of Adeyemi Boats', 'Piers Adeyemi owns Adeyemi Boats'],
    ],
  ])('%s', (_, lines, title, relations) => {
    expect(statedIn(lines, [], title).sort()).toEqual(relations.sort());
  });

  test.each<[string, string[], string]>([
    ['a meeting', ['Chair: Beryl Hawke.'], 'Board meeting'],
    ['a meeting with somebody', ['Chair: Beryl Hawke.'], 'Meeting with Kestrel Foods Ltd'],
    ['two companies', ['Chair: Beryl Hawke.'], 'Kestrel Foods Ltd, Globex Ltd'],
    ['those of a meeting', ['Beryl Hawke (chair), Tom Larsen (treasurer)'], 'Board meeting'],
    ['a page', ['Owner: Beryl Hawke.'], 'Onboarding'],
    ['a ticket', ['Owner: Beryl Hawke', 'Component: auth-gateway'], 'OPS-412 Login fails'],
  ])('but silence: %s', (_, lines, title) => {
    expect(statedIn(lines, [], title)).toEqual([]);
  });
});
