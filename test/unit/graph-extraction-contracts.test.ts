import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { readGraph, saidIn } from '../support/read-graph.js';

// Parties by their labels or on lines of their own, invoices, and lists in the reports of companies.

const statedIn = (text: string, title = '') => saidIn(text, { title }, (time) => ` (${time})`);
const typeOf = (text: string, name: string) =>
  readGraph(text).entities.find((entity) => entity.name === name)?.type;

describe('parties that stand on lines of their own', () => {
  test.each<[string, string, string[]]>([
    [
      'with addresses and what they are called',
      'SERVICES AGREEMENT\n\nbetween\n\nKolben Freight GmbH\nHafenstr. 12, Hamburg\n(hereinafter "Client")\n\nand\n\nRivo Software Limited\n8 Leith Walk, Edinburgh\n(hereinafter "Contractor")\n\nEffective Date: 1 April 2023',
      ['Rivo Software Limited has_agreement_with Kolben Freight GmbH (1 April 2023)'],
    ],
    [
      'with numbers',
      'THIS AGREEMENT is made on 17 November 2022\n\nBETWEEN:\n\n(1) HELEN BERG (the "First Seller");\n(2) KOLBEN VENTURES LLP, a partnership (the "Second Seller"); and\n(3) RIVO HOLDINGS PLC, a company (the "Buyer").',
      [
        'HELEN BERG sold_to RIVO HOLDINGS PLC (17 November 2022)',
        'KOLBEN VENTURES LLP sold_to RIVO HOLDINGS PLC (17 November 2022)',
      ],
    ],
    [
      'with their parts below',
      'LOAN AGREEMENT\n\nby and between\n\nKOLBEN BANK\nas Lender\n\nand\n\nRIVO FARMS, INC.\nas Borrower',
      ['KOLBEN BANK lender_of RIVO FARMS'],
    ],
    [
      'a person of a street',
      'AGREEMENT between:\n(1) KOLBEN COUNCIL of Town Hall, Leeds; and\n(2) DR ANNA BERG of 14 Elm Avenue, Reading',
      ['KOLBEN COUNCIL has_agreement_with ANNA BERG'],
    ],
  ])('%s', (_, text, stated) => {
    expect(statedIn(text)).toEqual(stated);
  });

  test.each([
    'We have to choose between\nKolben Ltd\nand\nRivo Ltd\nbefore the contract ends.',
    'This deed is\nBetween\nrivers and mountains\nand\nthe town.',
  ])('silent: %s', (text) => {
    expect(statedIn(text)).toEqual([]);
  });
});

describe('parties of a sentence', () => {
  test.each([
    ['This agreement is between Rivo GmbH, a company registered in Austria, and Dr Oona Berg, a researcher.'],
    ['This agreement (the "Agreement") is between Rivo GmbH and Dr Oona Berg.'],
    ['The agreement between Dr Oona Berg and Rivo GmbH ends.'],
  ])('%s', (text) => {
    expect(statedIn(text)[0]).toMatch(/^(?:Rivo GmbH|Oona Berg) has_agreement_with (?:Rivo GmbH|Oona Berg)$/);
  });

  test.each([
    ['There is broad agreement between Rivo GmbH and Kolben Ltd on the aims.'],
    ['This agreement is between the parties named in Schedule 1, such as Rivo GmbH.'],
  ])('silent: %s', (text) => {
    expect(statedIn(text)).toEqual([]);
  });
});

describe('parties by their labels', () => {
  test.each<[string, string[]]>([
    ['Landlord: Kolben Estates Ltd  Tenant: Hana Hill', ['Kolben Estates Ltd landlord_of Hana Hill']],
    ['Landlord: Peter Hill, Tenant: Hana Berg', ['Peter Hill landlord_of Hana Berg']],
    ['Seller: Rivo Oy Buyer: Kolben AS Price: 300 EUR', ['Rivo Oy sold_to Kolben AS']],
    ['Lender: Kolben Bank   Borrower: Rivo Oy   Rate: 3 %', ['Kolben Bank lender_of Rivo Oy']],
    ['Customer: Kolben Ltd Contact: Hana Hill', ['Hana Hill works_for Kolben Ltd']],
    ['Name: Hana Hill Company: Kolben Ltd Position: Surgeon', ['Hana Hill works_for Kolben Ltd']],
    ['Landlord: see page 2  Tenant: to be confirmed', []],
    [
      'Landlord: Dolores Berg\nTenant(s): Kwame Hill and Lucy Hill\nTerm: 12 months from 1 September 2024',
      [
        'Dolores Berg landlord_of Kwame Hill (from 1 September 2024)',
        'Dolores Berg landlord_of Lucy Hill (from 1 September 2024)',
      ],
    ],
    [
      'Party A: Kolben Robotics B.V.\nParty B: Rivo Inc.',
      ['Kolben Robotics B.V. has_agreement_with Rivo Inc.'],
    ],
    ['Claimant: Kolben Ltd\nDefendant: Rivo plc', ['Kolben Ltd sued Rivo plc']],
    ['Funder: The Kolben Foundation\nGrantee: Friends of Rivo', ['Kolben Foundation funds Friends of Rivo']],
    [
      'Patient: Anna Berg\nConsultant: Dr. Tom Hill\nGP: Dr. Jo Lee, Elm Surgery',
      ['Tom Hill doctor_of Anna Berg', 'Jo Lee doctor_of Anna Berg'],
    ],
    [
      'Employee: Anna Berg\nEmployer: Kolben Ltd\nReports to: Tom Hill, Operations Director\nStart date: 6 January 2025',
      ['Anna Berg works_for Kolben Ltd (6 January 2025)', 'Anna Berg reports_to Tom Hill'],
    ],
    ['Customer: Kolben Bank\nContact: Anna Berg, IT Manager', ['Anna Berg works_for Kolben Bank']],
  ])('%s', (text, stated) => {
    expect(statedIn(text)).toEqual(stated);
  });

  test('a company with a legal form that is in no list is no person', () => {
    const text = 'Party A: Kolben Ltd\nParty B: Arvo Medikal OÜ';
    expect(typeOf(text, 'Arvo Medikal OÜ')).toBe('ORGANIZATION');
  });
});

describe('invoices', () => {
  const billed = 'Kolben Joinery invoiced Rivo Hotels Ltd (11 March 2024)';
  test.each<[string, string, string[]]>([
    [
      'the names below their labels',
      'INVOICE\n\nFrom:\nKolben Joinery\nUnit 4, Norwich\n\nBill to:\nRivo Hotels Ltd\nAttn: Anna Berg\n16 Park Row\n\nInvoice date: 11 March 2024',
      [billed, 'Anna Berg works_for Rivo Hotels Ltd'],
    ],
    [
      'the letterhead of the sender',
      'Kolben Lighting Ltd\nTax Invoice 7781\n\nBilled To: Rivo Ltd\nShip To: Rivo Ltd, Leeds',
      ['Kolben Lighting Ltd invoiced Rivo Ltd'],
    ],
  ])('%s', (_, text, stated) => {
    expect(statedIn(text)).toEqual(stated);
  });

  test.each([
    ['a mail about one', 'Invoice 55 is attached.\n\nFrom: Anna Berg\nTo: Tom Hill\nSubject: Invoice 55'],
    ['a journey', 'Trip plan\n\nFrom: Lisbon\nTo: Porto\nCustomer: Anna Berg'],
  ])('silent: %s', (_, text) => {
    expect(statedIn(text)).toEqual([]);
  });
});

describe('reports of a company', () => {
  const head = 'Kolben Shipping AB (publ)\nHalf-year report 2025\n\n';
  test('rows below "Subsidiaries" are its own; what stands below a list is not of its last entry', () => {
    const rows = 'Subsidiaries\nCompany: Varga Pack Kft; Country: Hungary\nCompany: Rivo SA; Country: Spain';
    expect(statedIn(`${head}${rows}`)).toEqual([
      'Varga Pack Kft part_of Kolben Shipping AB',
      'Rivo SA part_of Kolben Shipping AB',
    ]);
    const list = 'Group companies:\n- Rivo Tankers AB, Gothenburg\n- Nordkai Terminals GmbH, Rostock\n\n';
    expect(
      statedIn(`${head}${list}Chief executive: Anna Berg\nLargest shareholder: Rivo Holding (38.2%)`),
    ).toEqual([
      'Rivo Tankers AB part_of Kolben Shipping AB',
      'Nordkai Terminals GmbH part_of Kolben Shipping AB',
      'Anna Berg works_for Kolben Shipping AB',
      'Rivo Holding has_stake_in Kolben Shipping AB',
    ]);
  });

  test('a heading may name it', () => {
    const chunks = [
      {
        headings: ['Kolben Biologics Q1 2025', 'Highlights'],
        text: 'Dr. Anna Berg joined as Chief Medical Officer.',
      },
    ];
    const { entities, relations } = extractGraph({ title: 'update', chunks });
    expect(relations.map(({ target }) => entities[target]?.name)).toEqual(['Kolben Biologics']);
  });

  test.each([
    [
      'Kolben Inc., a maker of lenses, today announced the appointment of Anna Berg as Chief Technology Officer.',
      true,
    ],
    ['The appointment of Anna Berg as CEO of Rivo was never announced by Kolben Inc.', false],
  ])('%s', (text, isStated) => {
    expect(statedIn(text)).toEqual(isStated ? ['Anna Berg works_for Kolben Inc.'] : []);
  });

  test('a report of nobody says nothing of a list', () => {
    expect(
      statedIn('Review\n\nSuppliers\nCompany: Kolben AB; Rating: B\nCompany: Rivo Ltd; Rating: A'),
    ).toEqual([]);
    expect(statedIn('Review\n- Kolben Ltd\n- Rivo GmbH\n\nChief executive: Anna Berg')).toEqual([]);
  });
});
