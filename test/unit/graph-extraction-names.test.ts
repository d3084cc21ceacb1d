import { describe, expect, test } from '@jest/globals';
import { namesIn, readGraph } from '../support/read-graph.js';

test.each<[string, ...string[]]>([
  [
    'Chief Technology Officer Mira Patel met Head of Engineering Sofia Marin.',
    'Mira Patel PERSON',
    'Sofia Marin PERSON',
  ],
  [
    'Senior Product Manager Dana Whitfield met Former IBM lawyer Tom Reed.',
    'Dana Whitfield PERSON',
    'IBM ORGANIZATION',
    'Tom Reed PERSON',
  ],
  ['The app OpenRadar was built by Initech.', 'OpenRadar PRODUCT', 'Initech ORGANIZATION'],
  ['Ex-Uber engineer Tom Reed left.', 'Tom Reed PERSON'],
  [
    'April Jones met June Jones, and May Chen was there.',
    'April Jones PERSON',
    'June Jones PERSON',
    'May Chen PERSON',
  ],
  ['In April Jones sold the June Jones memo.', 'Jones PERSON'],
  ['Striker Luca Ferrante met plaintiff Zentra Inc.', 'Luca Ferrante PERSON', 'Zentra Inc ORGANIZATION'],
  ['FYI Tom Reed left Sanford Biologics.', 'Tom Reed PERSON', 'Sanford Biologics ORGANIZATION'],
  ['Tom Reed led our Series A in FY24.', 'Tom Reed PERSON'],
  ['Owner: Ravi Menon', 'Ravi Menon PERSON'],
  ['**Owner:** Ravi Menon', 'Ravi Menon PERSON'],
  ['The Provider shall notify the Customer under this Agreement.'],
  ['Ann Lee may NOT use it.', 'Ann Lee PERSON'],
  ['Install @babel/core; ask @anna.', '@anna HANDLE'],
])('a name ends where its post does: %s', (text, ...names) => {
  const { entities } = readGraph(text);
  expect(entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});

test.each<[string, ...string[]]>([
  [
    'We upgraded log4j-2.17.1, then Anna Berg mailed anna@acme.example about OPS-12.',
    'Anna Berg',
    'anna@acme.example',
    'OPS-12',
  ],
  ['Ping cc-@anna and bob@acme.example about PAY-17.', '@anna', 'bob@acme.example', 'PAY-17'],
  ['The pre-v2.3.1 hosts were fixed by Dana White in OPS-99.', 'Dana White', 'OPS-99'],
  ['Mail the-old-user-é@b.example, éa@b.example or OPS-9.', 'a@b.example', 'OPS-9'],
  ['See docs-https://acme.example/a-b and OPS-12/OPS-13.', 'https://acme.example/a-b', 'OPS-12', 'OPS-13'],
])('an identifier stays one, whatever it is written together with: %s', (text, ...names) => {
  const { entities } = readGraph(text);
  expect(entities.map(({ name }) => name)).toEqual(names);
});

test('an identifier is not cut where a long text without sentences is', () => {
  const address = 'somebody.with.a.long.name@a-company.example';
  for (let length = 3_940; length < 4_010; length += 7) {
    const text = `It is of the ${'x'.repeat(length)}/${address} and OPS-12.`;
    const { entities } = readGraph(text);
    expect(entities.map(({ name }) => name)).toEqual([address, 'OPS-12']);
  }
});

test.each<[string, ...string[]]>([
  ['Morgan Stanley hired Anna Berg.', 'Morgan Stanley ORGANIZATION', 'Anna Berg PERSON'],
  ['We met Eli Lilly and Estée Lauder.', 'Eli Lilly ORGANIZATION', 'Estée Lauder ORGANIZATION'],
  ['Marks and Spencer opened a store in Leeds.', 'Marks and Spencer ORGANIZATION', 'Leeds LOCATION'],
  ['Kirkland & Ellis audits Ernst & Young.', 'Kirkland & Ellis ORGANIZATION', 'Ernst & Young ORGANIZATION'],
  ['Shares of Thomas Weisel rose.', 'Thomas Weisel ORGANIZATION'],
  ['Tom Larsen, an Arthur Treacher analyst, left.', 'Tom Larsen PERSON', 'Arthur Treacher ORGANIZATION'],
  ['Lisa Marsh, a partner at Baker Hostetler, left.', 'Lisa Marsh PERSON', 'Baker Hostetler ORGANIZATION'],
  ['Martin Sorrell was acquired by Globex.', 'Martin Sorrell ORGANIZATION', 'Globex ORGANIZATION'],
])('a company that is called like a person: %s', (text, ...names) => {
  const { entities } = readGraph(text);
  expect(entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});

test.each<[string, ...string[]]>([
  ['Charles Schwab, the founder, was nice.', 'Charles Schwab PERSON'],
  ['Dr. Morgan Stanley spoke.', 'Morgan Stanley PERSON'],
  ['The chemist Eli Lilly spoke.', 'Eli Lilly PERSON'],
  ['Lisa Marsh, a partner at Tom Larsen’s office, left.', 'Lisa Marsh PERSON', 'Tom Larsen PERSON'],
  ['Anna Berg & Tom Larsen left.', 'Anna Berg PERSON', 'Tom Larsen PERSON'],
])('a person that is called like a company: %s', (text, ...names) => {
  const { entities } = readGraph(text);
  expect(entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});

test.each<[string, ...string[]]>([
  ['Karen Hill met Helen Park in Oslo.', 'Karen Hill PERSON', 'Helen Park PERSON', 'Oslo LOCATION'],
  ['We walked through Helen Park.', 'Helen Park LOCATION'],
  ['Jane Doe, VP Procurement, met VP Sales Tom Larsen.', 'Jane Doe PERSON', 'Tom Larsen PERSON'],
  ['They met at Bellavita S.p.A. in Milan.', 'Bellavita S.p.A. ORGANIZATION', 'Milan LOCATION'],
  ['She works at St. Mary’s Hospital.', 'St. Mary’s Hospital ORGANIZATION'],
  ['The driver was written in Rust, and Ann Hill is interested in Zig.', 'Ann Hill PERSON', 'Zig OTHER'],
  ['Our partner Accenture waits for our partner Jones.', 'Accenture OTHER', 'Jones PERSON'],
  ['Nina said Globex is late, and Larsen said no.', 'Nina PERSON', 'Globex OTHER', 'Larsen PERSON'],
  ['Contact Madrid for details. Customer Globex waits.', 'Madrid LOCATION', 'Globex OTHER'],
  ['Room Tarzal is booked by Miles Dyson.', 'Room Tarzal OTHER', 'Miles Dyson PERSON'],
  ['She came on 12 May. She left on 3 Dec. by boat.', '12 May DATE', '3 Dec. DATE'],
])('what a name names: %s', (text, ...names) => {
  const { entities } = readGraph(text);
  expect(entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});

test.each<[string, ...string[]]>([
  ['Priya met Tomás, Kenji and Marit.', 'Priya PERSON', 'Tomás PERSON', 'Kenji PERSON', 'Marit PERSON'],
  ['We saw Chidinma Okonjo.', 'Chidinma Okonjo PERSON'],
  // Names that nobody is known to bear: people only where the text says so.
  ['We saw Zorvath Quellim.', 'Zorvath Quellim OTHER'],
  ['Zorvath Quellim was born in Oslo.', 'Zorvath Quellim PERSON', 'Oslo LOCATION'],
  ['Zorvath Quellim is our architect.', 'Zorvath Quellim PERSON'],
  ['Zorvath Quellim (1911–1987) was late.', 'Zorvath Quellim PERSON'],
  ['Anna Berg is a friend of Zorvath Quellim.', 'Anna Berg PERSON', 'Zorvath Quellim PERSON'],
  ['He praised the spokesman, Zorvath Quellim.', 'Zorvath Quellim PERSON'],
  ['Zorvath Quellim said that she was late.', 'Zorvath Quellim PERSON'],
  ['We called Akzo Nobel.', 'Akzo Nobel OTHER'],
  ['We met at Café Linde and Åbo Akademi.', 'Café Linde ORGANIZATION', 'Åbo Akademi ORGANIZATION'],
  ['Brenntag Logistik asks for it.', 'Brenntag Logistik ORGANIZATION'],
  [
    'The flat is in Rosenheimer Strasse or Rua da Prata.',
    'Rosenheimer Strasse LOCATION',
    'Rua da Prata LOCATION',
  ],
  ['Salesforce asked Jira to merge.', 'Salesforce ORGANIZATION', 'Jira OTHER'],
  ['It is managed in PagerDuty and stored in CockroachDB.', 'PagerDuty PRODUCT', 'CockroachDB PRODUCT'],
  ['The signal is at 20 dBm or 5 kWh. La was late.'],
  ['On-call is over. AGREEMENT is needed.'],
])('people, companies, products and streets: %s', (text, ...names) => {
  expect(readGraph(text).entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});

describe('titles are no names', () => {
  test.each<[string, ...string[]]>([
    ['HRH Prince William met H.E. Ambassador Ann Hill.', 'William', 'Ann Hill'],
    ['Lt. Col. James Harlan met Prof. Dr. Hans Weber.', 'James Harlan', 'Hans Weber'],
    ['Staff Sgt. Ann Hill met Pfc. Tom Larsen.', 'Ann Hill', 'Tom Larsen'],
    ['It was said by Det. Insp. Ann Hill to the Rt Hon Keir Marlow MP.', 'Ann Hill', 'Keir Marlow'],
  ])('%s', (text, ...names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

describe('a surname is the person whom the item names in full', () => {
  test.each<[string, ...string[]]>([
    ['According to Zhang, it holds. Wei Zhang agreed.', 'Wei Zhang = Zhang'],
    ['KOVACS: We are late. Peter Kovacs agreed.', 'Peter Kovacs = KOVACS'],
    ['John Smith agreed. Mr. Smith smiled.', 'John Smith = Mr. Smith'],
    ['John Smith met Mary Smith. Mrs. Smith smiled.', 'John Smith', 'Mary Smith = Mrs. Smith'],
    ['John Smith met Paul Smith. Mr. Smith smiled.', 'John Smith', 'Paul Smith', 'Mr. Smith'],
    ['Mary Smith agreed. Mr. Smith smiled.', 'Mary Smith', 'Mr. Smith'],
    ['Mr. Smith smiled. His brother is Paul Smith.', 'Mr. Smith', 'Paul Smith'],
    ['Ben’s boss Clara left. A friend of Clara Hahn came.', 'Ben', 'Clara', 'Clara Hahn'],
    ['Clara left. A friend of Clara Hahn came.', 'Clara Hahn = Clara'],
  ])('%s', (text, ...people) => {
    expect(readGraph(text).entities.map(({ name, aliases }) => [name, ...aliases].join(' = '))).toEqual(
      people,
    );
  });
});

test.each<[string, boolean]>([
  ['Mr. Smith smiled.', true],
  ['Dr. Smith smiled. Smith agreed.', true],
  ['President Obama smiled.', false],
  ['Priya smiled.', false],
  ['Dr. Wei Zhang smiled.', false],
])('%s: only the item tells who is meant: %s', (text, isLocal) => {
  expect(readGraph(text).entities.map((entity) => entity.isLocal ?? false)).toEqual([isLocal]);
});

test.each<[string, ...string[]]>([
  ['Workaround: None', ''],
  ['Escalations go to Stefan Kuhn.', 'Stefan Kuhn'],
  [
    'On behalf of Castlebury & Sons I thank you. Castlebury was founded in 1921.',
    'Castlebury & Sons = Castlebury',
  ],
  ['Freeloaders is a film by Dan Rosen.', 'Freeloaders', 'Dan Rosen'],
  ['ANNA BERG agreed. Anna Berg left.', 'Anna Berg = ANNA BERG'],
  ['We sued North Sea Oil Company (NOC).', 'North Sea Oil Company = NOC = North Sea Oil'],
  ['We sued Harbour Holdings (HARBA).', 'Harbour Holdings', 'HARBA'],
])('words that are no part of a name, and short names: %s', (text, ...names) => {
  const found = readGraph(text).entities.map(({ name, aliases }) => [name, ...aliases].join(' = '));
  expect(found).toEqual(names.filter((name) => name !== ''));
});
