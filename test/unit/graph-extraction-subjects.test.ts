import { describe, expect, test } from '@jest/globals';
import { saidIn } from '../support/read-graph.js';

const said = (text: string) => saidIn(text, {}, (time) => ` ${time}`).sort();

describe('of whom verbs speak that have no subject beside them', () => {
  test.each<[string, ...string[]]>([
    [
      'Founded in 2009 by Rui Antunes and Carla Pinho, Marelva is headquartered in Lisbon.',
      'Carla Pinho founded Marelva 2009',
      'Marelva based_in Lisbon',
      'Rui Antunes founded Marelva 2009',
    ],
    ['Born in Leeds to a clockmaker, Ann Hill was quiet.', 'Ann Hill born_in Leeds'],
    [
      'After leaving Nimbus Systems in 2019, Jane Roe founded Globex Ltd.',
      'Jane Roe founded Globex Ltd',
      'Jane Roe left Nimbus Systems 2019',
    ],
    [
      'Jane Roe moved to Oslo after joining Nimbus Systems.',
      'Jane Roe lives_in Oslo',
      'Jane Roe moved_to Oslo',
      'Jane Roe works_for Nimbus Systems',
    ],
    ['Brightfold, a software company based in Tallinn, grew.', 'Brightfold based_in Tallinn'],
    ['Denise Okafor, an individual residing in Burlington, agreed.', 'Denise Okafor lives_in Burlington'],
    ['Their son, Hugh Pell, founded Larkgate Press.', 'Hugh Pell founded Larkgate Press'],
    ['Nimbus Ltd was founded by his uncle, Edgar Moss, in 1921.', 'Edgar Moss founded Nimbus Ltd 1921'],
    [
      'Ann Hill studied at Girton College and in 1931 became a lecturer at Keele University.',
      'Ann Hill studied_at Girton College',
      'Ann Hill works_for Keele University',
    ],
    [
      'Ann Hill founded and leads Nimbus Systems.',
      'Ann Hill founded Nimbus Systems',
      'Ann Hill leads Nimbus Systems',
    ],
    ['Jack Ruby shot and mortally wounded Lee Harvey Oswald.', 'Jack Ruby shot Lee Harvey Oswald'],
    ['Cutter Hill was represented by Elias Roth.', 'Elias Roth represents Cutter Hill'],
    ['Kolben Systems, Oslo, represented by Ann Hill, buys steel.'],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual([...relations].sort());
  });

  test.each<[string, ...string[]]>([
    ['Jane Roe pleaded guilty to killing Alan Whitlow.', 'Jane Roe killed Alan Whitlow'],
    ['Jane Roe was convicted of murdering Alan Whitlow.', 'Jane Roe killed Alan Whitlow'],
    ['Jane Roe, the woman convicted of killing Alan Whitlow, agreed.', 'Jane Roe killed Alan Whitlow'],
    ['Jane Roe was found guilty of the murder of Alan Whitlow.', 'Jane Roe killed Alan Whitlow'],
    ['Jane Roe, the convicted murderer of Alan Whitlow, agreed.', 'Jane Roe killed Alan Whitlow'],
  ])('what a court has found: %s', (text, ...relations) => {
    expect(said(text)).toEqual(relations);
  });

  test.each([
    'Nimbus Systems plans to grow by buying Globex Ltd.',
    'Nimbus Systems will move after buying Globex Ltd.',
    'Jane Roe was accused of killing Alan Whitlow.',
    'Jane Roe is charged with the murder of Alan Whitlow.',
    'Jane Roe was acquitted of the murder of Alan Whitlow.',
  ])('%s: nothing', (text) => {
    expect(said(text)).toEqual([]);
  });
});
