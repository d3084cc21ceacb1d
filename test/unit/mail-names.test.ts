import { expect, test } from '@jest/globals';
import { voicesOf } from '../../src/sources/app-items/speakers.js';
import { readAddressed } from '../../src/text/mail-names.js';

test.each([
  ['Ann Lee <ann@x.example>', 'Ann Lee', 'ann@x.example'],
  [' Ann Lee< ann@x.example > ', 'Ann Lee', 'ann@x.example'],
  ['"Lee, Ann" <ann@x.example>', 'Lee, Ann', 'ann@x.example'],
  ["'Ann Lee' <ann@x.example>", 'Ann Lee', 'ann@x.example'],
  [String.raw`"Ann \"Bo\" Lee" <ann@x.example>`, 'Ann "Bo" Lee', 'ann@x.example'],
  ['Ann "Bo" Lee <ann@x.example>', 'Ann "Bo" Lee', 'ann@x.example'],
  ["Tim O'Neil <tim@x.example>", "Tim O'Neil", 'tim@x.example'],
  ['<ann@x.example>', '', 'ann@x.example'],
  ['Ann Lee <>', 'Ann Lee', ''],
])('%s is a name with an address', (text, name, address) => {
  expect(readAddressed(text)).toEqual({ name, address });
});

test.each(['Ann Lee', 'ann@x.example', 'Ann <ann@x.example', 'Ann <a@x.example>, Bo <b@x.example>', ''])(
  '%s is none',
  (text) => {
    expect(readAddressed(text)).toBeUndefined();
  },
);

test('who speaks in a mail is named without the quotes of its head', () => {
  const app = { fields: { from: '"Lee, Ann" <ann@x.example>' }, comments: [] };
  expect(voicesOf({ app })).toEqual({ people: ['Lee, Ann'], author: 'Lee, Ann' });
});
