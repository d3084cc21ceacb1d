import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { readGraph, statementsOf } from '../support/read-graph.js';

// Lines as they stand in mails, lists, contracts and minutes of companies.

const relationsOf = (text: string) => statementsOf(readGraph(text));
const typesOf = (text: string) => readGraph(text).entities.map(({ name, type }) => `${name} ${type}`);

describe('what lines state', () => {
  test.each<[string, string, string[]]>([
    [
      'a signature with an address behind the company',
      'Marta Kowalczyk\nAccount Executive\nQuillstone GmbH | Torstraße 140 | 10119 Berlin',
      ['Marta Kowalczyk works_for Quillstone GmbH'],
    ],
    [
      'a company before the role',
      'Participants: Bjørn Hansen (Posten, CTO), Ingrid Solberg',
      ['Bjørn Hansen works_for Posten'],
    ],
    [
      'a label that names the company',
      'Customers of Quillstone: Halden Logistics, Brenner Foods.',
      ['Halden Logistics customer_of Quillstone', 'Brenner Foods customer_of Quillstone'],
    ],
    ['customers that were lost', 'Lost customers of Quillstone: Fabrikam, Tailspin Toys', []],
    ['customers of nobody', 'Customers of the future: Globex, Initech', []],
    [
      'no represented town',
      'Halden Logistics AS, Havnegata 7, 1606 Fredrikstad, represented by Priya Raman ("Customer")',
      [],
    ],
    [
      'a first name of somebody who was named in full',
      'Participants: Silje Moe (Posten, Procurement Manager), Marta\nSilje needs our SOC 2 report.',
      ['Silje Moe works_for Posten'],
    ],
  ])('%s', (_case, text, stated) => {
    expect(relationsOf(text)).toEqual(stated);
  });
});

describe('an annual report lists the officers of its company', () => {
  const officers = [
    'Ann Hill (1971), Chief Executive Officer, appointed 1 May 2016',
    'Tom Lindgren (Chair), appointed in 2017',
    'Prof. Dr. Wei Zhang, member since 2021',
  ].join('\n');
  const listed = (text: string, title = '') => {
    const { entities, relations } = extractGraph({ title, chunks: [{ text }, { text: officers }] });
    return relations.map(
      ({ source, predicate, target, temporalDetails }) =>
        `${entities[source]?.name} ${predicate} ${entities[target]?.name}, ${temporalDetails}`,
    );
  };
  const stated = [
    'Ann Hill works_for Vega Robotics BV, 1 May 2016',
    'Tom Lindgren works_for Vega Robotics BV, 2017',
    'Wei Zhang member_of Vega Robotics BV, since 2021',
  ];

  test('with the dates of their appointment, whether its title or its first lines name it', () => {
    expect(listed('Vega Robotics BV\nAnnual Report 2025\n\nReport of the Management Board')).toEqual(stated);
    expect(listed('Summary', 'Annual report of Vega Robotics BV')).toEqual(stated);
  });

  test.each([
    ['no report', 'Vega Robotics BV\nWelcome to our page'],
    ['a report of two', 'Vega Robotics BV\nGlobex Ltd\nAnnual Report 2025'],
    ['a report of nobody', 'Annual Report 2025'],
  ])('silent: %s', (_, text) => {
    expect(listed(text)).toEqual([]);
  });
});

test.each([
  ['Anna Berg is leaving Acme Corp. at the end of May.', 'planned, at the end of May'],
  ['Anna Berg is joining Acme Corp.', 'planned'],
  ['Anna Berg was leaving Acme Corp. in May.', 'May'],
])('%s', (text, details) => {
  expect(readGraph(text).relations.map(({ temporalDetails }) => temporalDetails)).toEqual([details]);
});

test('streets, towns behind postal codes and homes of companies are places', () => {
  expect(typesOf('The bill goes to Brenner Foods GmbH, Industriestraße 12, 70565 Gunzenhausen.')).toEqual([
    'Brenner Foods GmbH ORGANIZATION',
    'Industriestraße LOCATION',
    'Gunzenhausen LOCATION',
  ]);
  expect(typesOf('Acme Corp. is based in Chelsea.')).toContain('Chelsea LOCATION');
  expect(typesOf('HRB 12345 Globex')).not.toContain('Globex LOCATION');
});

test.each([
  ['Expenses are submitted in Personio.', 'Personio'],
  ['We sold our stake in Routely.', 'Routely'],
  ['Alert on pool usage in Grafana.', 'Grafana'],
])('%s names no place', (text, name) => {
  expect(typesOf(text)).not.toContain(`${name} LOCATION`);
});

test.each([
  'Deciders: the board',
  'KR1: more customers',
  'Geschäftsführerin: offen',
  'Each share of Common Stock entitles the holder to one vote.',
])('%s names nothing', (text) => {
  expect(typesOf(text)).toEqual([]);
});
