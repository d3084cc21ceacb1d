import { describe, expect, test } from '@jest/globals';
import type { Item } from '../../src/connectors/provider.js';
import { digestOf, itemIdOf, toInput } from '../../src/connectors/sync/synced-input.js';
import type { SyncedScope } from '../../src/connectors/sync/synced-input.js';

const scope: SyncedScope = {
  connectorId: 'c1',
  provider: 'slack',
  providerAccountScope: 'T1',
  resource: { resourceId: 'C1', metadata: { team: 'core' }, additionalMetadata: { note: 'ours' } },
  schema: null,
};
const item: Item = { kind: 'message', fields: { body: 'hello' }, native: { ts: '1.2' } };

describe('ids', () => {
  test('name provider, scope and object', () => {
    expect(itemIdOf(scope, 'C1:1.2')).toBe('slack:T1:C1:1.2');
    expect(itemIdOf({ ...scope, providerAccountScope: '' }, 'C1:1.2')).toBe('slack:C1:1.2');
  });

  test('hold no comma, and at most 512 bytes, whatever the object is called', () => {
    expect(itemIdOf(scope, 'a,b')).toBe('slack:T1:a%2Cb');
    const long = ['ä', ',', 'x'].map((letter) => itemIdOf(scope, letter.repeat(3000)));
    for (const id of long) expect(Buffer.byteLength(id)).toBeLessThanOrEqual(512);
    expect(itemIdOf(scope, `${'x'.repeat(3000)}y`)).not.toBe(long[2]);
  });

  test('of other items are scoped like their own', () => {
    const fields = { parent_id: 'C1:1', thread_id: 'C1:1', linked_issue_ids: ['A-1', 'A-2'], author: 'Ada' };
    expect(toInput(scope, 'C1:2', { ...item, fields })).toMatchObject({
      externalId: 'T1:C1:2',
      fields: {
        parent_id: 'T1:C1:1',
        thread_id: 'T1:C1:1',
        linked_issue_ids: ['T1:A-1', 'T1:A-2'],
        author: 'Ada',
      },
    });
  });
});

describe('metadata', () => {
  test('says whose an item is beside what the resource says', () => {
    expect(toInput(scope, 'x', item)).toMatchObject({
      metadata: { team: 'core' },
      additionalMetadata: {
        note: 'ours',
        connector_id: 'c1',
        provider: 'slack',
        resource_id: 'C1',
        provider_account_scope: 'T1',
        ts: '1.2',
      },
    });
  });

  test('goes where the schema declares it and it fits', () => {
    const schema = [
      { name: 'provider', dataType: 'VARCHAR', maxLength: 20 },
      { name: 'connector_id', dataType: 'INT64' },
    ] as unknown as SyncedScope['schema'];
    const { metadata, additionalMetadata } = toInput({ ...scope, schema }, 'x', item);
    expect(metadata).toEqual({ team: 'core', provider: 'slack' });
    expect(additionalMetadata).not.toHaveProperty('provider');
    expect(additionalMetadata).toHaveProperty('connector_id', 'c1');
  });

  test('stays within its bound: native ids that are too long are left out', () => {
    const { additionalMetadata } = toInput(scope, 'x', {
      ...item,
      native: { path: 'p'.repeat(2000), id: '7' },
    });
    expect(additionalMetadata).not.toHaveProperty('path');
    expect(additionalMetadata).toMatchObject({ id: '7', resource_id: 'C1' });
  });
});

test('a digest changes with the content, the metadata or the file', () => {
  const input = toInput(scope, 'x', item);
  const digest = digestOf(input, undefined);
  expect(digestOf(toInput(scope, 'x', item), undefined)).toEqual(digest);
  const others = [
    digestOf(toInput(scope, 'x', { ...item, fields: { body: 'bye' } }), undefined),
    digestOf(toInput(scope, 'x', { ...item, native: { ts: '3' } }), undefined),
    digestOf(input, 'abc'),
  ];
  for (const other of others) expect(other).not.toEqual(digest);
});

describe('texts', () => {
  test('are cut between characters, and hold none that rows cannot', () => {
    const title = `\u0000${'x'.repeat(998)}🦦🦦`;
    const odd = toInput(scope, 'a', {
      ...item,
      title,
      fields: { body: 'a\u0000b \ud83d' },
      comments: [{ body: '\udc26' }],
      attachments: [{ title: 'c\u0000' }],
      native: { 'k\u0000': 'v\ud83d' },
    });
    expect(odd).toMatchObject({
      title: `${'x'.repeat(998)}🦦`,
      fields: { body: 'ab \ufffd' },
      comments: [{ body: '\ufffd' }],
      attachments: [{ title: 'c' }],
      additionalMetadata: { k: 'v\ufffd' },
    });
    expect(toInput(scope, 'a\u0000', item).externalId).not.toBe(toInput(scope, 'a', item).externalId);
    expect(itemIdOf(scope, 'a\u0000')).toBe(`slack:${toInput(scope, 'a\u0000', item).externalId}`);
  });
});
