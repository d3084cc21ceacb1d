import { describe, expect, test } from '@jest/globals';
import { saidIn } from '../support/read-graph.js';

// Who audits, advises, owns and supplies whom, and who is party to what.

const relationsOf = (text: string) => saidIn(text, {}, (time) => ` (${time})`);

describe('auditors, advisers and owners', () => {
  test.each<[string, string[]]>([
    [
      'The consolidated financial statements of Acme Systems plc were audited by Ernst & Young LLP.',
      ['Ernst & Young LLP audits Acme Systems plc'],
    ],
    [
      'The annual accounts of Acme Systems for 2023 were audited by Deloitte.',
      ['Deloitte audits Acme Systems (2023)'],
    ],
    [
      'Acme Systems makes lenses. Its accounts have been audited by Kolben Partners.',
      ['Kolben Partners audits Acme Systems'],
    ],
    ["Acme Systems' bankers are Kolben Bank.", ['Kolben Bank banker_of Acme Systems']],
    ['Kolben Partners is advising Acme Systems.', ['Kolben Partners adviser_of Acme Systems']],
    ['The sole shareholder of Acme Systems is Kolben AG.', ['Kolben AG has_stake_in Acme Systems']],
    ['Kolben AG owns 12.5% of Acme Systems.', ['Kolben AG has_stake_in Acme Systems']],
    ["Acme Systems' ultimate parent is Kolben AG.", ['Acme Systems part_of Kolben AG']],
    [
      'Ann Hill, a broker at Kolben Bank, lives in Oslo.',
      ['Ann Hill lives_in Oslo', 'Ann Hill works_for Kolben Bank'],
    ],
  ])('%s', (text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });

  test.each([
    'The talks about the accounts of Acme Systems were audited by nobody at Kolben AG.',
    'The accounts of Acme Systems have not been audited by Kolben Partners.',
    'Kolben AG owns 12.5% of Acme Systems shares in Oslo.',
  ])('silent: %s', (text) => {
    expect(relationsOf(text)).toEqual([]);
  });
});

describe('the parties of a contract', () => {
  test.each<[string, string[]]>([
    [
      'This lease is made between Kolben Properties LLP (the "Landlord") and Rivo & Rye Ltd (the "Tenant") on 20 May 2022.',
      [
        'Kolben Properties LLP has_agreement_with Rivo & Rye Ltd (20 May 2022)',
        'Kolben Properties LLP landlord_of Rivo & Rye Ltd (20 May 2022)',
      ],
    ],
    [
      'This Supply Agreement (the "Agreement") is entered into on 3 February 2024 by and between Kolben AS, a company incorporated in Norway with registered office at Storgata 14, Bergen ("Supplier"), and Rivo Rail Ltd, a company incorporated in England and Wales ("Customer").',
      [
        'Kolben AS has_agreement_with Rivo Rail Ltd (3 February 2024)',
        'Kolben AS supplier_of Rivo Rail Ltd (3 February 2024)',
      ],
    ],
    [
      'This Agreement ("DPA") is part of the contract between Kolben AS, acting as controller ("Controller"), and Rivo Ltd, acting as processor ("Processor").',
      ['Kolben AS has_agreement_with Rivo Ltd'],
    ],
    [
      'Kolben AS and Oslo University today signed a memorandum of understanding.',
      ['Kolben AS has_agreement_with Oslo University (today)'],
    ],
  ])('%s', (text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });

  test.each([
    'The proposed agreement between Kolben AS and Rivo Ltd was rejected.',
    'The contract between Kolben AS and its rivals, Tom Reed said, and Rivo Ltd is secret.',
  ])('silent: %s', (text) => {
    expect(relationsOf(text)).toEqual([]);
  });
});

describe('companies by their short names', () => {
  test.each<[string, string[]]>([
    [
      'Norvane Analytics GmbH makes lenses. Norvane acquired Rivo Ltd.',
      ['Norvane Analytics GmbH acquired Rivo Ltd'],
    ],
    [
      'Pellworth Sensors, a maker of cameras, grew. Pellworth is based in Oslo.',
      ['Pellworth Sensors based_in Oslo'],
    ],
    [
      'Harrow Dynamics plc ("Harrow") makes lenses. Harrow acquired Rivo Ltd.',
      ['Harrow Dynamics plc acquired Rivo Ltd'],
    ],
    ['Umeåland University is old. Ann Hill lives in Umeåland.', ['Ann Hill lives_in Umeåland']],
    [
      'Norvane Robotics grew. Anna Norvane lives in Oslo. Norvane left Rivo Ltd.',
      ['Anna Norvane lives_in Oslo', 'Norvane left Rivo Ltd'],
    ],
  ])('%s', (text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });
});

describe('what companies say of themselves and of others', () => {
  test.each<[string, string[]]>([
    ['Kolben AG said on Thursday it had agreed to buy Rivo Ltd.', ['Kolben AG acquired Rivo Ltd (planned)']],
    ["St. Brendan's Medical Center in Cork is closed.", ["St. Brendan's Medical Center based_in Cork"]],
    [
      'The board of Kolben AG has appointed Dr. Samuel Hill as chief executive, effective 1 September 2023.',
      ['Samuel Hill works_for Kolben AG (1 September 2023)'],
    ],
    [
      "Kolben AG grew. Kolben's founder and chief executive, Martin Hill, keeps the rest.",
      ['Martin Hill founded Kolben AG', 'Martin Hill works_for Kolben AG'],
    ],
    [
      'Kolben AG was started in 2019 by two engineers, Leo Castellan and Anna Berg.',
      ['Leo Castellan started Kolben AG (2019)', 'Anna Berg started Kolben AG (2019)'],
    ],
    [
      'Anna Berg has been president and CEO of Kolben AG since May 2020.',
      ['Anna Berg works_for Kolben AG (since May 2020)'],
    ],
    [
      'Anna Berg lived in Oslo until her death in 1974.',
      ['Anna Berg lives_in Oslo (until her death in 1974)'],
    ],
  ])('%s', (text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });

  test.each([
    // Whose company, and whose subsidiary, is open.
    'Tellura AG bought a stake. Separately, Brightline said Carla Mendes had left the company.',
    'Kolben AG agreed to advise nobody. In May the group sold its subsidiary Rivo Hydraulics.',
    'Anna Petrova will take over Rivo Ltd from you.',
    'Oliver Kemp, Procurement Director, signed.',
  ])('nobody else: %s', (text) => {
    expect(relationsOf(text).filter((each) => !/has_stake/.test(each))).toEqual([]);
  });
});

describe('minutes, reports and policies are of the company that issues them', () => {
  test.each<[string, string[]]>([
    [
      'Kolben Group – Minutes of the Board Meeting\n\nPresent: Anna Berg (Chair), Tom Larsen, Wei Zhang (CFO)',
      ['Anna Berg works_for Kolben Group', 'Wei Zhang works_for Kolben Group'],
    ],
    [
      'Kolben Group\nResults for the year ended 31 December 2023\n\nIt runs Rivo Hospital and Halden Clinic. The financial statements were audited by Mazars.',
      ['Mazars audits Kolben Group'],
    ],
  ])('%s', (text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });
});

test('each row of a table is of its own', () => {
  expect(
    relationsOf(
      'Service: Hosting; Owner: Jonas Keller; Until: May\nService: Mailgate; Owner: Lena Fischer; Until: June',
    ),
  ).toEqual(['Jonas Keller owns Hosting', 'Lena Fischer owns Mailgate']);
});

test('years to this day stand before the post', () => {
  const text =
    'Jonas Keller\n\n2019–today Engineering Manager, Kolben AG\n2014–2019 Developer, Rivo SE, Walldorf';
  expect(relationsOf(text)).toEqual([
    'Jonas Keller works_for Kolben AG (2019–today)',
    'Jonas Keller works_for Rivo SE (2014–2019)',
  ]);
});
