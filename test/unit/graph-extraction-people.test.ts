import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { speakerOf, speakersOf } from '../../src/sources/app-items/speakers.js';

function typesOf(text: string, people: readonly string[] = []): Record<string, string> {
  const { entities } = extractGraph({ title: '', chunks: [{ text }], people });
  return Object.fromEntries(entities.map(({ name, type }) => [name, type]));
}

describe('who speaks is a person', () => {
  test.each([
    ['Rafi: hello.\n\nRafi moved to Ghent.', 'Rafi'],
    ['Rafi bought Initech from Globex.', 'rafi'],
    ['Quokka Systems told us that Oslo was cold. Ottilie Ravn uses Notion.', 'Ottilie Ravn'],
    // No first name, and a company to those who know neither.
    ['Zentra uses Kafka.', 'Zentra'],
  ])('%s', (text, name) => {
    const types = typesOf(text, [name]);
    const found = Object.keys(types).find((each) => each.toLowerCase() === name.toLowerCase());
    expect(types[found ?? '']).toBe('PERSON');
  });

  test('but what has an identifier, a company or a bot', () => {
    const text = 'Google uses Kafka.\n\nDeploybot uses Kafka.\n\nMail anna@acme.com.';
    const types = typesOf(text, ['Google', 'Deploybot', 'anna@acme.com']);
    expect(types).toMatchObject({ Google: 'ORGANIZATION', 'anna@acme.com': 'EMAIL' });
    expect(types['Deploybot']).not.toBe('PERSON');
  });

  test('by the user of a memory, the author of an item and those of its comments', () => {
    const app = {
      fields: { author: 'Rafi Lund <rafi@acme.com>', from: 'ottilie@acme.com', body: 'Hello.' },
      comments: [
        { id: null, author: 'Lieven', body: 'Hi.', createdAt: null },
        { id: null, author: null, body: 'Hi.', createdAt: null },
      ],
    };
    expect(speakersOf({ memory: { userName: 'Rafi' } })).toEqual(['Rafi']);
    expect(speakersOf({ memory: { userName: 'User' }, app: null })).toEqual([]);
    expect(speakersOf({ app })).toEqual(['Rafi Lund', 'Lieven']);
    expect(speakerOf({ app })).toBe('Rafi Lund <rafi@acme.com>');
    expect(speakerOf({ memory: {}, app: null })).toBe('User');
  });
});

describe('a single name that nobody is known to bear is a person by what is said of it', () => {
  test.each([
    'Ottilie lives in Ghent.',
    'Ottilie was born in Ghent.',
    'Ottilie married Lieven in 2019.',
    'Ottilie has just moved to Ghent.',
    'Ottilie moved in with Gwen.',
    'Ottilie works as a nurse at Southmead Hospital.',
    'Ottilie works for Siemens.',
    'Ottilie really likes Notion.',
    'Ottilie bought a Bianchi from Gwen.',
    'Ottilie sold his car to Siemens.',
    'Ottilie and her son use Notion.',
    "Ottilie's wife uses Notion.",
    'My sister Ottilie uses Notion.',
  ])('%s', (text) => {
    expect(typesOf(text)).toMatchObject({ Ottilie: 'PERSON' });
  });

  test.each([
    'Zentra uses Kafka.',
    'Zentra bought Initech.',
    'Zentra was taken over by Initech, and her boss left.',
    'Globex moved to Ghent.',
    'Globex bought a Boeing.',
    'Zentra moved to Kubernetes.',
    "Zentra's sister company acquired Initech.",
    'Zentra works on Debian and works at scale.',
  ])('and else not: %s', (text) => {
    const types = typesOf(text);
    expect([types['Zentra'], types['Globex']]).not.toContain('PERSON');
  });
});

test.each([
  ["Rafi's Italian teacher is Signora Pellegrini."],
  ["Rafi's doctor is Anna Berg."],
  ['Rafi bought a Bianchi from Gwen.'],
  ["Zentra Ltd's doctor is Anna Berg.", 'Anna Berg works_for Zentra Ltd'],
  ["Zentra's accountant is Anna Berg.", 'Anna Berg works_for Zentra'],
])('nobody is employed by whom they teach: %s', (text, ...said) => {
  const { entities, relations } = extractGraph({ title: '', chunks: [{ text }] });
  const nameOf = (index: number) => entities[index]?.name ?? '';
  expect(
    relations.map(({ source, predicate, target }) => `${nameOf(source)} ${predicate} ${nameOf(target)}`),
  ).toEqual(said);
});

test.each([
  [
    'Chair: Anna Berg. Treasurer: Jory Penrose. Honorary secretary: Wilfreda Cann.',
    'Anna Berg works_for Torbay Sailing Club',
    'Jory Penrose works_for Torbay Sailing Club',
    'Wilfreda Cann works_for Torbay Sailing Club',
  ],
  // A sentence is no field.
  ['Note: This is long. Warning: Anna Berg works for Globex Ltd. Ends.', 'Anna Berg works_for Globex Ltd.'],
])('sentences of a label and a name are fields of one line: %s', (text, ...said) => {
  const { entities, relations } = extractGraph({
    title: '',
    chunks: [{ text, headings: ['Torbay Sailing Club'] }],
  });
  const nameOf = (index: number) => entities[index]?.name ?? '';
  expect(
    relations.map(({ source, predicate, target }) => `${nameOf(source)} ${predicate} ${nameOf(target)}`),
  ).toEqual(said);
});

test.each([
  ['Tommy Hilfiger was born in Elmira.', 'Tommy Hilfiger', 'PERSON'],
  ['Ralph Lauren founded the label. Ralph Lauren lives in Bedford.', 'Ralph Lauren', 'PERSON'],
  ['PVH owns Tommy Hilfiger.', 'Tommy Hilfiger', 'ORGANIZATION'],
  ['Morgan Stanley said he would leave.', 'Morgan Stanley', 'ORGANIZATION'],
])('who lives is not the company of that name: %s', (text, name, type) => {
  expect(typesOf(text, [name])).toMatchObject({ [name]: type });
});
