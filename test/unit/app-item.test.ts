import { describe, expect, test } from '@jest/globals';
import { appDocument } from '../../src/ingestion/preparation/app-content.js';
import { readIsoTime } from '../../src/lib/iso-time.js';
import type { AppKnowledgeInput } from '../../src/sources/app-items/app-item.types.js';
import { readAppItem } from '../../src/sources/app-items/new-app-item.js';
import type { AppContent } from '../../src/sources/source.types.js';
import { firstWordsOfHtml, looksLikeHtml, looksLikeHtmlMail } from '../../src/text/html-text.js';

const read = (item: AppKnowledgeInput) =>
  readAppItem(item, 'app_knowledge[0]', {
    schema: null,
    acl: undefined,
    newId: () => 'made',
    database: 'db',
    collection: 'default',
    graphs: new Map(),
    now: new Date(),
  });
const blocksOf = (item: AppKnowledgeInput) => appDocument(read(item).app as AppContent).blocks;

describe('readIsoTime', () => {
  test.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28T09:30', '2026-02-28T09:30:00.000Z'],
    ['2026-02-28 09:30:15', '2026-02-28T09:30:15.000Z'],
    ['2026-02-28T09:30:15.123456789Z', '2026-02-28T09:30:15.123Z'],
    ['2026-02-28T01:00:00+05:30', '2026-02-27T19:30:00.000Z'],
    ['2026-02-28T01:00:00-0500', '2026-02-28T06:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(readIsoTime(text)?.toISOString()).toBe(expected);
  });

  test.each([
    '',
    'now',
    '1700000000',
    '2026-02-30',
    '2026-13-01',
    '2025-02-29',
    '2026-02-28T25:00',
    '2026-02-28T10:61',
    '2026-02-28T10:00+99:00',
    '0000-01-01',
    '0001-01-01T00:00+01:00',
    '9999-12-31T23:59-01:00',
    '+010000-01-01',
    '28.02.2026',
  ])('refuses %p', (text) => {
    expect(readIsoTime(text)).toBeUndefined();
  });
});

describe('the id of an app item', () => {
  test.each<[AppKnowledgeInput, string]>([
    [{ id: 'own', provider: 'slack', externalId: '1' }, 'own'],
    [{ id: '', provider: 'Slack', externalId: 'C1/p2' }, 'slack:C1/p2'],
    [{ provider: 'slack', externalId: 'a,b\n' }, 'slack:a%2Cb%0A'],
    [{ provider: 'slack', externalId: 'a\u0085b' }, 'slack:a%85b'],
    [{ provider: 'slack', externalId: 'a%2Cb' }, 'slack:a%252Cb'],
    [{ provider: 'a:b', externalId: 'c' }, 'a%3Ab:c'],
    [{ provider: 'a', externalId: 'b:c' }, 'a:b:c'],
    [{ provider: 'slack' }, 'made'],
    [{ externalId: '1' }, 'made'],
    [{ provider: ' ', externalId: '1' }, 'made'],
  ])('%j', (item, id) => {
    expect(read(item).id).toBe(id);
  });
});

describe('the title of an app item', () => {
  test.each<[string, AppKnowledgeInput, string]>([
    ['sent', { title: ' Sent ', kind: 'email', fields: { subject: 'S' } }, 'Sent'],
    ['the subject', { kind: 'email', fields: { subject: 'S', body: 'B' } }, 'S'],
    ['that of a ticket', { kind: 'ticket', fields: { title: 'T', description: 'D' } }, 'T'],
    ['that of a page', { kind: 'knowledge_base', fields: { title: 'P', body: 'B' } }, 'P'],
    ['80 characters of the text', { kind: 'message', fields: { body: '🙂'.repeat(90) } }, '🙂'.repeat(80)],
    ['of the content', { content: { markdown: '## Plans\n\nfor spring' } }, 'Plans'],
    [
      'of a ticket without title',
      { kind: 'ticket', fields: { description: 'It broke.\nTwice.' } },
      'It broke.',
    ],
    ['of a mail in HTML', { kind: 'email', fields: { body: '<p>Hi &amp; bye</p>' } }, 'Hi & bye'],
    ['of the description', { description: 'Described' }, 'Described'],
    ['the id', { id: 'x', kind: 'email', fields: { from: 'ann' } }, 'x'],
    [
      'the id, a foreign title being no field of messages',
      { id: 'x', kind: 'message', fields: { title: 'T' } },
      'x',
    ],
  ])('is %s', (_case, item, title) => {
    expect(read(item).title).toBe(title);
  });
});

describe('the text of an app item', () => {
  test('a mail: its people, then its text; a line of dashes makes no heading', () => {
    const body = 'Dear all\n---\nsee you';
    const fields = { from: 'ann', to: ['bob', 'eve'], cc: 'joe', subject: 'Party', body };
    expect(blocksOf({ kind: 'email', fields }).map(({ text, headings }) => [text, headings])).toEqual([
      ['From: ann\nTo: bob, eve\nCc: joe', []],
      ['Party', []],
      [body, []],
    ]);
    // What was sent as the title is searched with every chunk already.
    expect(blocksOf({ kind: 'email', title: 'Party', fields }).map(({ text }) => text)).not.toContain(
      'Party',
    );
  });

  test('Markdown of trackers and wikis stands under its headings; HTML becomes text', () => {
    const page = blocksOf({ kind: 'knowledge_base', fields: { body: '# A\n\n## B\n\nwords' } });
    expect(page).toEqual([expect.objectContaining({ text: 'words', headings: ['A', 'B'] })]);
    const mail =
      '<html><head><meta charset="iso-8859-1"></head><body><h1>Grüße</h1><p>Ein &lt;Tag&gt;</p></body></html>';
    expect(blocksOf({ kind: 'email', fields: { body: mail } })).toEqual([
      expect.objectContaining({ text: 'Ein <Tag>', headings: ['Grüße'] }),
    ]);
    const chat = 'write <br> or </p> here';
    expect(blocksOf({ kind: 'message', fields: { body: chat } })[0]?.text).toBe(chat);
  });

  test('all of an HTML mail is kept, also what no article would hold', () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `<div class="footer sidebar">line ${i} of the small print</div>`,
    );
    const text = blocksOf({
      kind: 'email',
      fields: { body: `<div><article><p>${'word '.repeat(200)}</p></article>${rows.join('')}</div>` },
    });
    expect(JSON.stringify(text)).toContain('line 39 of the small print');
  });

  test('attachments and comments say where they belong', () => {
    const blocks = blocksOf({
      kind: 'ticket',
      fields: { title: 'T', status: 'open' },
      attachments: [
        { id: 'f1', title: 'log.txt', content: { text: 'stack\r\n\r\ntrace' } },
        { title: 'photo.png' },
        { url: 'https://example.com/nameless' },
        { title: 'x'.repeat(500), content: { markdown: '# H\n\ninner' } },
      ],
      comments: [{ id: 'c1', author: 'ann', body: 'seen' }, { body: 'me too' }, { body: ' \n' }],
    });
    expect(blocks.slice(1)).toEqual([
      { text: 'T', headings: [] },
      { text: 'stack', headings: ['Attachment: log.txt'], layout: { attachment: 'f1' } },
      { text: 'trace', headings: ['Attachment: log.txt'], layout: { attachment: 'f1' } },
      { text: 'Attachment: photo.png', headings: [], layout: { attachment: 2 } },
      { text: 'inner', headings: [`Attachment: ${'x'.repeat(200)}`, 'H'], layout: { attachment: 4 } },
      { text: 'ann: seen', headings: [], layout: { comment: 'c1' } },
      { text: 'me too', headings: [], layout: { comment: 2 } },
    ]);
  });

  test('the data of a custom item, a line for each value', () => {
    const data = {
      customer: { name: 'Acme', tags: ['vip', 'eu'] },
      seats: 12,
      trial: false,
      none: null,
      blank: '',
    };
    expect(blocksOf({ fields: { data } })).toEqual([
      expect.objectContaining({
        text: 'customer.name: Acme\ncustomer.tags: vip\ncustomer.tags: eu\nseats: 12\ntrial: false',
      }),
    ]);
  });

  test('people and states alone are nothing readable; a title is', () => {
    expect(() => blocksOf({ kind: 'ticket', fields: { status: 'open', assignee: 'ann' } })).toThrow(
      /no readable text/,
    );
    expect(
      blocksOf({ kind: 'ticket', title: 'Broken', fields: { status: 'open' } }).map(({ text }) => text),
    ).toEqual(['Status: open', 'Broken']);
  });
});

describe('HTML in texts', () => {
  test.each([
    ['<p>a</p>', true, true],
    ['  <!DOCTYPE html><html><body>a</body></html>', true, true],
    ['Hello,<br>bye', false, true],
    ['use <br> for breaks', false, true],
    ['a < b and c > d', false, false],
    ['Ann <ann@example.com> wrote', false, false],
    ['<ann@example.com> wrote', false, false],
  ])('%s', (text, anywhere, inMail) => {
    expect([looksLikeHtml(text), looksLikeHtmlMail(text)]).toEqual([anywhere, inMail]);
  });

  test('its first words, also of what never ends', () => {
    expect(firstWordsOfHtml('<style>p {}</style><title>no</title><p>yes&nbsp;<b>it</b> is</p>')).toBe(
      'yes it is',
    );
    expect(firstWordsOfHtml(`<p>a</p><!-- ${'x'.repeat(20_000)}`)).toBe('a');
    expect(firstWordsOfHtml(`${'<script>'.repeat(5000)}`)).toBe('');
  });
});
