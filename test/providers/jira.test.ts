import { describe, expect, test } from '@jest/globals';
import { jira } from '../../src/connectors/providers/jira.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { adf } from '../support/connectors/atlassian-server.js';
import { JiraFake } from '../support/connectors/jira-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import {
  failureOf,
  idsOf,
  loadOf,
  noSignal,
  openFake,
  readsOf,
  scopeOf,
} from '../support/connectors/reading.js';

let fake: JiraFake;
const opened = OpenedFake.forEachTest(jira, async () => (fake = await JiraFake.start()));

const { read, walk } = readsOf(opened);

const ada = { accountId: 'a1', displayName: 'Ada Lovelace', emailAddress: 'ada@example.com' };
const shy = { accountId: 'a2', displayName: 'Shy <Person>' };

describe('issues of Jira', () => {
  test('every field finds its place', async () => {
    const { key } = fake.addIssue({
      summary: ' Printer on fire ',
      description: adf('It burns.'),
      status: { name: 'In Progress' },
      priority: { name: 'Highest' },
      assignee: ada,
      reporter: shy,
      issuetype: { name: 'Bug' },
      labels: ['hot', 'office'],
      components: [{ name: 'Hardware' }],
      resolution: { name: 'Done' },
      parent: { id: '1', key: 'OPS-77' },
      issuelinks: [{ outwardIssue: { key: 'OPS-5' } }, { inwardIssue: { key: 'HR-2' } }],
      subtasks: [{ key: 'OPS-9' }, { key: 'OPS-5' }],
      created: '2026-01-02T05:04:05.678+0200',
      attachment: [
        {
          id: '31',
          filename: 'fire.png',
          mimeType: 'image/png',
          size: 12,
          content: 'https://example.atlassian.net/rest/api/3/attachment/content/31',
        },
      ],
    });
    const updatedAt = new Date(fake.issues.get(key)?.updatedAt ?? 0).toISOString();
    const url = `https://example.atlassian.net/browse/${key}`;
    expect(await loadOf((await read()).entries, key)).toEqual({
      kind: 'ticket',
      title: 'Printer on fire',
      type: 'Bug',
      url,
      timestamp: '2026-01-02T03:04:05.678Z',
      fields: {
        title: 'Printer on fire',
        description: 'It burns.',
        status: 'In Progress',
        priority: 'Highest',
        assignee: 'Ada Lovelace <ada@example.com>',
        reporter: 'Shy Person',
        parent_id: 'OPS-77',
        linked_issue_ids: ['OPS-5', 'HR-2', 'OPS-9'],
        created_at: '2026-01-02T03:04:05.678Z',
        updated_at: updatedAt,
        url,
        resolution: 'Done',
      },
      attachments: [
        {
          id: '31',
          title: 'fire.png',
          contentType: 'image/png',
          sizeBytes: 12,
          url: 'https://example.atlassian.net/rest/api/3/attachment/content/31',
        },
      ],
      native: {
        issue_key: key,
        project_key: 'OPS',
        issue_type: 'Bug',
        labels: 'hot, office',
        components: 'Hardware',
      },
    });
    expect(await loadOf((await walk()).entries, key)).toEqual(await loadOf((await read()).entries, key));
  });

  test('an issue with nothing but its summary is worth it, one without words is not', async () => {
    const bare = fake.addIssue({ assignee: null, priority: null, reporter: null, parent: null });
    const blank = fake.addIssue({ summary: ' ' });
    const { entries } = await read();
    expect((await loadOf(entries, bare.key))?.fields).toMatchObject({
      title: `Issue ${bare.key}`,
      status: 'Open',
    });
    expect((await loadOf(entries, bare.key))?.fields).not.toHaveProperty('assignee');
    expect(await loadOf(entries, blank.key)).toBeUndefined();
  });

  test('a field that is null counts as one that is not there', async () => {
    const none = { labels: null, components: null, issuelinks: null, subtasks: null, attachment: null };
    const { key } = fake.addIssue({ ...none, resolution: null, description: null });
    const { key: unnamed } = fake.addIssue({ summary: null, description: adf('It burns.') });
    const { entries } = await read();
    expect((await loadOf(entries, key))?.fields).toMatchObject({ title: `Issue ${key}` });
    expect(await loadOf(entries, unnamed)).toMatchObject({
      title: unnamed,
      fields: { description: 'It burns.' },
    });
  });

  test('comments are items below their issue', async () => {
    const { key } = fake.addIssue();
    const id = fake.comment(key, 'Have you tried water?');
    const empty = fake.comment(key, ' ', { author: null });
    const { entries } = await read();
    expect(idsOf(entries)).toEqual([key, `${key}/comment/${id}`, `${key}/comment/${empty}`]);
    const at = new Date((fake.issues.get(key)?.updatedAt ?? 0) - 1000).toISOString();
    const url = `https://example.atlassian.net/browse/${key}?focusedCommentId=${id}`;
    expect(await loadOf(entries, `${key}/comment/${id}`)).toEqual({
      kind: 'comment',
      url,
      timestamp: at,
      fields: {
        body: 'Have you tried water?',
        author: 'Ada Lovelace <ada@example.com>',
        parent_id: key,
        created_at: at,
        updated_at: at,
        url,
      },
      native: { issue_key: key, project_key: 'OPS', comment_id: id },
    });
    expect(await loadOf(entries, `${key}/comment/${empty}`)).toBeUndefined();
  });

  test('comments that the search does not show are read, in pages, and again by another process', async () => {
    const [first, second] = [fake.addIssue(), fake.addIssue()];
    const expected = [first.key, second.key];
    for (let count = 0; count < 230; count++)
      expected.push(`${first.key}/comment/${fake.comment(first.key, `c${count}`)}`);
    for (let count = 0; count < 21; count++)
      expected.push(`${second.key}/comment/${fake.comment(second.key, `d${count}`)}`);
    const { entries, pages } = await read();
    expect(idsOf(entries).sort()).toEqual(expected.sort());
    expect(Math.max(...pages.map((page) => page.entries.length))).toBeLessThanOrEqual(100);
    expect(pages).toHaveLength(5);
    const resumed = await read(pages[2]?.cursor);
    expect(idsOf(resumed.entries)).toEqual(idsOf(pages.slice(3).flatMap((page) => page.entries)));
    expect(idsOf((await walk()).entries).sort()).toEqual(expected.sort());
    const versions = new Map(entries.map(({ id, version }) => [id, version]));
    for (const { id, version } of (await walk()).entries) expect(version).toBe(versions.get(id));
  });

  test('what not everybody sees is left out, unless it is asked for', async () => {
    const open = fake.addIssue();
    const secret = fake.addIssue({ security: { name: 'Board only' } });
    fake.comment(secret.key, 'hush');
    const hidden = `${open.key}/comment/${fake.comment(open.key, 'for admins', { visibility: { type: 'role', value: 'Administrators' } })}`;
    const note = `${open.key}/comment/${fake.comment(open.key, 'for agents', { jsdPublic: false })}`;
    const reply = `${open.key}/comment/${fake.comment(open.key, 'for customers', { jsdPublic: true })}`;
    const said = `${secret.key}/comment/${String(fake.issues.get(secret.key)?.comments[0]?.['id'])}`;
    const shown = await read();
    expect(idsOf(shown.entries).sort()).toEqual([open.key, reply].sort());
    expect(shown.hidden.sort()).toEqual([secret.key, said, hidden, note].sort());
    expect(idsOf((await walk()).entries).sort()).toEqual([open.key, reply].sort());
    const all = await read('', { filters: { include_restricted: true } });
    expect(idsOf(all.entries).sort()).toEqual([open.key, reply, secret.key, said, hidden, note].sort());
  });

  test('all comments of an issue go with it, however many, as soon as not everybody sees it', async () => {
    const { key } = fake.addIssue();
    const said = Array.from({ length: 30 }, (_, n) => `${key}/comment/${fake.comment(key, `said ${n}`)}`);
    const { cursor, entries } = await read();
    expect(idsOf(entries).sort()).toEqual([key, ...said].sort());
    fake.touch(key, { security: { name: 'Board only' } });
    const changed = await read(cursor);
    expect(changed.entries).toEqual([]);
    expect(changed.hidden.sort()).toEqual([key, ...said].sort());
  });

  test('filters choose types and labels, and leave comments out', async () => {
    const bug = fake.addIssue({ issuetype: { name: 'Bug' }, labels: ['a "b"'] });
    fake.comment(bug.key, 'said');
    fake.addIssue({ issuetype: { name: 'Bug' } });
    fake.addIssue({ labels: ['a "b"'] });
    const filters: JsonObject = { issue_types: ['Bug'], include_comments: false };
    expect(idsOf((await read('', { filters })).entries)).toHaveLength(2);
    expect(fake.searches.at(-1)?.['jql']).toContain('issuetype in ("Bug")');
    fake.touch(bug.key, { labels: ['hot'] });
    expect(idsOf((await read('', { filters: { ...filters, labels: ['hot'] } })).entries)).toEqual([bug.key]);
  });

  test('a key cannot end its quotation in the query', async () => {
    const error = await failureOf(read('', { id: 'OPS" OR project = "HR' }));
    expect(error).toMatchObject({ kind: 'missing', httpStatus: 400 });
    expect(fake.searches[0]?.['jql']).toContain('project = "OPS\\" OR project = \\"HR"');
  });

  test('nothing comes that was last changed before the lookback', async () => {
    const old = fake.addIssue();
    const young = fake.addIssue();
    const oldest = new Date(young.updatedAt);
    expect(idsOf((await read('', { oldest })).entries)).toEqual([young.key]);
    expect(idsOf((await walk({ oldest })).entries)).toEqual([young.key]);
    fake.comment(old.key, 'still there?');
    expect(idsOf((await read('', { oldest })).entries)).toContain(old.key);
  });

  test('a sync of little news takes one request, and asks for what it needs only', async () => {
    await fake.add(120, 'zebra');
    const { cursor } = await read();
    const before = fake.requests;
    const { key } = fake.addIssue();
    fake.issues.get(key)!.updatedAt += 3_600_000;
    const next = await read(cursor);
    expect(fake.requests - before).toBeLessThanOrEqual(3);
    expect(idsOf(next.entries)).toContain(key);
    const quiet = fake.requests;
    expect(idsOf((await read(next.cursor)).entries)).toEqual([key]);
    expect(fake.requests - quiet).toBe(1);
    expect(fake.searches.at(-1)?.['fields']).not.toContain('*all');
    const walked = fake.requests;
    await walk();
    expect(fake.requests - walked).toBe(3);
    expect(fake.searches.at(-1)?.['fields']).toEqual(['updated', 'security', 'comment']);
  });

  test('an issue that the search shows late is not lost', async () => {
    await fake.add(3, 'zebra');
    const { cursor } = await read();
    const late = fake.addIssue();
    late.updatedAt -= 5 * 60_000;
    expect(idsOf((await read(cursor)).entries)).toContain(late.key);
  });

  test('what changes while a backfill is paged is not lost', async () => {
    const keys = await fake.add(120, 'zebra');
    const first = await opened.session.read(scopeOf(fake), '', noSignal);
    fake.touch(keys[0] ?? '', { summary: 'changed behind' });
    fake.touch(keys[119] ?? '', { summary: 'changed ahead' });
    const added = fake.addIssue();
    const rest = await read(first.cursor);
    expect(new Set(idsOf([...first.entries, ...rest.entries]))).toEqual(new Set([...keys, added.key]));
    expect(await loadOf(rest.entries, keys[0] ?? '')).toMatchObject({ title: 'changed behind' });
  });

  test('an issue that moved to another project is gone from this one', async () => {
    const { key } = fake.addIssue();
    const issue = fake.issues.get(key)!;
    fake.issues.delete(key);
    fake.issues.set('HR-900', { ...issue, key: 'HR-900' });
    expect(idsOf((await walk()).entries)).toEqual([]);
    expect(idsOf((await walk({ id: 'HR' })).entries)).toEqual(['HR-900']);
  });

  test('what went, or was moved, between listing and loading is nothing', async () => {
    const { key } = fake.addIssue();
    const { entries } = await walk();
    const issue = fake.issues.get(key)!;
    fake.issues.set(key, { ...issue, key: 'HR-900' });
    expect(await loadOf(entries, key)).toBeUndefined();
    await fake.remove(key);
    expect(await loadOf(entries, key)).toBeUndefined();
  });
});

describe('failures of Jira', () => {
  test('a token that is taken for nobody is a rejected one', async () => {
    fake.addIssue();
    const wrong = openFake(jira, fake, fake.wrongCredentials);
    expect(await failureOf(wrong.session.discover({ cursor: '', limit: 10 }, noSignal))).toMatchObject({
      kind: 'credentials',
    });
    const error = await failureOf(wrong.session.read(scopeOf(fake), '', noSignal));
    await wrong.close();
    expect(error).toMatchObject({ kind: 'credentials', httpStatus: 401 });
    expect(String(error)).not.toContain('ATATT3');
  });

  test('a project that is not shown is missing; a position that is too old, or a cursor of somebody else, is expired', async () => {
    await fake.add(60, 'zebra');
    expect(await failureOf(read('', { id: 'NOPE' }))).toMatchObject({ kind: 'missing' });
    const page = await opened.session.read(scopeOf(fake), '', noSignal);
    const stale = JSON.stringify({ ...(JSON.parse(page.cursor) as JsonObject), token: '%' });
    expect(await failureOf(read(stale))).toMatchObject({ kind: 'expired' });
    expect(await failureOf(read('{"page":2}'))).toMatchObject({ kind: 'expired' });
    expect(await failureOf(read('zebra'))).toMatchObject({ kind: 'expired' });
  });

  test.each([403, 404])('a project that is answered with %i is refused, or missing', async (status) => {
    fake.fail({ status }, 1);
    const kind = status === 403 ? 'refused' : 'missing';
    expect(await failureOf(opened.session.describe('OPS', noSignal))).toMatchObject({ kind });
  });

  test('a site without Jira, or one that sends elsewhere, is refused', async () => {
    fake.fail({ status: 404 }, 1);
    expect(await failureOf(opened.session.check(noSignal))).toMatchObject({ kind: 'credentials' });
    fake.fail({ status: 302 }, 1);
    expect(await failureOf(opened.session.check(noSignal))).toMatchObject({ kind: 'credentials' });
    expect(fake.log.at(-1)).not.toBe('/login.jsp');
  });

  test('a site that sends elsewhere later, as for maintenance, is out of order', async () => {
    for (const work of [read, walk, () => opened.session.describe('OPS', noSignal)]) {
      fake.fail({ status: 302 }, 1);
      expect(await failureOf(work())).toMatchObject({ kind: 'unavailable' });
    }
    expect(fake.log).not.toContain('/login.jsp');
  });

  test('the address of a page is taken for its site; what is no address is refused', () => {
    const given = (site_url: string) => jira.credentials.safeParse({ ...fake.credentials, site_url }).success;
    expect([given('https://a.atlassian.net/jira/projects'), given(' http://jira.local:8080/ ')]).toEqual([
      true,
      true,
    ]);
    const refused = [
      'a.atlassian.net',
      'file:///etc/passwd',
      'https://me@a.example',
      '',
      'https://[::1',
      'https://[fe80::1%25eth0]',
      'https://a.example:99999',
      'https://%/',
    ];
    expect(refused.filter(given)).toEqual([]);
  });
});

test('comments that Jira counts and does not show are not gone; without a count all pages are read', async () => {
  const { key } = fake.addIssue();
  for (let count = 0; count < 230; count++) fake.comment(key, `c${count}`);
  fake.countedComments = null;
  expect((await walk()).entries).toHaveLength(231);
  fake.countedComments = 240;
  const { entries, pages } = await walk();
  expect(entries).toHaveLength(231);
  expect(pages.flatMap(({ unlisted }) => unlisted ?? [])).toMatchObject([{ idPrefix: `${key}/comment/` }]);
});

test('a search that has more, and does not say where, ends no walk', async () => {
  await fake.add(120, 'zebra');
  fake.hidesPositions = true;
  expect(await failureOf(read())).toMatchObject({ kind: 'unavailable' });
  expect(await failureOf(opened.session.walk!(scopeOf(fake), '', noSignal))).toMatchObject({
    kind: 'unavailable',
  });
});
