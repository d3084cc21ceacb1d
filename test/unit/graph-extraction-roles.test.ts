import { describe, expect, test } from '@jest/globals';
import { saidIn } from '../support/read-graph.js';

const said = (text: string) => saidIn(text, {}, (time) => ` ${time.replaceAll(', ', ' ')}`).sort();

describe('who takes, holds or gives up a role', () => {
  test.each<[string, ...string[]]>([
    ['Anna Berg took over as CEO of Nimbus Systems in 2019.', 'Anna Berg works_for Nimbus Systems 2019'],
    ['Anna Berg acts as chair of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems'],
    ['The head of research of Nimbus Systems is Imogen Price.', 'Imogen Price works_for Nimbus Systems'],
    [
      'Anna Berg has been appointed as head of research at Nimbus Systems.',
      'Anna Berg works_for Nimbus Systems',
    ],
    ['Anna Berg was promoted to vice president of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems'],
    [
      'Anna Berg stepped down as CEO of Nimbus Systems in 2021.',
      'Anna Berg works_for Nimbus Systems former 2021',
    ],
    ['Anna Berg resigned as chairwoman of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems former'],
    ['Anna Berg was ousted as chairwoman of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems former'],
    ['Anna Berg will become CEO of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems planned'],
    ['Anna Berg will take over as CEO of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems planned'],
    ['Anna Berg, who heads Nimbus Systems, agreed.', 'Anna Berg leads Nimbus Systems'],
    ['Nimbus Systems named Anna Berg CEO.', 'Anna Berg works_for Nimbus Systems'],
    ['Nimbus Systems named Anna Berg its new chief executive.', 'Anna Berg works_for Nimbus Systems'],
    ['Nimbus Systems appointed Anna Berg as head of sales.', 'Anna Berg works_for Nimbus Systems'],
    ['Nimbus Systems promoted Anna Berg to vice president.', 'Anna Berg works_for Nimbus Systems'],
    ['The board named Anna Berg CEO of Nimbus Systems.', 'Anna Berg works_for Nimbus Systems'],
    [
      'Anna Berg succeeded Tom Larsen as CEO of Nimbus Systems.',
      'Anna Berg succeeded Tom Larsen',
      'Anna Berg works_for Nimbus Systems',
    ],
    [
      'Tom Larsen was succeeded by Anna Berg as CEO of Nimbus Systems.',
      'Anna Berg succeeded Tom Larsen',
      'Anna Berg works_for Nimbus Systems',
    ],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });

  test.each([
    'Anna Berg did not take over as CEO of Nimbus Systems.',
    'Anna Berg may take over as CEO of Nimbus Systems.',
    'Anna Berg wants to become CEO of Nimbus Systems.',
    'Anna Berg will step down as CEO of Nimbus Systems.',
    'Nimbus Systems has not named Anna Berg CEO.',
    'Will Anna Berg become CEO of Nimbus Systems?',
    'Anna Berg was sworn in as Minister for Agriculture in 2013.',
    'Polar Weekly named Anna Berg scientist of the year.',
  ])('nothing is said by: %s', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('whose role it is where only "its" says, or nothing', () => {
  test.each<[string, ...string[]]>([
    ['Nimbus Systems is a software company. Its CEO is Anna Berg.', 'Anna Berg works_for Nimbus Systems'],
    [
      'Nimbus Systems makes routers. Its chief executive, Anna Berg, agreed.',
      'Anna Berg works_for Nimbus Systems',
    ],
    ['Nimbus Systems makes routers. Its founder is Tom Larsen.', 'Tom Larsen founded Nimbus Systems'],
    ['Nimbus Systems said its chief executive, Anna Berg, agreed.', 'Anna Berg works_for Nimbus Systems'],
    ['Nimbus Systems sold its subsidiary Globex.', 'Globex part_of Nimbus Systems'],
    [
      'Nimbus Systems makes routers. Sales were up. Anna Berg took over as CEO in 2019.',
      'Anna Berg works_for Nimbus Systems 2019',
    ],
    ['Globex sued Nimbus Systems. Its CEO is Anna Berg.', 'Globex sued Nimbus Systems'],
    ['Nimbus Systems bought Globex. Anna Berg became CEO.', 'Nimbus Systems acquired Globex'],
    ['Nimbus Systems makes routers. Anna Berg became president.'],
    [
      'Nimbus Systems makes routers. The company was spun out of Oslo University by Ann Hill, its chief scientist.',
    ],
    ['Its CEO is Anna Berg.'],
    ['Nimbus Systems sold its Oslo office to Globex.'],
    ['Norway is rich. Its president is Ann Hill.'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });
});

describe('whom a word for a role leaves to the sentence', () => {
  test.each<[string, ...string[]]>([
    ['Nimbus Ltd offers it, said Ann Berg, a company official.', 'Ann Berg works_for Nimbus Ltd'],
    ["Ann Berg, an engineer with Nimbus Ltd's research service, agreed.", 'Ann Berg works_for Nimbus Ltd'],
    ['Ann Berg is chief scientific and medical officer for Nimbus Ltd.', 'Ann Berg works_for Nimbus Ltd'],
    [
      "Nimbus Ltd's customers include Globex Inc and Initech Ltd.",
      'Globex Inc customer_of Nimbus Ltd',
      'Initech Ltd customer_of Nimbus Ltd',
    ],
    ['Nimbus Ltd makes tools. Its clients include Globex Inc.', 'Globex Inc client_of Nimbus Ltd'],
    ['Nimbus Ltd announced that it has acquired Globex Inc.', 'Nimbus Ltd acquired Globex Inc'],
    ['Lee Oswald was himself killed by Jack Ruby.', 'Jack Ruby killed Lee Oswald'],
    ['The Velna is a river in Latvia.', 'Velna located_in Latvia'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });

  test.each([
    'Nimbus Ltd sued Globex Inc, said Ann Berg, a company official.',
    'Bob Lee told Nimbus Ltd that it has acquired Globex Inc.',
    'Customers include Globex Inc and Initech Ltd.',
    'Nimbus Ltd was elected auditor in place of Globex Inc.',
    'Ann Berg was elected chair in succession to Bob Lee.',
  ])('%s: nothing', (text) => {
    expect(said(text).filter((relation) => !relation.includes('sued'))).toEqual([]);
  });
});

test.each([
  ['The auditor of Kestrel Foods is Penhale & Rowe LLP.', 'Penhale & Rowe LLP auditor_of Kestrel Foods'],
  ["Ada Moe's doctor is Dr Viktor Sand.", 'Viktor Sand doctor_of Ada Moe'],
  ["Siri Lie is Ada Moe's landlady.", 'Siri Lie landlord_of Ada Moe'],
  ['Isla Kerr is a tenant of Bowland Estates.', 'Isla Kerr tenant_of Bowland Estates'],
  ['Isla Kerr is a nurse at the Kantonsspital.', 'Isla Kerr works_for Kantonsspital'],
])('what somebody is to somebody: %s', (text, ...relations) => {
  expect(said(text)).toEqual(relations);
});

describe('whose verb follows a role describes no name before it, nor who is greeted', () => {
  test.each([
    ["Hi Tom, Marta's boss is Erik Holm.", 'Erik Holm manages Marta'],
    ["Hi Tom, Marta's boss, Erik Holm, will call you.", 'Erik Holm manages Marta'],
    ["Tom, Marta's boss is Erik Holm.", 'Erik Holm manages Marta'],
    ["Hello Anna, Bosch's CEO is Stefan Hartung.", 'Stefan Hartung works_for Bosch'],
    ["Hi Tom, Marta's boss will call you."],
    ["Dear Tom, Marta's boss, who is ill, will call you."],
    ["Tom, Marta's boss, is ill.", 'Tom manages Marta'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });
});
