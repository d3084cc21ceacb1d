import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Item, Provider, ResourceScope, Session } from '../../src/connectors/provider.js';
import { slack as slackProvider } from '../../src/connectors/providers/slack.js';
import { noSignal, openFake, readAll, scopeOf } from '../support/connectors/reading.js';
import { startSlackFake } from '../support/connectors/slack-fake.js';
import type { SlackFake } from '../support/connectors/slack-fake.js';

const slack = slackProvider as unknown as Provider;
let fake: SlackFake;
let session: Session;
let close: () => Promise<void>;

beforeEach(async () => {
  fake = await startSlackFake();
  ({ session, close } = openFake(slack, fake));
});
afterEach(async () => {
  await close();
  await fake.close();
});

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
  return readAll((cursor) => session.walk!({ ...scopeOf(fake), ...scope }, cursor, noSignal));
}

async function only(scope: Partial<ResourceScope> = {}): Promise<Item> {
  const { items } = await sync('', scope);
  expect(items).toHaveLength(1);
  return items[0]!;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

describe('a message', () => {
  test('becomes an item with its people, place and thread', async () => {
    const ts = fake.post('Ask <@U0BOB> &amp; <@U0GONE> about *that*');
    const item = await only();
    const url = `https://acme.slack.com/archives/C0GENERAL/p${ts.replace('.', '')}`;
    const createdAt = new Date(Number(ts) * 1000).toISOString();
    expect(item).toEqual({
      kind: 'message',
      url,
      timestamp: createdAt,
      fields: {
        body: 'Ask @Bob & @U0GONE about **that**',
        author: 'Alice <alice@acme.test>',
        mentions: ['Bob <bob@acme.test>', 'U0GONE'],
        thread_id: `C0GENERAL:${ts}`,
        created_at: createdAt,
        url,
      },
      attachments: [],
      native: { channel_id: 'C0GENERAL', ts, user_id: 'U0ALICE' },
    });
  });

  test('that answers another names it', async () => {
    const root = fake.post('Question');
    const ts = fake.reply(root, 'Answer', { user: 'U0BOB' });
    const { entries, items } = await sync();
    const answer = items[ids(entries).indexOf(`C0GENERAL:${ts}`)];
    expect(answer?.fields).toMatchObject({
      thread_id: `C0GENERAL:${root}`,
      parent_id: `C0GENERAL:${root}`,
      author: 'Bob <bob@acme.test>',
    });
    expect(answer?.url).toMatch(new RegExp(`\\?thread_ts=${root}&cid=C0GENERAL$`));
    expect(answer?.native).toMatchObject({ thread_ts: root });
    const question = items[ids(entries).indexOf(`C0GENERAL:${root}`)];
    expect(question?.fields).toMatchObject({ thread_id: `C0GENERAL:${root}` });
    expect(question?.fields).not.toHaveProperty('parent_id');
  });

  test('sent to the channel from a thread is one', async () => {
    const root = fake.post('Question');
    const ts = fake.reply(root, 'For all', { subtype: 'thread_broadcast' });
    const first = await sync();
    expect(ids(first.entries).sort()).toEqual([`C0GENERAL:${root}`, `C0GENERAL:${ts}`]);
    expect(first.items.find((item) => item?.native['ts'] === ts)?.fields['parent_id']).toBe(
      `C0GENERAL:${root}`,
    );
  });

  test('is left out where nobody said anything', async () => {
    for (const subtype of ['channel_join', 'channel_leave', 'channel_topic', 'pinned_item', 'bot_add'])
      fake.post('<@U0BOB> did something', { subtype });
    fake.post('', { blocks: [{ type: 'divider' }] });
    const { items } = await sync();
    expect(items).toEqual([undefined]);
  });

  test('of a bot has the name under which it spoke', async () => {
    fake.post('Deployed', { subtype: 'bot_message', username: 'Deployer', bot_id: 'B1', user: undefined });
    fake.post('Failed', { bot_id: 'B2', user: 'U0B2', bot_profile: { name: 'Watcher' } });
    const { items } = await sync();
    expect(items.map((item) => item?.fields['author']).sort()).toEqual(['Deployer', 'Watcher']);
    expect((await sync('', { filters: { include_bots: false } })).entries).toEqual([]);
    expect((await walk({ filters: { include_bots: false } })).entries).toEqual([]);
  });

  test('without text is read from its blocks', async () => {
    const style = { bold: true };
    fake.post('', {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Release 7' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*Ready*' },
          fields: [{ type: 'mrkdwn', text: 'When: now' }],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'a < b ', style },
                { type: 'user', user_id: 'U0BOB' },
                { type: 'link', url: 'https://acme.test/x', text: 'here' },
              ],
            },
            {
              type: 'rich_text_list',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] }],
            },
          ],
        },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Press' } }] },
      ],
    });
    const item = await only();
    expect(item.fields['body']).toBe(
      'Release 7\n**Ready**\nWhen: now\na < b @Bob[here](https://acme.test/x)\n• first',
    );
    expect(item.fields['mentions']).toEqual(['Bob <bob@acme.test>']);
  });

  test('shows what programs attach, previews of links only where there is no text', async () => {
    const preview = { from_url: 'https://acme.test', text: 'A preview' };
    const alert = {
      title: 'Disk',
      title_link: 'https://acme.test/d',
      text: 'Full',
      fields: [{ title: 'Host', value: 'a' }],
    };
    fake.post('See', { attachments: [alert, preview] });
    expect((await only()).fields['body']).toBe('See\n[Disk](https://acme.test/d)\nFull\nHost: a');
  });

  test('names its files, snippets with their beginning', async () => {
    fake.post('', {
      subtype: 'file_share',
      files: [
        {
          id: 'F1',
          name: 'plan.pdf',
          title: 'The plan',
          mimetype: 'application/pdf',
          size: 9,
          permalink: 'https://acme.slack.com/files/F1',
        },
        { id: 'F2', name: 'a.py', title: 'a.py', mode: 'snippet', preview: 'import zebra' },
        { id: 'F3', mode: 'tombstone' },
      ],
    });
    const item = await only();
    expect(item.fields).not.toHaveProperty('body');
    expect(item.attachments).toMatchObject([
      { id: 'F1', title: 'The plan (plan.pdf)', contentType: 'application/pdf', sizeBytes: 9, content: null },
      { id: 'F2', title: 'a.py', content: { text: 'import zebra' } },
    ]);
  });

  test.each([
    ['<https://a.test/x?b=1&amp;c=2|A [label]>', '[A \\[label\\]](https://a.test/x?b=1&c=2)'],
    ['<https://a.test/x_y_*z*>', 'https://a.test/x_y_*z*'],
    ['<mailto:a@b.test|a@b.test> <tel:123>', 'a@b.test 123'],
    [
      '<#C1|general> <#C2|> <!here> <!subteam^S1|@team> <!date^1^{date}|today>',
      '#general #C2 @here @team today',
    ],
    ['&gt; quoted\n~old~ _new_ 2*3*4', '> quoted\n~~old~~ _new_ 2*3*4'],
    ['`a *b* <https://a.test>` ```x &lt; <@U0BOB>```', '`a *b* https://a.test` \n```\nx < @Bob\n```'],
    ['&amp;lt; 😀 \u2028 :tada:', '&lt; 😀 \u2028 :tada:'],
  ])('says %j as %j', async (text, body) => {
    fake.post(text);
    expect((await only()).fields['body']).toBe(body);
  });

  test('is by somebody of whom Slack tells little, or nothing', async () => {
    fake.addUser('U0X', 'X', undefined, {
      deleted: true,
      profile: { display_name: '', real_name: 'Old "Ex" <X>' },
    });
    fake.post('one', { user: 'U0X' });
    fake.post('two', { user: 'U0STRANGER' });
    const { items } = await sync();
    expect(items.map((item) => item?.fields['author'])).toEqual(['U0STRANGER', 'Old Ex X']);
  });
});

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
    expect(fake.methods.filter((method) => method === 'users.info')).toHaveLength(5);
    expect(fake.methods.filter((method) => method === 'users.list')).toHaveLength(1);
  });

  test('what arrives while pages are read comes with the next sync', async () => {
    fake.addThreads(250, 2);
    const scope = scopeOf(fake);
    const first = await session.read(scope, '', noSignal);
    const message = fake.post('Meanwhile');
    // In a thread that is read already, and in one whose turn comes yet.
    const answers = [249, 0].map((index) => fake.reply(fake.general.messages[index]!.ts, 'Meanwhile'));
    const rest = await readAll((cursor) => session.read(scope, cursor, noSignal), first.cursor);
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
    await fake.add(10, 'zebra');
    const { entries, requests } = await sync('', { filters: { include_replies: false } });
    expect(entries).toHaveLength(8);
    expect(fake.methods).not.toContain('conversations.replies');
    expect(requests).toBeLessThan(6);
  });

  test('keeps what it has when a limit is reached in the middle of a page', async () => {
    fake.addThreads(8, 1);
    const scope = scopeOf(fake);
    const history = await session.read(scope, '', noSignal);
    fake.limit('conversations.replies', 1, 3);
    const page = await session.read(scope, history.cursor, noSignal);
    expect(page).toMatchObject({ more: true, entries: [{}, {}, {}] });
    fake.limit('conversations.replies', 1);
    expect(await failureOf(session.read(scope, page.cursor, noSignal))).toMatchObject({
      kind: 'limited',
      retryAfterSeconds: 11,
    });
    const rest = await readAll((cursor) => session.read(scope, cursor, noSignal), page.cursor);
    expect(rest.entries).toHaveLength(5);
    // Each thread once, and the two that were too many.
    expect(fake.methods.filter((method) => method === 'conversations.replies')).toHaveLength(8 + 2);
  });

  test('an archived channel is final with its last page', async () => {
    fake.addThreads(3, 1);
    fake.general.is_archived = true;
    const { pages } = await sync();
    expect(pages.map(({ isFinal }) => isFinal ?? false)).toEqual([...pages.slice(1).map(() => false), true]);
  });

  test('a cursor that is none is expired', async () => {
    await sync();
    const stale = JSON.stringify({ next: 'nonsense', archived: false });
    for (const cursor of ['{', stale])
      expect(await failureOf(session.read(scopeOf(fake), cursor, noSignal))).toMatchObject({
        kind: 'expired',
      });
  });
});

describe('who may read', () => {
  test('a public channel: everyone', async () => {
    expect(await session.readers!(scopeOf(fake), noSignal)).toBeUndefined();
  });

  test('a private channel: its members, but for bots', async () => {
    fake.addUser('U0BOT', 'Bot', undefined, { is_bot: true });
    fake.general.is_private = true;
    fake.general.members.push('U0BOT');
    expect(await session.readers!(scopeOf(fake), noSignal)).toEqual([
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
    expect(await session.readers!(scopeOf(fake), noSignal)).toHaveLength(1502);
    expect(fake.requests).toBe(1 + 2 + 5 + 2);
  });

  test('a private channel whose members have no addresses is refused', async () => {
    fake.general.is_private = true;
    fake.addUser('U0ALICE', 'Alice', undefined);
    fake.addUser('U0BOB', 'Bob', undefined);
    const error = await failureOf(session.readers!(scopeOf(fake), noSignal));
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
    const found = await failureOf(session.describe(channel, noSignal));
    expect(found).toMatchObject({ kind, message: expect.stringContaining(advice) });
    expect(String(found)).not.toContain('xoxb');
  });

  test('a request that is under way ends with its signal', async () => {
    const controller = new AbortController();
    const reading = failureOf(session.read(scopeOf(fake), '', controller.signal));
    controller.abort(new Error('stopped'));
    expect(await reading).toMatchObject({ message: 'stopped' });
  });
});

test('lists channels, private ones too', async () => {
  fake.addChannel('G0SECRET', 'secret').is_private = true;
  const { resources, nextCursor } = await session.discover({ cursor: '', limit: 100 }, noSignal);
  expect(nextCursor).toBeNull();
  expect(resources.map(({ id, name, metadata }) => [id, name, metadata['is_private']])).toEqual([
    ['C0GENERAL', '#general', false],
    ['C0RANDOM', '#random', false],
    ['G0SECRET', '#secret', true],
  ]);
});
