import { beforeEach, describe, expect, test } from '@jest/globals';
import { ChangeQueue } from '../../src/sources/status/change-queue.js';
import { IndexingStatus } from '../../src/sources/status/indexing-status.js';
import type { StatusChange } from '../../src/sources/status/status-feed.js';
import { StatusSubscription } from '../../src/sources/status/status-subscription.js';
import type { StatusInterest, StatusReader } from '../../src/sources/status/status-subscription.js';
import { TestClock } from '../support/test-clock.js';

const clock = new TestClock();
let rows: StatusChange[];
/** What is to happen while rows are read, once for each read. */
let meanwhile: (() => void)[];
let reads: { ids?: readonly string[]; since?: Date }[];
let checks: number;
let allowed: boolean;
let databaseExists: boolean;

beforeEach(() => {
  rows = [];
  meanwhile = [];
  reads = [];
  checks = 0;
  allowed = true;
  databaseExists = true;
});

function change(id: string, indexingStatus: keyof typeof IndexingStatus = 'completed'): StatusChange {
  const status = IndexingStatus[indexingStatus];
  const where = { databaseId: 1, collection: 'default', corpus: 'memory' as const };
  return { ...where, id, indexingStatus: status, errorCode: '', errorMessage: '', acl: null };
}

const received = (...changes: StatusChange[]) => changes.map((one) => ({ ...one, incomplete: false }));

function subscribe(interest: Partial<StatusInterest> = {}): StatusSubscription {
  const read = () => {
    const found = [...rows];
    meanwhile.shift()?.();
    return Promise.resolve(found);
  };
  const reader: StatusReader = {
    databaseExists: () => Promise.resolve(databaseExists),
    findCurrent: (_databaseId, ids) => {
      reads.push({ ids });
      return read();
    },
    findChangedSince: (_databaseId, since) => {
      reads.push({ since });
      return read();
    },
    fence: (queue) => {
      queue.push({ kind: 'fence', token: 'fence' });
      return Promise.resolve('fence');
    },
    now: () => clock.now(),
  };
  const all: StatusInterest = {
    databaseId: 1,
    collection: null,
    ids: null,
    maySee: () => true,
    isAllowed: () => {
      checks += 1;
      return Promise.resolve(allowed);
    },
  };
  return new StatusSubscription({ ...all, ...interest }, new ChangeQueue(clock), reader);
}

/** What is told until an item of this id comes. */
async function told(subscription: StatusSubscription, last = 'last'): Promise<string[]> {
  subscription.receive(received(change(last)));
  const texts: string[] = [];
  for await (const { id, indexingStatus } of subscription.changes()) {
    if (id === last) return texts;
    texts.push(`${id} ${indexingStatus}`);
  }
  return [...texts, 'ended'];
}

describe('a subscription', () => {
  test('with ids begins with where they stand, one without does not', async () => {
    rows = [change('a'), change('b', 'errored')];
    expect(await told(subscribe({ ids: new Set(['a', 'b', 'last']) }))).toEqual([]);
    const subscription = subscribe({ ids: new Set(['a', 'b', 'last']) });
    const changes = subscription.changes();
    expect((await changes.next()).value).toMatchObject({ id: 'a' });
    expect((await changes.next()).value).toMatchObject({ id: 'b', indexingStatus: 'errored' });
    expect(reads.at(-1)).toEqual({ ids: ['a', 'b', 'last'] });
    reads = [];
    expect(await told(subscribe())).toEqual([]);
    expect(reads).toEqual([]);
  });

  test('hears what concerns it only', async () => {
    const subscription = subscribe({ ids: new Set(['a', 'last']), collection: 'default' });
    subscription.receive(
      received(
        { ...change('a'), databaseId: 2 },
        { ...change('a'), collection: 'other' },
        change('b'),
        change('a', 'queued'),
      ),
    );
    expect(await told(subscription)).toEqual(['a queued']);
  });

  test('prefers what is received while rows are read to the rows, which may be older', async () => {
    rows = [change('a', 'processing'), change('b', 'processing')];
    const subscription = subscribe({ ids: new Set(['a', 'b', 'last']) });
    meanwhile = [() => subscription.receive(received(change('a', 'graph_creation'), change('a')))];
    const changes = subscription.changes();
    const seen = [];
    for (let n = 0; n < 3; n += 1) seen.push((await changes.next()).value);
    expect(seen.map((one) => `${one?.id} ${one?.indexingStatus}`)).toEqual([
      'a graph_creation',
      'a completed',
      'b processing',
    ]);
  });

  test('reads rows after a gap, and anew from the earlier time after a second one', async () => {
    const subscription = subscribe();
    const since = clock.now();
    const later = clock.now();
    subscription.queue.push({ kind: 'gap', since: later });
    rows = [change('a', 'processing')];
    meanwhile = [
      () => {
        subscription.queue.push({ kind: 'gap', since });
        rows = [change('a')];
      },
    ];
    const changes = subscription.changes();
    expect((await changes.next()).value).toMatchObject({ id: 'a', indexingStatus: 'completed' });
    expect(reads).toEqual([{ since: later }, { since }]);
  });

  test('whose client is too slow is told where items stand instead of all that piled up', async () => {
    const subscription = subscribe();
    const before = clock.now();
    for (let n = 0; n < 20_000; n += 1) subscription.receive(received(change(`old ${n}`)));
    rows = [change('a'), change('b')];
    expect(await told(subscription)).not.toContain('old 0 completed');
    expect(reads).toHaveLength(1);
    expect(reads[0]?.since?.getTime()).toBeLessThan(before.getTime());
  });

  test('looks at the key after every wait and every hundred changes, and ends with it', async () => {
    const many = Array.from({ length: 350 }, (_, nth) => change(`item ${nth}`));
    const subscription = subscribe();
    subscription.receive(received(...many));
    const changes = subscription.changes();
    for (let nth = 0; nth < 350; nth += 1) await changes.next();
    expect(checks).toBe(4);
    const next = changes.next();
    allowed = false;
    subscription.receive(received(change('secret')));
    expect(await next).toEqual({ done: true, value: undefined });
    expect(checks).toBe(5);
  });

  test('ends with its database, once what was received of it has been sent; not with another one', async () => {
    const subscription = subscribe();
    subscription.end(2);
    subscription.receive(received(change('a')));
    subscription.end(1);
    subscription.receive(received(change('b')));
    expect(await told(subscription)).toEqual(['a completed', 'ended']);
  });

  test('ends when its database has gone while it received nothing', async () => {
    databaseExists = false;
    expect(await told(subscribe({ ids: new Set(['a']) }))).toEqual(['ended']);
    databaseExists = true;
    const subscription = subscribe();
    const next = subscription.changes().next();
    await Promise.resolve();
    databaseExists = false;
    rows = [change('a')];
    subscription.queue.push({ kind: 'gap', since: clock.now() });
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('tells nothing that its caller may not know, also when the list has to be read from the row', async () => {
    const subscription = subscribe({ maySee: (acl) => acl === null });
    rows = [
      { ...change('a'), acl: ['user:b'] },
      { ...change('b'), errorMessage: 'why' },
    ];
    subscription.receive([
      ...received({ ...change('c'), acl: ['user:b'] }),
      ...['a', 'b', 'gone'].map((id) => ({ ...change(id), incomplete: true })),
    ]);
    expect(await told(subscription)).toEqual(['b completed']);
  });
});
