import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ResourceScope } from '../../src/connectors/provider.js';
import { slack } from '../../src/connectors/providers/slack.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { noSignal, openFake, readAll, scopeOf } from '../support/connectors/reading.js';
import { startSlackFake } from '../support/connectors/slack-fake.js';
import type { SlackFake } from '../support/connectors/slack-fake.js';

let fake: SlackFake;
const opened = OpenedFake.forEachTest(slack, async () => (fake = await startSlackFake()));

/** A sync of its own, as the engine makes one. */
async function sync(from = '', scope: Partial<ResourceScope> = {}) {
  const opened = openFake(slack, fake);
  const before = fake.requests;
  const shown = await readAll(
    (cursor) => opened.session.read({ ...scopeOf(fake), ...scope }, cursor, noSignal),
    from,
  );
  const items = [];
  for (const entry of shown.entries) items.push(await entry.load(noSignal));
  await opened.close();
  return { ...shown, items, requests: fake.requests - before };
}

async function walk(scope: Partial<ResourceScope> = {}) {
  return readAll((cursor) => opened.session.walk!({ ...scopeOf(fake), ...scope }, cursor, noSignal));
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

describe('reading', () => {
  test('10,000 messages in 200 threads: the next sync makes at most 2 % of the requests', async () => {
    fake.addThreads(200, 49);
    const first = await sync();
    expect(first.entries).toHaveLength(10_000);
    expect(new Set(ids(first.entries)).size).toBe(10_000);
    expect(first.requests).toBeLessThan(210);

    const idle = await sync(first.cursor);
    expect(idle.entries).toEqual([]);
    expect(idle.requests).toBe(2);

    const old = fake.general.messages[3]!.ts;
    const answer = fake.reply(old, 'Late');
    const message = fake.post('New');
    const next = await sync(idle.cursor);
    expect(ids(next.entries).sort()).toEqual([`C0GENERAL:${answer}`, `C0GENERAL:${message}`].sort());
    expect(next.requests).toBeLessThanOrEqual(first.requests * 0.02);
    expect(next.cursor.length).toBeLessThan(200);
    expect((await sync(next.cursor)).entries).toEqual([]);
  });

  test('people are asked for one by one, and all at once when they are many', async () => {
    for (let user = 0; user < 40; user++) {
      fake.addUser(`U0${user}X`, `User${user}`, `user${user}@acme.test`);
      fake.post('Hello', { user: `U0${user}X` });
    }
    const { items } = await sync();
    expect(new Set(items.map((item) => item?.fields['author'])).size).toBe(40);
    expect(fake.methods.filter((method) => method === 'users.info')).toHaveLength(2);
    expect(fake.methods.filter((method) => method === 'users.list')).toHaveLength(1);
  });

  test('what arrives while pages are read comes with the next sync', async () => {
    fake.addThreads(250, 2);
    const scope = scopeOf(fake);
    const first = await opened.session.read(scope, '', noSignal);
    const message = fake.post('Meanwhile');
    // In a thread that is read already, and in one whose turn comes yet.
    const answers = [249, 0].map((index) => fake.reply(fake.general.messages[index]!.ts, 'Meanwhile'));
    const rest = await readAll((cursor) => opened.session.read(scope, cursor, noSignal), first.cursor);
    expect([...ids(first.entries), ...ids(rest.entries)]).toEqual(
      expect.not.arrayContaining([`C0GENERAL:${message}`]),
    );
    const next = await sync(rest.cursor);
    const shown = new Set([...ids(first.entries), ...ids(rest.entries), ...ids(next.entries)]);
    expect(shown).toContain(`C0GENERAL:${message}`);
    for (const ts of answers) expect(shown).toContain(`C0GENERAL:${ts}`);
    expect(shown.size).toBe(753);
  });

  test('a sync after a long time reads all of it, and answers among the newest messages', async () => {
    fake.addThreads(2, 1);
    const { cursor } = await sync();
    const added = Array.from(
      { length: 1200 },
      (_each, index) => `C0GENERAL:${fake.post(`Message ${index}`)}`,
    );
    fake.reply(fake.general.messages[0]!.ts, 'Late');
    const next = await sync(cursor);
    const shown = new Set(ids(next.entries));
    expect(added.filter((id) => !shown.has(id))).toEqual([]);
    expect(next.entries).toHaveLength(1201);
  });

  test('an answer to a message far back comes with the walk', async () => {
    const root = fake.post('Long ago');
    for (let index = 0; index < 600; index++) fake.post(`Message ${index}`);
    const { cursor } = await sync();
    const answer = fake.reply(root, 'Late');
    expect((await sync(cursor)).entries).toEqual([]);
    expect(ids((await walk()).entries)).toContain(`C0GENERAL:${answer}`);
  });

  test('shows edits and tombstones among the newest messages with the next sync', async () => {
    const edited = fake.post('Before');
    const gone = fake.post('Question');
    const answer = fake.reply(gone, 'Answer');
    const first = await sync();
    await fake.edit(`C0GENERAL:${edited}`, 'after');
    await fake.remove(`C0GENERAL:${gone}`);
    const next = await sync(first.cursor);
    expect(ids(next.entries)).toEqual([`C0GENERAL:${edited}`]);
    expect(next.entries[0]?.version).not.toBe(first.entries.find(({ id }) => id.endsWith(edited))?.version);
    expect(next.deleted).toEqual([`C0GENERAL:${gone}`]);
    expect(ids((await walk()).entries)).toEqual([`C0GENERAL:${edited}`, `C0GENERAL:${answer}`]);
  });

  test('walks show the versions that were read, whatever is answered meanwhile', async () => {
    await fake.add(30, 'zebra');
    const { entries } = await sync();
    const versions = new Map(entries.map(({ id, version }) => [id, version]));
    fake.reply(fake.general.messages[0]!.ts, 'Late');
    const known = (await walk()).entries.filter(({ id }) => versions.has(id));
    expect(known).toHaveLength(30);
    for (const { id, version } of known) expect(version).toBe(versions.get(id));
  });

  test('begins where it is told to', async () => {
    const old = fake.post('Old');
    fake.reply(old, 'Answer to it');
    const recent = fake.post('Recent');
    const oldest = new Date((Number(old) + 0.5) * 1000);
    expect(ids((await sync('', { oldest })).entries)).toEqual([`C0GENERAL:${recent}`]);
    expect(ids((await walk({ oldest })).entries)).toEqual([`C0GENERAL:${recent}`]);
  });

  test('leaves replies out when told to', async () => {
    await fake.add(20, 'zebra');
    const { entries, requests } = await sync('', { filters: { include_replies: false } });
    expect(entries).toHaveLength(17);
    expect(fake.methods).not.toContain('conversations.replies');
    expect(requests).toBeLessThan(6);
  });

  test('keeps what it has when a limit is reached in the middle of a page', async () => {
    fake.addThreads(8, 1);
    const scope = scopeOf(fake);
    const history = await opened.session.read(scope, '', noSignal);
    fake.limit('conversations.replies', 1, 3);
    const page = await opened.session.read(scope, history.cursor, noSignal);
    expect(page).toMatchObject({ more: true, entries: [{}, {}, {}] });
    fake.limit('conversations.replies', 1);
    expect(await failureOf(opened.session.read(scope, page.cursor, noSignal))).toMatchObject({
      kind: 'limited',
      retryAfterSeconds: 11,
    });
    const rest = await readAll((cursor) => opened.session.read(scope, cursor, noSignal), page.cursor);
    expect(rest.entries).toHaveLength(5);
    // Each thread once, and the two that were too many.
    expect(fake.methods.filter((method) => method === 'conversations.replies')).toHaveLength(8 + 2);
  });

  test('a walk spares what a workspace without a paid plan no longer shows, and nothing else', async () => {
    const times = Array.from({ length: 250 }, (_, index) => fake.post(`Message ${index}`));
    fake.general.shownFrom = times[30]!;
    const { entries, pages } = await walk();
    expect(ids(entries)).toHaveLength(220);
    expect(pages.flatMap(({ unlisted }) => unlisted ?? [])).toEqual([
      {
        idPrefix: 'C0GENERAL:',
        idBefore: `C0GENERAL:${times[30]}`,
        problem: expect.stringContaining('paid plan'),
      },
    ]);
    fake.general.shownFrom = '9';
    const [none] = (await walk()).pages;
    expect(none?.unlisted).toEqual([{ idPrefix: 'C0GENERAL:', problem: expect.any(String) }]);
    delete fake.general.shownFrom;
    expect((await walk()).pages.flatMap(({ unlisted }) => unlisted ?? [])).toEqual([]);
  });

  test('an archived channel says so with its last page', async () => {
    fake.addThreads(3, 1);
    fake.general.is_archived = true;
    const { pages } = await sync();
    expect(pages.map(({ isArchived }) => isArchived ?? false)).toEqual([
      ...pages.slice(1).map(() => false),
      true,
    ]);
  });

  test('a cursor that is none is expired', async () => {
    await sync();
    const stale = JSON.stringify({ next: 'nonsense', archived: false });
    for (const cursor of ['{', stale])
      expect(await failureOf(opened.session.read(scopeOf(fake), cursor, noSignal))).toMatchObject({
        kind: 'expired',
      });
  });
});

describe('who may read', () => {
  test('everyone may read a public channel', async () => {
    expect(await opened.session.readers!(scopeOf(fake), noSignal)).toBeUndefined();
  });

  test('members but bots and deactivated ones may read a private channel', async () => {
    fake.addUser('U0BOT', 'Bot', undefined, { is_bot: true });
    fake.addUser('U0LEFT', 'Left', 'left@acme.test', { deleted: true });
    fake.general.is_private = true;
    fake.general.members.push('U0BOT', 'U0LEFT');
    expect(await opened.session.readers!(scopeOf(fake), noSignal)).toEqual([
      'user_email:alice@acme.test',
      'user_email:bob@acme.test',
    ]);
  });

  test('a private channel of many members costs few requests', async () => {
    fake.general.is_private = true;
    for (let user = 0; user < 1500; user++) {
      fake.addUser(`U0${user}X`, `User${user}`, `user${user}@acme.test`);
      fake.general.members.push(`U0${user}X`);
    }
    expect(await opened.session.readers!(scopeOf(fake), noSignal)).toHaveLength(1502);
    expect(fake.requests).toBe(1 + 2 + 2);
  });

  test('a private channel whose members have no addresses is refused', async () => {
    fake.general.is_private = true;
    fake.addUser('U0ALICE', 'Alice', undefined);
    fake.addUser('U0BOB', 'Bob', undefined);
    const error = await failureOf(opened.session.readers!(scopeOf(fake), noSignal));
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('users:read.email') });
  });
});

describe('what Slack refuses', () => {
  test.each([
    ['missing_scope', 'refused', 'channels:history'],
    ['not_in_channel', 'refused', '/invite'],
    ['channel_not_found', 'missing', 'invited'],
  ])('%s is %s', async (error, kind, advice) => {
    if (error === 'missing_scope') fake.missingScopes.set('conversations.history', 'channels:history');
    if (error === 'not_in_channel') fake.general.is_member = false;
    const channel = error === 'channel_not_found' ? 'C0NOTHERE' : 'C0GENERAL';
    const found = await failureOf(opened.session.describe(channel, noSignal));
    expect(found).toMatchObject({ kind, message: expect.stringContaining(advice) });
    expect(String(found)).not.toContain('xoxb');
  });

  test('a request that is under way ends with its signal', async () => {
    const controller = new AbortController();
    const reading = failureOf(opened.session.read(scopeOf(fake), '', controller.signal));
    controller.abort(new Error('stopped'));
    expect(await reading).toMatchObject({ message: 'stopped' });
  });
});

test('lists channels, private ones too', async () => {
  fake.addChannel('G0SECRET', 'secret').is_private = true;
  const { resources, nextCursor } = await opened.session.discover({ cursor: '', limit: 100 }, noSignal);
  expect(nextCursor).toBeNull();
  expect(resources.map(({ id, name, metadata }) => [id, name, metadata['is_private']])).toEqual([
    ['C0GENERAL', '#general', false],
    ['C0RANDOM', '#random', false],
    ['G0SECRET', '#secret', true],
  ]);
});

describe('an app that is installed in a whole organization', () => {
  beforeEach(() => void (fake.teams = ['T0ACME', 'T0BETA']));

  test('has the channels of all its workspaces, in pages', async () => {
    const others = ['C0ONE', 'C0TWO', 'C0THREE'].map((id) => fake.addChannel(id, id.toLowerCase()).id);
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await opened.session.discover({ cursor, limit: 2 }, noSignal);
      found.push(...ids(page.resources));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(expect.arrayContaining([fake.general.id, ...others]));
    expect(new Set(found).size).toBe(found.length);
  });

  test('knows the people of a private channel', async () => {
    fake.general.is_private = true;
    const readers = await opened.session.readers!(scopeOf(fake), noSignal);
    expect(readers).toContain('user_email:alice@acme.test');
  });
});

describe('an answer without its list is none', () => {
  test.each([
    ['conversations.history', {}],
    ['conversations.history', { messages: [], has_more: true }],
    ['conversations.replies', {}],
  ])('%s, %j', async (method, answer) => {
    fake.addThreads(1, 3);
    fake.oddAnswers.set(method, answer);
    expect(await failureOf(walk())).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(sync())).toMatchObject({ kind: 'unavailable' });
  });

  test('conversations.members', async () => {
    fake.general.is_private = true;
    fake.oddAnswers.set('conversations.members', {});
    expect(await failureOf(opened.session.readers!(scopeOf(fake), noSignal))).toMatchObject({
      kind: 'unavailable',
    });
  });
});
