import { describe, expect, test } from '@jest/globals';
import { readGraph, statementsOf } from '../support/read-graph.js';

const said = (text: string) => statementsOf(readGraph(text)).sort();

describe('what people have done and where they belong', () => {
  test.each<[string, ...string[]]>([
    [
      'Ann Hill ran Kolben AG until May; her successor is Lena Brandt.',
      'Ann Hill leads Kolben AG',
      'Lena Brandt successor_of Ann Hill',
    ],
    [
      'Lena Brandt took over from Tom Berg as head of sales at Kolben AG.',
      'Lena Brandt succeeded Tom Berg',
      'Lena Brandt works_for Kolben AG',
    ],
    ['Lena Brandt will take over from Tom Berg.', 'Lena Brandt succeeded Tom Berg'],
    ['Tom Berg handed over the role to Lena Brandt.', 'Lena Brandt succeeded Tom Berg'],
    ['Lena Brandt took over from Penrose.', 'Lena Brandt succeeded Penrose'],
    ['Kessler left Rivo Ltd for Kolben AG.', 'Kessler left Rivo Ltd', 'Kessler works_for Kolben AG'],
    [
      'Lena Brandt left the Rivo Group to join the Helio Group.',
      'Lena Brandt left Rivo Group',
      'Lena Brandt works_for Helio Group',
    ],
    ['Ann Hill, D-Ariz., chairman of the Harbour Committee, spoke.', 'Ann Hill works_for Harbour Committee'],
    ['Lena Brandt appointed as CEO of Kolben AG', 'Lena Brandt works_for Kolben AG'],
    ['Lena Brandt will be appointed as CEO of Kolben AG.', 'Lena Brandt works_for Kolben AG'],
    ['I spoke to Petra Vogel of Bloomhaus about the order.', 'Petra Vogel works_for Bloomhaus'],
    ['Petra Vogel of Bloomhaus called yesterday.', 'Petra Vogel works_for Bloomhaus'],
    ['Hi Tom, this is Petra Vogel from Bloomhaus.', 'Petra Vogel works_for Bloomhaus'],
    ['Please contact Petra Vogel at Bloomhaus for details.', 'Petra Vogel works_for Bloomhaus'],
    ['My name is Petra Vogel and I work at Bloomhaus.', 'Petra Vogel works_for Bloomhaus'],
    ['The Employer, Cardew Mills Ltd, employs Joan Fairley.', 'Joan Fairley works_for Cardew Mills Ltd'],
    ['I called Marwick Legal. Their partner Fiona Gray left.', 'Fiona Gray works_for Marwick Legal'],
    ["My name is Petra Vogel and I'm with Bloomhaus Ltd.", 'Petra Vogel works_for Bloomhaus Ltd'],
    ['In 2015 Marco Rossi opened his own bakery, Forno Rosso.', 'Marco Rossi founded Forno Rosso'],
    ['Nadia Khan joins as Head of Legal on 1 May from Linklaters.', 'Nadia Khan left Linklaters'],
    [
      'Helio Labs hired Lena Brandt from Rivo Systems.',
      'Lena Brandt left Rivo Systems',
      'Lena Brandt works_for Helio Labs',
    ],
    [
      'Kofi Mensah has moved from Zalando to Helio Labs.',
      'Kofi Mensah left Zalando',
      'Kofi Mensah works_for Helio Labs',
    ],
    [
      'Kofi Mensah left Zalando for Helio Labs.',
      'Kofi Mensah left Zalando',
      'Kofi Mensah works_for Helio Labs',
    ],
    ['Kofi Mensah holds a PhD from Leiden University.', 'Kofi Mensah studied_at Leiden University'],
    [
      'Kofi Mensah earned a degree in physics at Leiden University.',
      'Kofi Mensah studied_at Leiden University',
    ],
    ['Ann Hill sits on the supervisory board of Kolben AG.', 'Ann Hill member_of Kolben AG'],
    ['Ann Hill was elected to the board of directors of Kolben AG.', 'Ann Hill member_of Kolben AG'],
    ['Ann Hill chairs the board of Kolben AG.', 'Ann Hill leads Kolben AG'],
    ["Ann Hill's novel Salt Road won the Orwell Prize.", 'Ann Hill created Salt Road'],
    [
      'Rui Duarte has two children, Ines Duarte and Rui Pedro Duarte.',
      'Ines Duarte child_of Rui Duarte',
      'Rui Pedro Duarte child_of Rui Duarte',
    ],
    ['Tom Berg reports directly to Ann Hill.', 'Tom Berg reports_to Ann Hill'],
    ['Kolben AG has appointed Ann Hill as managing director.', 'Ann Hill works_for Kolben AG'],
    [
      'Tom Berg and his wife Ines Duarte live in Porto.',
      'Ines Duarte lives_in Porto',
      'Tom Berg lives_in Porto',
      'Ines Duarte married_to Tom Berg',
    ],
    ['I met Keiko Mori, who runs business development at Takeda.', 'Keiko Mori works_for Takeda'],
    ['The contract is with Priya Raman, residing in Basel.', 'Priya Raman lives_in Basel'],
    [
      'Ruth Hill and Luc Maes are employees of Velamed.',
      'Ruth Hill works_for Velamed',
      'Luc Maes works_for Velamed',
    ],
    [
      '[09:03] Nils Frey: Joost van Dam is the head of purchasing at Tidewater. he took over from Marit Bos',
      'Joost van Dam succeeded Marit Bos',
    ],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations.sort());
  });

  test.each([
    'She is survived by her sister, Rose Tierney of Ewell.',
    'Lena Brandt did not take over from Tom Berg.',
    'Marco Rossi opened his own bakery, and Kolben AG closed.',
    'We met Petra Vogel at Bloomhaus.',
    'Nimbus took over from Globex in 2019.',
    'Your colleague Hanna Weiss wrote that Kolben AG was late.',
    'Did Kofi Mensah leave Zalando for Helio Labs?',
    'If Ann Hill sits on the board of Kolben AG, we stay.',
  ])('%s says nothing of the kind', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('what companies and things are to one another', () => {
  test.each<[string, ...string[]]>([
    [
      'This agreement is made by and between Kolben AG and Helio Labs Ltd.',
      'Kolben AG has_agreement_with Helio Labs Ltd',
    ],
    [
      'This Agreement is entered into by and between Kolben AG ("Supplier") and Rivo Systems GmbH ("Customer").',
      'Kolben AG has_agreement_with Rivo Systems GmbH',
      'Kolben AG supplier_of Rivo Systems GmbH',
    ],
    ['Rivo Systems is a wholly owned subsidiary of Kolben AG.', 'Rivo Systems part_of Kolben AG'],
    ["Kolben AG's subsidiary Rivo Systems opened a plant.", 'Rivo Systems part_of Kolben AG'],
    ["Kolben AG's parent company is Norden Holding.", 'Kolben AG part_of Norden Holding'],
    ['Norden, the parent company of Kolben AG, grew.', 'Kolben AG part_of Norden'],
    ['Kolben AG and Helio Labs signed a partnership.', 'Kolben AG partners_with Helio Labs'],
    ['The partnership between Kolben AG and Helio Labs ends.', 'Kolben AG partners_with Helio Labs'],
    [
      'The lease between the Rivo Group and the Helio Group ends.',
      'Rivo Group has_agreement_with Helio Group',
    ],
    ['Kolben AG, whose headquarters are in Oslo, grew.', 'Kolben AG based_in Oslo'],
    ['Norden Holding is the parent of Kolben AG.', 'Kolben AG part_of Norden Holding'],
    ['Kolben AG holds a 30 percent stake in Helio Labs.', 'Kolben AG has_stake_in Helio Labs'],
    [
      'Helio Labs raised 12 million dollars from Northgate Ventures.',
      'Northgate Ventures invested_in Helio Labs',
    ],
    [
      'Northgate Ventures led a 12 million dollar round in Helio Labs.',
      'Northgate Ventures invested_in Helio Labs',
    ],
    ['Kolben AG signed a contract with Helio Labs.', 'Kolben AG has_agreement_with Helio Labs'],
    ['Kolben AG and Helio Labs signed a supply agreement.', 'Kolben AG has_agreement_with Helio Labs'],
    ['Kolben AG completed its acquisition of Bloomhaus on Friday.', 'Kolben AG acquired Bloomhaus'],
    ['Bloomhaus was taken over by Kolben AG in March.', 'Kolben AG acquired Bloomhaus'],
    ['Kolben AG said its parent company, Norden Ltd, agreed.', 'Kolben AG part_of Norden Ltd'],
    ['Kolben AG supplies spare parts to Norden Ltd.', 'Kolben AG supplies Norden Ltd'],
    [
      "Kolben AG's main competitors are Sulzer and Grundfos.",
      'Grundfos competitor_of Kolben AG',
      'Sulzer competitor_of Kolben AG',
    ],
    ['Imatinib inhibits BCR-ABL.', 'Imatinib inhibits BCR-ABL'],
    ['BRCA1 interacts with RAD51.', 'BRCA1 interacts_with RAD51'],
    ['The capital of Bhutan is Thimphu.', 'Thimphu capital_of Bhutan'],
    [
      'Brandwik said on Tuesday that it had bought Toftal, a maker of propellers.',
      'Brandwik acquired Toftal',
    ],
    [
      'The licence is for Kartello AB, a company incorporated in Sweden with its registered office in Malmö.',
      'Kartello AB based_in Malmö',
    ],
    [
      'This agreement is entered into between Kolben AG ("Seller") and Toftal A/S ("Buyer").',
      'Kolben AG has_agreement_with Toftal A/S',
    ],
    ['Lumo Desk runs on Windows and macOS.', 'Lumo Desk runs_on Windows', 'Lumo Desk runs_on macOS'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });

  test.each([
    'Kolben AG has agreed to buy a stake in Helio Labs.',
    'Kolben AG did not sign a contract with Helio Labs.',
    'Kolben AG may complete its acquisition of Bloomhaus.',
    'An agreement between Kolben AG and Helio Labs was rejected.',
    'Kolben AG raised concerns from Northgate Ventures.',
  ])('%s says nothing', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('letters with a number are', () => {
  const typesOf = (text: string, title = '') =>
    readGraph(text, { title })
      .entities.filter(({ identifier }) => identifier !== null)
      .map(({ name, type }) => `${name} ${type}`);

  test.each<[string, ...string[]]>([
    ['The BP-3500 pump is made by Kolben AG. It fits model KX-200.', 'BP-3500 PRODUCT', 'KX-200 PRODUCT'],
    ['Article no. AB-1234 is sold out.', 'AB-1234 PRODUCT'],
    ['BP-3500 is out of stock.', 'BP-3500 OTHER'],
    ['PAY-12: fix rounding. PAY-13 comes later.', 'PAY-12 TICKET', 'PAY-13 TICKET'],
    ['Ticket OPS-14 was closed.', 'OPS-14 TICKET'],
    ['OPS-14 blocks PAY-77.', 'OPS-14 TICKET', 'PAY-77 TICKET'],
    ['Tom Berg fixed PAY-12.', 'PAY-12 TICKET'],
    ['- Fixed a crash in exports (QP-1841)', 'QP-1841 TICKET'],
  ])('what stands around them says: %s', (text, ...types) => {
    expect(typesOf(text)).toEqual(types);
  });

  test('tickets of the project that the item is of', () => {
    expect(typesOf('Waits for PAY-13 and BP-3500.', 'PAY-12 Rounding')).toEqual([
      'PAY-13 TICKET',
      'BP-3500 OTHER',
    ]);
  });
});
