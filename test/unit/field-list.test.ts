import { describe, expect, test } from '@jest/globals';
import { areFields, fieldTexts } from '../../src/ingestion/parsers/tables/field-list.js';

const table = (source: string) => source.split(' / ').map((row) => row.split('|').map((cell) => cell.trim()));

describe('fields of a form', () => {
  test.each([
    ['what labels are called', 'Landlord | Hephzibah Trelawny / Tenant | Imogen Castellane / Town | Bath'],
    ['with figures only below', 'Landlord | Hephzibah Trelawny / Rent | 1180 / Deposit | 1361'],
    ['colons', 'Ship: | Fram / Built: | 1892 / Length over all: | 39 m'],
    ['values of all kinds', 'Sampler | Ann Berg / Depth | 12.5 m / Colour | grey / Taken | 3 May 2024'],
    [
      'two pairs in a row',
      'Landlord | H. Trelawny | Tenant | I. Castellane / Rent | 1,180 | Deposit | 1,361',
    ],
    ['a value that goes on', 'Name | Ann Berg / Address | 4 Mill Lane / | Bath / Phone | 0117 496 0123'],
    ['a title between', 'Customer | Acme / Project | Bridge / Site | / Owner | Ann Berg'],
    ['German', 'Vermieter | Anna Berg / Mieter | Ola Moe / Miete | 900 €'],
  ])('are told by %s', (_, source) => {
    expect(areFields(table(source))).toBe(true);
  });

  test.each([
    ['names above a list', 'Name | Role / Ann Berg | Chair / Ola Moe | Treasurer'],
    ['names above amounts', 'Item | Cost / Rent | 1180 / Phone | 30'],
    ['fields of data', 'Field | Type / name | text / date | timestamp / address | text'],
    ['values of one kind', 'Town | Mayor / Oslo | Ann / Bath | Ben'],
    ['missing values among figures', 'Bolt | Bore / M3 bolt | 3 mm / Cap | n/a / Nut | 4 mm'],
    [
      'a word that repeats among figures',
      'Lamp | Supply / Torch | 3 V / Stove | mains / Fan | 12 V / Pump | mains',
    ],
    ['three columns', 'Name | Role | Since / Ann | Chair | 2019'],
    ['four columns of a list', 'Name | Role | Town | Age / Ann | Chair | Oslo | 40 / Ben | Cook | Bath | 50'],
    ['one row', 'Landlord | Hephzibah Trelawny'],
    ['prose', 'She came home and slept. | He did not. / They met again. | It was late.'],
  ])('are not %s', (_, source) => {
    expect(areFields(table(source))).toBe(false);
  });

  test('are told with their labels', () => {
    expect(fieldTexts([['Ship :', 'Fram', 'Built', '1892', 'Owner', '', '', 'Oslo']])[0]).toEqual([
      'Ship: Fram',
      'Built: 1892',
      'Owner',
      'Oslo',
    ]);
  });
});
