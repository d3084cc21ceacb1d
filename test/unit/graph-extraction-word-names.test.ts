import { describe, expect, test } from '@jest/globals';
import { readGraph } from '../support/read-graph.js';

const typesOf = (text: string) =>
  Object.fromEntries(readGraph(text).entities.map(({ name, type }) => [name, type]));

describe('people whose names are words', () => {
  test.each([
    'Rose Young',
    'Will Smith',
    'Mark Field',
    'June Summers',
    'Art Wood',
    'Jonas Lie',
    'Anna Cook',
    'Anna Church',
    'Anna House',
    'Hope Lamb',
  ])('%s', (name) => {
    const { entities, relations } = readGraph(`${name} works for Kestrel Foods.`);
    expect(entities[relations[0]?.source ?? -1]).toMatchObject({ name, type: 'PERSON' });
    expect(relations).toMatchObject([{ predicate: 'works_for' }]);
  });

  test.each([
    ['a role behind a comma', 'Grace Church, a spokeswoman for Globex, said so.', 'Grace Church'],
    ['whoever is called', 'Contact Victor Stone.', 'Victor Stone'],
    ['among others', 'Tom Larsen met Hope Lamb in Oslo.', 'Hope Lamb'],
    ['a line of a list', 'Chair of Globex Ltd: Tom Larsen\nAttendees: Rose Young (Globex Ltd)', 'Rose Young'],
  ])('by %s', (_, text, name) => {
    expect(typesOf(text)[name]).toBe('PERSON');
  });

  test.each([
    'Grace Church is in Oslo.',
    'Grace Church was built by Tom Larsen.',
    'Holly Lodge is closed.',
    'The parade goes through Grant Park.',
    'Ruby Parser uses Kafka.',
    'Rose Court is owned by Globex Ltd.',
  ])('but not: %s', (text) => {
    expect(
      typesOf(text)[/^(?:The parade goes through )?(\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)/u.exec(text)?.[1] ?? ''],
    ).not.toBe('PERSON');
  });

  test.each(['Will Smith join us?', 'Mark Field 3 as done.', 'In May Smith joined Acme Ltd.'])(
    'nor is a verb or a month a first name: %s',
    (text) => {
      const named = Object.entries(typesOf(text)).filter(([, type]) => type === 'PERSON');
      expect(named.map(([name]) => name).join()).not.toMatch(/Will|Mark|May/);
    },
  );

  test('a place is one where somebody lives, though it is a word', () => {
    expect(typesOf('Rose Young was born in Hull and lives in Reading.')).toMatchObject({
      Hull: 'LOCATION',
      Reading: 'LOCATION',
    });
  });
});

describe('Jan, who is no month', () => {
  test.each([
    ['Jan Maas works for Kestrel Foods.', 'Jan Maas'],
    ['We heard of Jan de Vries from Kestrel Foods.', 'Jan de Vries'],
    ['Yesterday Jan Kowalski called.', 'Jan Kowalski'],
  ])('%s', (text, name) => {
    expect(typesOf(text)[name]).toBe('PERSON');
  });

  test.each([
    'In Jan Kestrel hired Tom Larsen.',
    'The invoice of 12 Jan Kowalski paid.',
    'The Jan Release is out. Jan Sales were up.',
    'Sales from Jan to Mar rose.',
  ])('%s: a month', (text) => {
    expect(Object.keys(typesOf(text)).filter((name) => /\bJan [A-Z]/.test(name))).toEqual([]);
  });
});

describe('words around a name are no part of it', () => {
  test.each([
    ["I'm Sarah Jones from Kestrel Foods.", 'Sarah Jones'],
    ['Hi, I’m Priya, your new contact.', 'Priya'],
    ['Novelist Mette Lund was born in Brno.', 'Mette Lund'],
    ['Pianist Olga Stern was born in Brno.', 'Olga Stern'],
    ['Ottilie Kray, a film maker from Graz, agreed.', 'Ottilie Kray'],
    ["We met in Ann Hill's house.", 'Ann Hill'],
  ])('%s', (text, name) => {
    expect(typesOf(text)[name]).toBe('PERSON');
  });

  test.each([
    ['Purchase order 9912 Vendor: Ferro Steel SRL Buyer: Castel Bau GmbH', 'Ferro Steel SRL'],
    ['Name: Dr. Emil Roth Employer: Klinikum Nord Position: Surgeon', 'Emil Roth'],
    ['Consignee: Bluefin Imports LLC Consignor: Ta Feng Trading Co.', 'Bluefin Imports LLC'],
  ])('nor the label that follows: %s', (text, name) => {
    expect(Object.keys(typesOf(text)).filter((each) => each.startsWith(name))).toEqual([name]);
  });
});
