import { expect, test } from '@jest/globals';
import { positionAfter, timeBeginning, unseen } from '../../src/connectors/providers/time-position.js';

/** Reads lists of entries `id time`, whose pages are told by the cursor or begin anew at a time. */
function readAll(pages: readonly (readonly string[])[]): string[] {
  const entries = pages.map((page) =>
    page.map((entry) => {
      const [id = '', time = ''] = entry.split(' ');
      return { id, time };
    }),
  );
  const shown: string[] = [];
  for (let at = timeBeginning, index = 0; ; index += 1) {
    const page = entries[index] ?? [];
    shown.push(...unseen(at, page).map(({ id }) => id));
    const next = positionAfter(at, page, index < entries.length - 1 ? `page ${index + 1}` : null);
    if (!next) return shown;
    at = next;
  }
}

test('a list ordered by time is read to its end, though a page of it is empty', () => {
  expect(readAll([['a 1', 'b 2'], ['b 2', 'c 3'], [], ['d 4']])).toEqual(['a', 'b', 'c', 'd']);
  expect(readAll([[], ['a 1']])).toEqual(['a']);
});
