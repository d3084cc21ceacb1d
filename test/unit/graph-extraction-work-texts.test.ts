import { describe, expect, test } from '@jest/globals';
import { namedIn, readGraph, saidIn } from '../support/read-graph.js';

describe('what texts of work name', () => {
  test.each<[string, ...string[]]>([
    ['At Lumen Health I will be research lead.', 'Lumen Health OTHER'],
    ['For Japan I, too, changed my mind.', 'Japan LOCATION'],
    ['Elizabeth I ruled England.', 'Elizabeth I PERSON', 'England LOCATION'],
    ['World War II ended in 1945.', 'World War II EVENT'],
    ['cart keeps state in Redis, billing in Postgres 15.', 'Redis OTHER', 'Postgres OTHER'],
    ['Orders are indexed in Elasticsearch 7.17.', 'Elasticsearch OTHER'],
    ['Sessions are cached and logs end up in Splunk.', 'Splunk OTHER'],
    ['Ann Hill was born in Waxhaw.', 'Ann Hill PERSON', 'Waxhaw LOCATION'],
    ['We keep all our backups in Oslo.', 'Oslo LOCATION'],
    ['Wash the HEPA filter every two weeks.'],
    ['The mill in Pasco, Wash., was closed.', 'Pasco LOCATION', 'Wash. LOCATION'],
    ['Support hours are 9:00 to 18:00 JST, led by Hiro Sato.', 'Hiro Sato PERSON'],
    ['Fees are paid in JPY or CAD.'],
    ['My flight to Lisbon is TP 671 on Monday.', 'Lisbon LOCATION'],
    ['MiFID II Art. 16 applies.', 'MiFID II OTHER'],
    ['Noor Hill starts as Senior Backend Engineer.', 'Noor Hill PERSON'],
    ['Our Master Services Agreement ends.'],
    ['The Dayton Agreement ended the war.', 'Dayton Agreement EVENT'],
    ['Retest is on Monday. Standup is at nine.'],
    ['Service Credits are paid each month.'],
    ['Quiero devolverlo, no lo he abierto. ¿Quién paga el envío?'],
    ['Wie lange habe ich Garantie?'],
    ['We moved from Datadog to New Relic.', 'Datadog OTHER'],
    ['Acme Corp uses New Relic.', 'Acme Corp ORGANIZATION', 'New Relic PRODUCT'],
    ['New Bedford and New Castle are towns.', 'New Bedford LOCATION', 'New Castle LOCATION'],
    ['The Municipality of Utrecht paid.', 'Municipality of Utrecht LOCATION'],
    ['The wifi is called Casa_Figueira.', 'Casa_Figueira OTHER'],
    ['Tom Hill left Beta Ltd. The Senior Partner called.', 'Tom Hill PERSON', 'Beta Ltd ORGANIZATION'],
  ])('%s', (text, ...names) => {
    expect(namedIn(text)).toEqual(names);
  });

  test('a company is found without its legal form, too, unless that is somebody else', () => {
    const aliases = (text: string) =>
      readGraph(text).entities.map(({ name, aliases: also }) => [name, ...also]);
    expect(aliases('Vega Robotics SA makes arms.')).toEqual([['Vega Robotics SA', 'Vega Robotics']]);
    expect(aliases('Parcelo was sold. Parcelo GmbH makes shoes.')).toEqual([['Parcelo GmbH', 'Parcelo']]);
    expect(aliases('We sued Berlin Ltd in May.')).toEqual([['Berlin Ltd']]);
    expect(aliases('Omega LLC sued Omega.')).toEqual([['Omega LLC'], ['Omega']]);
  });
});

describe('what texts of work say', () => {
  test.each<[string, ...string[]]>([
    [
      'Ann Berg works for Acme Corp. Ann lives in Oslo.',
      'Ann Berg works_for Acme Corp',
      'Ann Berg lives_in Oslo',
    ],
    ['John Smith, CEO of Alpha Ltd, met John Smith of Beta Ltd.', 'John Smith works_for Alpha Ltd'],
    [
      'Since October 2026 Maria Conti has been CFO of Vega Robotics.',
      'Maria Conti works_for Vega Robotics, since October 2026',
    ],
    [
      'In 2019 Maria Conti founded Globex and works for Vega Robotics.',
      'Maria Conti founded Globex, 2019',
      'Maria Conti works_for Vega Robotics',
    ],
    [
      'Vega Robotics appointed Maria Conti as CFO, effective 1 October 2026.',
      'Maria Conti works_for Vega Robotics, 1 October 2026',
    ],
    ['From 2015 to 2018 Priya Raman worked at Google.', 'Priya Raman works_for Google, from 2015 to 2018'],
    [
      'Maria Conti joins Acme Corp on 1 May 2026 from Globex.',
      'Maria Conti works_for Acme Corp, 1 May 2026',
      'Maria Conti left Globex',
    ],
    [
      'Tom Hill is Chief Operating Officer of Vega Robotics since May 2021.',
      'Tom Hill works_for Vega Robotics, since May 2021',
    ],
    ['Tom Hill is Managing Director of Vega Robotics.', 'Tom Hill works_for Vega Robotics'],
    ['Tom Hill is Senior Partner of Larkspur Capital LLP.', 'Tom Hill works_for Larkspur Capital LLP'],
    ['Priya Raman is research lead at Lumen Health.', 'Priya Raman works_for Lumen Health'],
    ['Noor was hired as data lead of Vega Robotics.', 'Noor works_for Vega Robotics'],
    ['Tom Hill is a professor at Berkeley.', 'Tom Hill works_for Berkeley'],
    [
      'Noor Hill starts in May as an engineer, reporting to Marta Lindqvist.',
      'Noor Hill reports_to Marta Lindqvist',
    ],
    ['Best regards,\nYuto Mori\nYamato Transport', 'Yuto Mori works_for Yamato Transport'],
    [
      'Lease between Larkspur Capital LLP and Orbis Data GmbH, effective 1 March 2023.',
      'Larkspur Capital LLP has_agreement_with Orbis Data GmbH, 1 March 2023',
    ],
    ['A possible agreement between Acme Corp and Beta GmbH was discussed.'],
    ['There is no contract between Acme Corp and Beta GmbH.'],
    ['He took the lead at Monza.'],
    ['I am happy to announce that Acme Corp has acquired Globex.', 'Acme Corp acquired Globex'],
    ['They are to announce that Acme Corp has acquired Globex.'],
    [
      'Globex Ltd and Initech AB are wholly owned subsidiaries of Acme Corp.',
      'Globex Ltd part_of Acme Corp',
      'Initech AB part_of Acme Corp',
    ],
    ['Larkspur Capital LLP owns a 21% stake in Acme Corp.', 'Larkspur Capital LLP has_stake_in Acme Corp'],
    [
      'Larkspur Capital LLP holds 54% of the shares in Acme Corp.',
      'Larkspur Capital LLP has_stake_in Acme Corp',
    ],
    ['Larkspur Capital LLP acquired all shares of Acme Corp.', 'Larkspur Capital LLP acquired Acme Corp'],
    [
      'Larkspur Capital LLP acquired 12% of the shares of Acme Corp.',
      'Larkspur Capital LLP invested_in Acme Corp',
    ],
    ['Larkspur Capital LLP sold all shares of Acme Corp.'],
    [
      'Vega Robotics, the Lyon-based company owned by Acme Corp, grew.',
      'Acme Corp owns Vega Robotics',
      'Vega Robotics based_in Lyon',
    ],
    ['The sites of Globex and Initech are divisions of Acme Corp.'],
    [
      'Ann Hill and Bob Lee are directors of Acme Corp.',
      'Ann Hill works_for Acme Corp',
      'Bob Lee works_for Acme Corp',
    ],
    ['Tom Hill is an IT manager at the City of Utrecht.', 'Tom Hill works_for City of Utrecht'],
    ['The City of Utrecht is a customer of Acme Corp.', 'City of Utrecht customer_of Acme Corp'],
  ])('%s', (text, ...relations) => {
    expect(saidIn(text)).toEqual(relations);
  });
});
