import { describe, expect, test } from '@jest/globals';
import { namedIn, saidIn } from '../support/read-graph.js';

describe('where names end, and what they name', () => {
  test.each<[string, ...string[]]>([
    ['She wrote it under Pieter van der Meer.', 'Pieter van der Meer PERSON'],
    ['We met María José García de la Cruz.', 'María José García de la Cruz PERSON'],
    ['Willem de Groot called.', 'Willem de Groot PERSON'],
    ['Yun-hee Park chairs the committee.', 'Yun-hee Park PERSON'],
    ["He trained at King's College London.", "King's College London ORGANIZATION"],
    ["He applied at Guy's Hospital.", "Guy's Hospital ORGANIZATION"],
    ['Send it to Orbis Freight B.V. today.', 'Orbis Freight B.V. ORGANIZATION'],
    ['Ferrovia SpA paid Litware SARL.', 'Ferrovia SpA ORGANIZATION', 'Litware SARL ORGANIZATION'],
    ['Orbis Freight grew.', 'Orbis Freight ORGANIZATION'],
    ['The price of the $25M Series B round is known.'],
    ['All latencies are shown in Grafana.', 'Grafana OTHER'],
    ['Nadia Hill was born in Jena.', 'Nadia Hill PERSON', 'Jena LOCATION'],
    ['Contact: Jens Pohl, IT Operations Manager', 'Jens Pohl PERSON'],
    ['Ann Hill is VP of Customer Success.', 'Ann Hill PERSON'],
  ])('%s', (text, ...names) => {
    expect(namedIn(text)).toEqual(names);
  });

  test('where both ends of a relation may be the same, an unknown one beside a product is no person', () => {
    const text = 'Tessera is made by Acme Inc. The Tessera app works with SQL Server.';
    expect(namedIn('MariaDB works with SQL Server.')).toEqual(['MariaDB PRODUCT', 'SQL Server PRODUCT']);
    expect(namedIn(text).some((name) => name === 'SQL Server PERSON')).toBe(false);
  });

  test('a surname is that of whom the text has named by then, not of relatives that follow', () => {
    const text =
      'Elif Demir is a chemist. Demir lives in Haren. Her brother Emre Demir lives in Izmir. Demir wrote it.';
    expect(saidIn(text)).toContain('Elif Demir lives_in Haren');
    expect(namedIn(text).filter((name) => name.includes('Demir'))).toEqual([
      'Elif Demir PERSON',
      'Emre Demir PERSON',
    ]);
    expect(saidIn('Mara Voss and Jens Voss came. Voss lives in Kiel.')).toEqual(['Voss lives_in Kiel']);
  });
});

describe('what mails, notes and memories say', () => {
  test.each<[string, ...string[]]>([
    [
      'Best regards,\nLaura Meinhardt\nHead of Vendor Management | Brightwater Utilities Ltd.',
      'Laura Meinhardt works_for Brightwater Utilities Ltd.',
    ],
    ['Jonas Weber\nSenior Buyer, Contoso GmbH', 'Jonas Weber works_for Contoso GmbH'],
    [
      'Attendees: Jakub Nowak (Backend Lead), Tom Abara (Kestrel Design)',
      'Tom Abara works_for Kestrel Design',
    ],
    [
      'Questions go to Fatima Noor, VP of Customer Success, who reports to Marcus Feld.',
      'Fatima Noor reports_to Marcus Feld',
    ],
    ["Zalando's account manager was Ben Osei until January.", 'Ben Osei manages Zalando, until January'],
    ['Quentin left Stripe to join Adyen.', 'Quentin left Stripe', 'Quentin works_for Adyen'],
    ['Marco worked at Fiat until 2014, then moved to Eni.', 'Marco works_for Fiat, until 2014'],
    [
      'Mila Horvat met Tom Reed, the CEO of Delhaize, in Ghent.',
      'Mila Horvat met Tom Reed',
      'Tom Reed works_for Delhaize',
    ],
  ])('%s', (text, ...relations) => {
    expect(saidIn(text)).toEqual(relations);
  });

  test.each([
    "The docs say that Vault supports MySQL, but it doesn't.",
    'The wiki says Anna Berg works for Globex, which is not true.',
    'We heard that Anna Berg left Globex, but that is wrong.',
    'The vendor claims that Redis runs on Windows.',
    'As soon as Harald joins Equinor, we will talk.',
    'Once Anna Berg moves to Stavanger, we will talk.',
    'Quentin plans to leave Stripe to join Adyen.',
    'User works with Anna Berg. She lives in Oslo.',
    'The patient lives with Anna Berg. Her brother Timo called.',
  ])('nothing is said by: %s', (text) => {
    expect(saidIn(text)).toEqual([]);
  });

  test('what another clause takes back, or has happened, is said', () => {
    expect(saidIn('Anna Berg lives in Oslo, but Tom Lee does not.')).toEqual(['Anna Berg lives_in Oslo']);
    expect(saidIn('When Anna Berg joined Acme, it was small.')).toEqual(['Anna Berg works_for Acme']);
    expect(saidIn('Anna Berg works for Globex. She lives in Oslo.')).toEqual([
      'Anna Berg works_for Globex',
      'Anna Berg lives_in Oslo',
    ]);
  });
});
