import { expect, test } from '@jest/globals';
import { IndexingStatus } from '../../src/sources/status/indexing-status.js';
import type { StatusChange } from '../../src/sources/status/status-feed.js';
import { decodeMessage, encodeChanges, encodeEnd } from '../../src/sources/status/status-message.js';

const change: StatusChange = {
  databaseId: 7,
  collection: 'default',
  corpus: 'memory',
  id: 'a',
  indexingStatus: IndexingStatus.completed,
  errorCode: '',
  errorMessage: '',
  acl: null,
};

/** What listeners make of what is sent; every message fits. */
function travel(changes: readonly StatusChange[]) {
  const messages = encodeChanges(changes);
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8000);
  const heard = messages.flatMap((message) => {
    const told = decodeMessage(message);
    if ('ended' in told) throw new Error('no database has ended');
    return told;
  });
  return { heard, messages };
}

test('changes arrive as they were sent, those of one item in order', () => {
  const acl = ['user_email:a@b.example'];
  const sent = [
    { ...change, indexingStatus: IndexingStatus.graph_creation },
    change,
    { ...change, id: 'b "quoted"\n\u0000 ä', acl, indexingStatus: IndexingStatus.graph_creation },
    { ...change, id: 'b "quoted"\n\u0000 ä', acl },
    { ...change, id: 'c', indexingStatus: IndexingStatus.errored, errorCode: 'E1001', errorMessage: 'no ✓' },
    { ...change, id: 'd', acl: [] },
  ];
  const { heard } = travel(sent);
  expect(heard).toHaveLength(sent.length);
  for (const id of new Set(sent.map((one) => one.id))) {
    const ofItem = heard.filter((one) => one.id === id);
    expect(ofItem).toEqual(sent.filter((one) => one.id === id).map((one) => ({ ...one, incomplete: false })));
  }
});

test('a thousand changes are few messages, whatever their ids', () => {
  const ids = Array.from(
    { length: 1000 },
    (_, nth) => `018f2f6e-0000-7000-8000-${String(nth).padStart(12, '0')}`,
  );
  const { heard, messages } = travel(ids.map((id) => ({ ...change, id })));
  expect(heard.map((one) => one.id)).toEqual(ids);
  expect(messages.length).toBeLessThanOrEqual(6);
  // The longest id that there is, spelled as JSON at its longest.
  const long = Array.from({ length: 5 }, (_, nth) => String.fromCharCode(nth + 1).repeat(512));
  expect(travel(long.map((id) => ({ ...change, id }))).heard.map((one) => one.id)).toEqual(long);
});

test('what does not fit is left out and said to be', () => {
  const acl = Array.from({ length: 1000 }, (_, nth) => `group:${nth}`);
  const errorMessage = 'ä'.repeat(3000);
  for (const long of [
    { ...change, acl },
    { ...change, errorMessage },
  ])
    expect(travel([long]).heard).toEqual([{ ...change, errorMessage: '', acl: null, incomplete: true }]);
});

test('what is no message throws', () => {
  expect(decodeMessage(encodeEnd(7))).toEqual({ ended: 7 });
  expect(() => decodeMessage('{')).toThrow(SyntaxError);
  expect(encodeChanges([])).toEqual([]);
});
