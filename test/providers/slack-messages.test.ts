import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry, Item } from '../../src/connectors/provider.js';
import { slack } from '../../src/connectors/providers/slack.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { noSignal, openFake, readAll, scopeOf } from '../support/connectors/reading.js';
import { startSlackFake } from '../support/connectors/slack-fake.js';
import type { SlackFake } from '../support/connectors/slack-fake.js';

let fake: SlackFake;

beforeEach(async () => {
  fake = await startSlackFake();
});
afterEach(() => fake.close());

/** All that is read, with its items. */
async function sync(filters: JsonObject = {}): Promise<{ entries: Entry[]; items: (Item | undefined)[] }> {
  const { session, close } = openFake(slack, fake);
  const { entries } = await readAll((cursor) =>
    session.read({ ...scopeOf(fake), filters }, cursor, noSignal),
  );
  const items = [];
  for (const entry of entries) items.push(await entry.load(noSignal));
  await close();
  return { entries, items };
}

async function only(): Promise<Item> {
  const { items } = await sync();
  expect(items).toHaveLength(1);
  return items[0]!;
}

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

  test('is read where Slack writes null instead of leaving a field out', async () => {
    const none = {
      subtype: null,
      bot_id: null,
      username: null,
      thread_ts: null,
      edited: null,
      latest_reply: null,
    };
    const file = { id: 'F1', title: null, name: 'plan.txt', preview: null, permalink: null };
    fake.post('Said', { ...none, blocks: null, files: [file, null] });
    fake.post('', {
      text: null,
      attachments: [{ title: null, text: null, fields: null, fallback: 'Built' }],
    });
    fake.addUser('U0SHY', 'Shy', undefined, {
      real_name: null,
      profile: { display_name: null, email: null },
    });
    fake.post('Quiet', { user: 'U0SHY' });
    const { items } = await sync();
    const said = items.map((item) => [item?.fields['body'], item?.fields['author']]);
    expect(said.sort()).toEqual([
      ['Built', 'Alice <alice@acme.test>'],
      ['Quiet', expect.any(String)],
      ['Said', 'Alice <alice@acme.test>'],
    ]);
    expect(items.flatMap((item) => item?.attachments ?? [])).toMatchObject([{ id: 'F1', title: 'plan.txt' }]);
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
    expect((await sync({ include_bots: false })).entries).toEqual([]);
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
