import { describe, expect, test } from '@jest/globals';
import { namedIn, readGraph, saidIn } from '../support/read-graph.js';

// Firms: what shows that a name is one's, whose chief somebody is, and what a firm was called before.

describe('a name of words, or one that a person may have, is a firm’s', () => {
  test.each<[string, ...string[]]>([
    ['Safari operator Acacia Trails named Ms Njeri CEO.', 'Ms Njeri works_for Acacia Trails'],
    ['Safari operator Acacia Trails named Ms Edda Njeri CEO.', 'Edda Njeri works_for Acacia Trails'],
    [
      'Acacia Trails, a safari operator, appointed Anna Njeri as chief executive.',
      'Anna Njeri works_for Acacia Trails',
    ],
    ['Grocery chain Willow Lane named Petra Koch as head of logistics.', 'Petra Koch works_for Willow Lane'],
    ['Willow Lane has named Petra Koch chief executive.', 'Petra Koch works_for Willow Lane'],
    ['Ferry operator Blue Star hired Tomas Lind.', 'Tomas Lind works_for Blue Star'],
    ['Edda Njeri joined from rival Serena.', 'Edda Njeri left Serena'],
    [
      'Rivo Ltd is growing. Rival Serena, Rivo’s former partner, cut prices.',
      'Serena partners_with Rivo Ltd, former',
    ],
  ])('%s', (text, ...stated) => {
    expect(saidIn(text)).toEqual(stated);
  });

  test.each([
    ['Bakery owner Anna Berg left.', 'Anna Berg PERSON'],
    ['Ferry captain Tom Larsen left.', 'Tom Larsen PERSON'],
    ['Tour operator Anna Berg left.', 'Anna Berg PERSON'],
    ['Hall keeper Anna Field hired Tom Larsen as porter.', 'Anna Field PERSON', 'Tom Larsen PERSON'],
    ['Venus met her rival Serena.', 'Venus PERSON', 'Serena PERSON'],
  ])('but a common word before a post is no firm, nor is a person: %s', (text, ...named) => {
    expect(namedIn(text)).toEqual(named);
  });

  test('but who speaks for it shows that a word is a name', () => {
    expect(saidIn('Nimbus spokesman Karl Berg left.')).toEqual(['Karl Berg works_for Nimbus']);
  });
});

describe('a chief is of the one company that a text is about', () => {
  test.each([
    ['Rivo Foods AB reported record sales. The COO, Liis Kask, expects more.'],
    ['Rivo Foods AB reported record sales. Liis Kask, the COO, expects more.'],
    ['Rivo Foods AB reported record sales. "More will come," said CEO Liis Kask.'],
    ['Rivo Foods AB reported record sales. On Monday chief financial officer Liis Kask left.'],
  ])('%s', (text) => {
    expect(saidIn(text)[0]).toMatch(/^Liis Kask works_for Rivo Foods AB/);
  });

  test('two chiefs have a post each', () => {
    const { relations } = readGraph('Rivo Foods AB lost. CEO Jari Salo and CFO Liis Kask left.');
    expect(relations.map(({ rawPredicate }) => rawPredicate)).toEqual(['ceo', 'cfo']);
  });

  test.each([
    ['CEO Jari Salo of Tamberlin left.', 'Jari Salo works_for Tamberlin'],
    ['Rivo Foods AB lost. CEO Jari Salo of Tamberlin objected.', 'Jari Salo works_for Tamberlin'],
  ])('unless another is named behind the name: %s', (text, stated) => {
    expect(saidIn(text)).toEqual([stated]);
  });

  test.each([
    ['of which of two nobody says', 'Rivo Foods AB and Tamber plc are in talks. CEO Liis Kask declined.'],
    ['whom it names in passing', 'We sell to Rivo Foods AB. The CEO, Liis Kask, called.'],
    ['whom it names only later', 'The CEO, Liis Kask, spoke. Rivo Foods AB was there.'],
    ['beside one without a name', 'Rivo Foods AB bought a small rival. The CEO, Liis Kask, left.'],
    [
      'beside that of the writer',
      'Our company is ahead of others. Rivo Foods AB is not. CEO Liis Kask left.',
    ],
    ['former', 'Rivo Foods AB lost. Former CEO Liis Kask left.'],
    ['the writer’s own', 'Rivo Foods AB lost. Our CEO, Liis Kask, left.'],
    ['of a kind of company', 'Rivo Foods AB lost. Startup CEO Liis Kask left.'],
    ['of a customer', 'Rivo Foods AB lost. Its customer’s CEO Liis Kask left.'],
    ['of a rival', 'Rivo Foods AB lost. Liis Kask became CEO of a rival.'],
    ['of a rival, behind the post', 'Rivo Foods AB lost. The CEO of a rival, Liis Kask, left.'],
  ])('silent: %s', (_, text) => {
    expect(saidIn(text).filter((each) => each.includes('works_for'))).toEqual([]);
  });
});

describe('a name that took the place of another is one with it', () => {
  const namesOf = (text: string) =>
    readGraph(text).entities.map(({ name, aliases }) => [name, ...aliases].join(' = '));

  test.each([
    ['Bexcom, now called Arvida, runs the portal.', 'Arvida = Bexcom'],
    ['Bexcom (now Arvida) runs the portal.', 'Arvida = Bexcom'],
    ['Bexcom was renamed Arvida in 2019.', 'Arvida = Bexcom'],
    ['Bexcom changed its name to Arvida.', 'Arvida = Bexcom'],
    ['Bexcom has rebranded as Arvida.', 'Arvida = Bexcom'],
    ['Arvida, previously known as Bexcom, runs the portal.', 'Arvida = Bexcom'],
    ['Arvida, formerly Bexcom, runs the portal.', 'Arvida = Bexcom'],
    ['Anna Berg, née Kraske, left.', 'Anna Berg = Kraske'],
    ['Johnson & Johnson left. Johnson and Johnson is in Oslo.', 'Johnson & Johnson = Johnson and Johnson'],
  ])('%s', (text, named) => {
    expect(namesOf(text)).toContain(named);
  });

  test.each([
    ['Anna Berg, formerly Globex, left.', ['Anna Berg', 'Globex']],
    ['Ann Hill (now Tom Berg) chairs it.', ['Ann Hill', 'Tom Berg']],
    ['Bexcom, now Arvida’s subsidiary, left.', ['Bexcom', 'Arvida']],
    ['If Bexcom is renamed Arvida, we leave.', ['Bexcom', 'Arvida']],
    ['Bexcom will be renamed Arvida.', ['Bexcom', 'Arvida']],
    ['Bexcom renamed its product Arvida.', ['Bexcom', 'Arvida']],
  ])('two: %s', (text, named) => {
    expect(namesOf(text)).toEqual(named);
  });
});
