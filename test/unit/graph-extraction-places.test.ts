import { describe, expect, test } from '@jest/globals';
import { readGraph, statementsOf } from '../support/read-graph.js';

const said = (text: string) => statementsOf(readGraph(text)).sort();

describe('where companies have their seats and people their homes', () => {
  test.each<[string, ...string[]]>([
    ['Shares of the Boston-based Atlantic Trust Co. fell.', 'Atlantic Trust Co. based_in Boston'],
    ['Nimbus Systems, a Boston-based maker of tools, grew.', 'Nimbus Systems based_in Boston'],
    ['Nimbus Systems is a Munich-based company.', 'Nimbus Systems based_in Munich'],
    ['The Oslo-based architect Ann Hill agreed.', 'Ann Hill based_in Oslo'],
    [
      'They like the Santa Cruz, California-based punk rock band Good Riddance.',
      'Good Riddance based_in California',
      'Good Riddance based_in Santa Cruz',
      'Santa Cruz located_in California',
    ],
    ['Toronto start-up Quillbase raised $14 million.', 'Quillbase based_in Toronto'],
    ['The talks at NRC headquarters in nearby Rockville went on.', 'NRC based_in Rockville'],
    [
      'Harbor Peak LLC, a limited liability company with its principal place of business in Portland, Maine, agreed.',
      'Harbor Peak LLC based_in Maine',
      'Harbor Peak LLC based_in Portland',
      'Portland located_in Maine',
    ],
    [
      'Mary Fisher said from her home in the Louisville suburb of Okolona that it was late.',
      'Mary Fisher lives_in Louisville',
      'Mary Fisher lives_in Okolona',
      'Okolona located_in Louisville',
    ],
    ['They stopped near Willie Nelson’s hometown of Abbott.', 'Willie Nelson from Abbott'],
    ['They stayed in the Harlem neighborhood of Manhattan.', 'Harlem located_in Manhattan'],
    ['Nimbus Systems, a bank with its headquarters in Oslo, agreed.', 'Nimbus Systems based_in Oslo'],
    ['Nimbus Systems is a bank with its headquarters in Oslo.', 'Nimbus Systems based_in Oslo'],
    ['Ann Hill in 2021 moved to Oslo.', 'Ann Hill lives_in Oslo', 'Ann Hill moved_to Oslo'],
    ['Richard Taylor, an Atlanta architect, agreed.', 'Richard Taylor based_in Atlanta'],
    ['Robert Isaacks, a technician on High Island, agreed.', 'Robert Isaacks based_in High Island'],
    ['Waste Disposal Co. of Randolph offers it.', 'Waste Disposal Co. based_in Randolph'],
    ['It was processed by Cox Packing Co. in Devine.', 'Cox Packing Co. based_in Devine'],
    [
      'Ann Hill is president of Nimbus Systems in Oslo.',
      'Ann Hill works_for Nimbus Systems',
      'Nimbus Systems based_in Oslo',
    ],
    ['We met Ann Hill, the CEO of the Helio Group, in Oslo.', 'Ann Hill works_for Helio Group'],
    ['Texas Sheriff Dan Moody agreed.', 'Dan Moody sheriff_of Texas'],
    ['A rally was held at the Lenin Shipyard in Gdansk.', 'Lenin Shipyard located_in Gdansk'],
    ['They found it northeast of Pinedale in rural New Mexico.', 'Pinedale located_in New Mexico'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual([...relations].sort());
  });

  test.each([
    'Ann Hill died at her home in Oslo.',
    'They have two breweries in Norway, the first located in Bergen.',
    'Richard Taylor, a Vietnam veteran, agreed.',
    'Vietnam veteran Richard Taylor agreed.',
    'Nimbus Systems Ltd said the bank, with its headquarters in Oslo, had agreed.',
    'Nimbus Systems Ltd sued a supplier with its headquarters in Oslo.',
    'The man who met Ann Hill in 2021 moved to Oslo.',
    'The office of Nimbus Systems Ltd in 2021 moved to Oslo.',
    'They sued Nimbus Systems in Oslo.',
    'It was sold by Nimbus Systems in Oslo.',
  ])('%s: nothing', (text) => {
    expect(said(text).filter((relation) => !relation.includes('died_in'))).toEqual([]);
  });
});

describe('what is a place, and what is none', () => {
  const typeOf = (text: string, name: string) =>
    readGraph(text).entities.find((entity) => entity.name === name)?.type;

  test.each([
    // First names
    ['Ann Hill visited the plant in Kobe on Friday.', 'Kobe'],
    ['He sat in a prison near Petros.', 'Petros'],
    ['They met in the town of Arnsweil.', 'Arnsweil'],
    ['They met in the Town of Arnsweil.', 'Arnsweil'],
    ['A bomb exploded on the island of Inchmore.', 'Inchmore'],
    ['Zentra GmbH is headquartered in Ludlow, Wexmoor.', 'Wexmoor'],
    ['She sang in her native Arnsweil.', 'Arnsweil'],
  ])('%s', (text, name) => {
    expect(typeOf(text, name)).toBe('LOCATION');
  });

  test.each([
    ['She lives in the London Borough of Camden.', 'Camden'],
    ["It is far from Tom Berg's native Ghent.", 'Tom Berg'],
    ['Tasneem Goolam is in Oslo this week.', 'Tasneem Goolam'],
    ['The Oakhurst School District hired Ann Hill.', 'Oakhurst School District'],
    // "the Roman province" is no name.
    ['It lies in the Roman province of Baetica.', 'Roman province'],
    ['Ann Hill works from the office in PagerDuty.', 'PagerDuty'],
  ])('not in: %s', (text, name) => {
    expect(typeOf(text, name)).not.toBe('LOCATION');
  });

  test('a union of states is not in one of them', () => {
    expect(said("Finland's EU (European Union) result is worse.")).toEqual([]);
  });
});
