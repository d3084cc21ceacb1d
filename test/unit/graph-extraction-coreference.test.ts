import { expect, test } from '@jest/globals';
import { readGraph, statementsOf } from '../support/read-graph.js';

test.each<[string, string, string]>([
  [
    'Clara Jensen studied physics. Her brother Mads Jensen founded Solix. She works for Vestas.',
    'Clara Jensen',
    'Vestas',
  ],
  [
    'Robert Reed directed the film. His uncle Otto Reed worked for Paramount. He lives in Oslo.',
    'Robert Reed',
    'Oslo',
  ],
  [
    'Kate Bell works for Lidl. Her husband, Tom Bell, works for Aldi. She lives in Bern.',
    'Kate Bell',
    'Bern',
  ],
])('a relative who is named beside whom the text is about is not she or he: %s', (text, source, target) => {
  const { entities, relations } = readGraph(text);
  const last = relations.filter((relation) => entities[relation.target]?.name === target);
  expect(last.map((relation) => entities[relation.source]?.name)).toEqual([source]);
});

test.each<[string, string, string | undefined]>([
  ['Anna Berg was taught by Dora Hill. In 1970 she settled in Canada.', 'Canada', 'Anna Berg'],
  [
    'Anna Berg studied at Lund University. The company was acquired by Zeiss.',
    'Lund University',
    'Anna Berg',
  ],
  ['Zentra GmbH hired Initech Ltd. It is based in Oslo.', 'Oslo', undefined],
  // Called "she" before.
  [
    'Beatrix Kohl is late. She is ill. Her husband, Ludwig Kohl, is not. He lives in Oslo.',
    'Oslo',
    undefined,
  ],
])('what a word stands for fits it and is the only one: %s', (text, target, source) => {
  const { entities, relations } = readGraph(text);
  const found = relations.filter((relation) => entities[relation.target]?.name === target);
  expect(found.map((relation) => entities[relation.source]?.name)).toEqual(
    source === undefined ? [] : [source],
  );
});

test.each<[string, string[]]>([
  ['Otto Brandt is late. His sister Clara works at Siemens.', ['Clara sibling_of Otto Brandt']],
  ['Anna Lind joined Volvo. Her husband, Tom Berg, left.', ['Tom Berg married_to Anna Lind']],
  ['Yuki Tanaka and her husband, Ken Tanaka, live in Kyoto.', ['Ken Tanaka married_to Yuki Tanaka']],
  ['Otto Brandt met Anna Hill. His sister Clara called.', ['Clara sibling_of Otto Brandt']],
  ['Anna Hill called. Tom Berg met her brother Karl.', ['Karl sibling_of Anna Hill']],
  ['Otto Brandt and his younger brother Karl left.', ['Karl sibling_of Otto Brandt']],
  ['Anna Lind met Tom Berg, whose father Lothar owns a shop.', ['Lothar parent_of Tom Berg']],
  [
    'Anna Lind married Bernard of Vestria, whose father Lothar died.',
    ['Anna Lind married_to Bernard', 'Lothar parent_of Bernard'],
  ],
  ['Anna Lind is late. Her boss, Henrik Stahl, called.', ['Henrik Stahl manages Anna Lind']],
  ['Priya Raman is late. Her assistant, Bob Lee, called.', ['Bob Lee reports_to Priya Raman']],
  ["Anna Lind's nephew Karl called.", ['Karl nephew_of Anna Lind']],
  // Neither who has them nor what they are is told.
  ['Anna Lind met Clara Hill. Her brother Karl called.', []],
  ['Anna Lind is late. Her partner Bob Lee called.', []],
  ['Her brother Karl called.', []],
  ['Anna Lind sued Acme Inc., alleging that her boss, Bob Lee, lied.', []],
  ["My wife's brother Karl called Anna Lind.", []],
])('relatives and colleagues: %s', (text, stated) => {
  const { entities, relations } = readGraph(text);
  const kin = /^(?:sibling_of|married_to|parent_of|manages|reports_to|nephew_of|knows|lives_in)$/;
  const ofKin = relations.filter(({ predicate }) => kin.test(predicate));
  expect(statementsOf({ entities, relations: ofKin })).toEqual(stated);
});

test.each<[string, string | undefined]>([
  ['Pinecrest Hotels called. Their controller, Dana Hill, left.', 'Pinecrest Hotels'],
  ['Pinecrest Hotels met Acme Ltd. Their controller, Dana Hill, left.', undefined],
  ['Pinecrest Hotels hired Anna Lind. Their controller, Dana Hill, left.', undefined],
])('"their" is of the one organization, where it names no people: %s', (text, employer) => {
  const { entities, relations } = readGraph(text);
  const found = relations.find(({ source }) => entities[source]?.name === 'Dana Hill');
  expect(found && entities[found.target]?.name).toBe(employer);
});

const series = 'In 2018 Nordwind Ventures led the series A.';
const acquired = 'In 2022 the company acquired Pickwise GmbH.';

test.each<[string, string, string, string | undefined]>([
  ['one', '', `${series} ${acquired}`, 'Nordwind Ventures'],
  ['two', '', `Halden Robotics was founded by Jonas Eik. ${series} ${acquired}`, undefined],
  [
    'in the title',
    'Halden Robotics: history',
    `Halden Robotics was founded by Jonas Eik. ${series} ${acquired}`,
    'Halden Robotics',
  ],
  [
    'in more sentences',
    '',
    `Halden Robotics makes robots. Halden Robotics sells drones. ${series} ${acquired}`,
    'Halden Robotics',
  ],
  [
    'in a paragraph of its own',
    '',
    `Halden Robotics makes robots.\n\nNordwind Ventures led the series A. ${acquired}`,
    'Nordwind Ventures',
  ],
])('"the company" is whom the text is about, not whom it named last: %s', (_, title, text, buyer) => {
  const { entities, relations } = readGraph(text, { title });
  const found = relations.find(({ predicate }) => predicate === 'acquired');
  expect(found && entities[found.source]?.name).toBe(buyer);
});

test('what is called a company is one', () => {
  const text = 'We talked to Nordtak about the contract. The company acquired Pickwise GmbH.';
  const { entities } = readGraph(text);
  expect(entities.find(({ name }) => name === 'Nordtak')?.type).toBe('ORGANIZATION');
});
