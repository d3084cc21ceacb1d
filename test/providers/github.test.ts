import { describe, expect, test } from '@jest/globals';
import type { Item, ResourceScope } from '../../src/connectors/provider.js';
import { github } from '../../src/connectors/providers/github.js';
import { appToken, startGithubFake } from '../support/connectors/github-fake.js';
import type { GithubFake } from '../support/connectors/github-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { failureOf, noSignal, openFake, readAll, scopeOf, textOf } from '../support/connectors/reading.js';

const merged = { pull_request: { merged_at: '2024-05-01T10:00:00Z' }, state: 'closed' };
let fake: GithubFake;
const opened = OpenedFake.forEachTest(github, async () => (fake = await startGithubFake()));

/** A sync of its own, as the engine makes one; `load` false: without its items. */
async function sync(from = '', scope: Partial<ResourceScope> = {}) {
  const opened = openFake(github, fake);
  const before = fake.requests;
  const shown = await readAll(
    (cursor) => opened.session.read({ ...scopeOf(fake), ...scope }, cursor, noSignal),
    from,
  );
  const requests = fake.requests - before;
  const items = new Map<string, Item | undefined>();
  for (const entry of shown.entries) items.set(entry.id, await entry.load(noSignal));
  const texts = await Promise.all([...items.values()].map(textOf));
  await opened.close();
  return { ...shown, items, texts, requests };
}

const walk = (scope: Partial<ResourceScope> = {}) =>
  readAll((cursor) => opened.session.walk!({ ...scopeOf(fake), ...scope }, cursor, noSignal));
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).sort();

describe('items', () => {
  test('an issue is a ticket with people, labels and state', async () => {
    const { created_at, updated_at } = fake.addTicket('It breaks <!-- say more --> often', {
      title: 'Crash',
      assignee: { login: 'carol' },
      labels: [{ name: 'bug' }, { name: 'ui' }],
    });
    expect((await sync()).items.get('acme/web#1')).toEqual({
      kind: 'ticket',
      title: 'Crash (#1)',
      url: 'https://github.com/Acme/Web/issues/1',
      type: 'issue',
      timestamp: created_at,
      fields: {
        title: 'Crash',
        description: 'It breaks  often',
        status: 'open',
        assignee: 'carol',
        reporter: 'alice',
        thread_id: 'acme/web#1',
        created_at,
        updated_at,
        url: 'https://github.com/Acme/Web/issues/1',
      },
      native: { repository: 'Acme/Web', number: '1', state: 'open', labels: 'bug, ui' },
    });
  });

  test('pull requests are open, closed or merged; texts and people may be missing', async () => {
    fake.addTicket('Open', { pull_request: { merged_at: null } });
    fake.addTicket('Closed', { pull_request: { merged_at: null }, state: 'closed' });
    fake.addTicket(null, { ...merged, user: null });
    const { items } = await sync();
    expect([...items.values()].map((item) => [item?.type, item?.fields['status']])).toEqual([
      ['pull_request', 'open'],
      ['pull_request', 'closed'],
      ['pull_request', 'merged'],
    ]);
    const last = items.get('acme/web#3');
    expect(last?.fields).toMatchObject({ reporter: 'ghost', title: 'Ticket 3' });
    expect(last?.fields).not.toHaveProperty('description');
  });

  test('comments belong to what they are on', async () => {
    const ticket = fake.addTicket('Change', merged);
    const said = fake.addComment(ticket, 'Looks good');
    const review = fake.addComment(ticket, 'Why?', { path: 'src/a.ts', user: null });
    const empty = fake.addComment(ticket, null);
    const { items } = await sync();
    expect(items.get(`acme/web#1/comment/${said.id}`)).toMatchObject({
      kind: 'comment',
      type: 'comment',
      url: `https://github.com/Acme/Web/pull/1#issuecomment-${said.id}`,
      timestamp: said.created_at,
      fields: { body: 'Looks good', author: 'bob', parent_id: 'acme/web#1', thread_id: 'acme/web#1' },
      native: { repository: 'Acme/Web', number: '1' },
    });
    expect(items.get(`acme/web#1/review-comment/${review.id}`)).toMatchObject({
      title: 'Review of src/a.ts in #1',
      type: 'review_comment',
      fields: { body: 'Why?', author: 'ghost', parent_id: 'acme/web#1' },
      native: { path: 'src/a.ts' },
    });
    expect(items.has(`acme/web#1/comment/${empty.id}`)).toBe(true);
    expect(items.get(`acme/web#1/comment/${empty.id}`)).toBeUndefined();
  });

  test.each([
    ['Fixes #12 and closes: acme/web#13', ['acme/web#12', 'acme/web#13']],
    ['See Other/Repo.js#4, GH-9 (#10)', ['other/repo.js#4', 'acme/web#10', 'acme/web#9']],
    ['https://github.com/acme/Api/pull/7#issuecomment-1', ['acme/api#7']],
    ['`#1` ```\n#2\n``` &#39; a#3 https://elsewhere.test/a/b/issues/8 # 5 #6x #1', undefined],
  ])('%j names tickets', async (body, linked) => {
    fake.addTicket(body);
    expect((await sync()).items.get('acme/web#1')?.fields['linked_issue_ids']).toEqual(linked);
  });

  test('Markdown files of the root and of docs are items', async () => {
    fake.push('README.md', '# Zebra');
    fake.push('docs/how to/Ünit.md', '# Okapi');
    for (const path of ['src/notes.md', 'docs/a.png', 'package.json']) fake.push(path, 'other');
    fake.push('EMPTY.md', '');
    const { items, texts } = await sync();
    expect([...items.keys()]).toEqual(['acme/web/blob/README.md', 'acme/web/blob/docs/how to/Ünit.md']);
    expect(items.get('acme/web/blob/docs/how to/Ünit.md')).toMatchObject({
      kind: 'knowledge_base',
      title: 'docs/how to/Ünit.md',
      url: 'https://github.com/Acme/Web/blob/main/docs/how%20to/%C3%9Cnit.md',
      file: { filename: 'Ünit.md' },
      native: { repository: 'Acme/Web', path: 'docs/how to/Ünit.md' },
    });
    expect(texts[0]).toContain('# Zebra');
    expect(texts[1]).toContain('# Okapi');
  });

  test('a comment tells by any of its addresses what it is on', async () => {
    const issue = fake.addTicket('Issue');
    const change = fake.addTicket('Change', { pull_request: { merged_at: null } });
    const api = 'https://api.github.com/repos/Acme/Web';
    const said = fake.addComment(issue, 'On the issue', {
      html_url: undefined,
      issue_url: `${api}/issues/1`,
    });
    const review = fake.addComment(change, 'On a line', {
      path: 'a.ts',
      html_url: undefined,
      pull_request_url: `${api}/pulls/2`,
    });
    const shown = ids((await sync()).entries).filter((id) => id.includes('comment'));
    expect(shown).toEqual([`acme/web#1/comment/${said.id}`, `acme/web#2/review-comment/${review.id}`]);
  });

  test('a file that is only a link to another is none', async () => {
    fake.push('README.md', '# Zebra');
    fake.push('docs/README.md', '../README.md');
    fake.links.add('docs/README.md');
    expect([...(await sync()).items.keys()]).toEqual(['acme/web/blob/README.md']);
  });

  test('of a tree that is cut off, the root and docs are listed by themselves', async () => {
    for (let index = 0; index < 30; index++) fake.push(`a/${index}.md`, `Text ${index}`);
    for (const path of ['docs/how/to.md', 'docs/b.md', 'z.md']) fake.push(path, `At ${path}`);
    fake.treeMax = 20;
    const { items, cursor } = await sync();
    const shown = ['acme/web/blob/docs/b.md', 'acme/web/blob/docs/how/to.md', 'acme/web/blob/z.md'];
    expect([...items.keys()].sort()).toEqual(shown);
    expect(ids((await walk()).entries)).toEqual(shown);
    fake.push('z.md', undefined);
    expect((await sync(cursor)).entries.map(({ id }) => id)).not.toContain('acme/web/blob/z.md');
  });
});

describe('filters', () => {
  test.each([
    [{ include_issues: false }, ['#2', '#2/comment', '#2/review-comment', '/blob']],
    [{ include_pull_requests: false }, ['#1', '#1/comment', '/blob']],
    [{ include_comments: false }, ['#1', '#2', '/blob']],
    [{ include_files: false }, ['#1', '#1/comment', '#2', '#2/comment', '#2/review-comment']],
    [{ labels: ['bug', 'ui'] }, ['#1', '#1/comment', '/blob']],
    [{ include_issues: false, include_pull_requests: false, include_files: false }, []],
  ])('%j', async (filters, kinds) => {
    const issue = fake.addTicket('Issue', { labels: [{ name: 'ui' }, { name: 'bug' }] });
    const change = fake.addTicket('Change', { ...merged, labels: [{ name: 'bug' }] });
    fake.addComment(issue, 'On the issue');
    fake.addComment(change, 'On the change');
    fake.addComment(change, 'On a line', { path: 'a.ts' });
    fake.push('README.md', 'Read');
    const shown = (entries: readonly { id: string }[]) =>
      ids(entries).map((id) => id.replace('acme/web', '').replace(/\/(\d+|README.md)$/, ''));
    expect(shown((await sync('', { filters })).entries).sort()).toEqual([...kinds].sort());
    expect(shown((await walk({ filters })).entries).sort()).toEqual([...kinds].sort());
  });
});

describe('reading', () => {
  test('without news costs a request for the repository and one for each list', async () => {
    await fake.add(400, 'zebra');
    fake.push('README.md', 'Read');
    const { cursor } = await sync();
    const idle = await sync(cursor);
    expect(idle.requests).toBe(4);
    expect(idle.entries.length).toBeLessThanOrEqual(4);

    const ticket = fake.tickets[0]!;
    const comment = fake.addComment(ticket, 'News');
    const next = await sync(idle.cursor);
    expect(next.requests).toBe(4);
    expect(ids(next.entries)).toEqual(
      expect.arrayContaining(['acme/web#1', `acme/web#1/comment/${comment.id}`]),
    );
  });

  test('files are loaded when they change, and listed when something was pushed', async () => {
    fake.push('README.md', 'Old');
    fake.push('docs/a.md', 'Same');
    const first = await sync();
    const version = (entries: typeof first.entries, path: string) =>
      entries.find(({ id }) => id.endsWith(path))?.version;
    fake.push('README.md', 'New');
    const next = await sync(first.cursor);
    expect(version(next.entries, 'README.md')).not.toBe(version(first.entries, 'README.md'));
    expect(version(next.entries, 'a.md')).toBe(version(first.entries, 'a.md'));
    fake.push('README.md', undefined);
    expect(ids((await walk()).entries)).toEqual(['acme/web/blob/docs/a.md']);
  });

  test('many files are read in pages of one state', async () => {
    for (let index = 0; index < 250; index++) fake.push(`docs/${index}.md`, `Text ${index}`);
    const { entries, pages, requests } = await sync();
    expect(new Set(ids(entries)).size).toBe(250);
    expect(pages.every((page) => page.entries.length <= 100)).toBe(true);
    expect(requests).toBe(5);
  });

  test('more changes in a second than a page holds are all read, once', async () => {
    fake.addTicket('Before');
    fake.isClockStopped = true;
    for (let index = 0; index < 350; index++) fake.addTicket('At once');
    fake.isClockStopped = false;
    for (let index = 0; index < 120; index++) fake.addTicket('Later');
    const { entries } = await sync();
    expect(entries).toHaveLength(471);
    expect(new Set(ids(entries)).size).toBe(471);
  });

  test('changes while pages are read lose nothing', async () => {
    for (let index = 0; index < 250; index++) fake.addTicket('Text');
    const scope = scopeOf(fake);
    const first = await opened.session.read(scope, '', noSignal);
    // What was read moves behind what was not, which would slip over the edge of a numbered page.
    for (let number = 1; number <= 60; number++) await fake.edit(`acme/web#${number}`, 'okapi');
    fake.addTicket('New');
    const rest = await readAll((cursor) => opened.session.read(scope, cursor, noSignal), first.cursor);
    const shown = new Set([...ids(first.entries), ...ids(rest.entries)]);
    expect(shown.size).toBe(251);
    const edited = rest.entries.find(({ id }) => id === 'acme/web#1');
    expect(JSON.stringify(await edited?.load(noSignal))).toContain('okapi');
  });

  test('another change within the second of the last one is shown', async () => {
    fake.isClockStopped = true;
    const ticket = fake.addTicket('First');
    const { cursor, entries } = await sync();
    ticket.body = 'Second';
    const next = await sync(cursor);
    expect(next.entries[0]?.version).not.toBe(entries[0]?.version);
  });

  test('begins where it is told to', async () => {
    const old = fake.addTicket('Old');
    const recent = fake.addTicket('Recent');
    const oldest = new Date(Date.parse(old.updated_at) + 500);
    // GitHub knows whole seconds.
    expect(ids((await sync('', { oldest })).entries)).toEqual(['acme/web#1', 'acme/web#2']);
    const after = new Date(recent.updated_at);
    expect(ids((await sync('', { oldest: after })).entries)).toEqual(['acme/web#2']);
    expect(ids((await walk({ oldest: after })).entries)).toEqual(['acme/web#2']);
  });

  test('a walk shows the versions that were read', async () => {
    await fake.add(40, 'zebra');
    fake.push('README.md', 'Read');
    const versions = (entries: readonly { id: string; version?: string }[]) =>
      new Map(entries.map(({ id, version }) => [id, version]));
    expect(versions((await walk()).entries)).toEqual(versions((await sync()).entries));
  });

  test('a renamed repository keeps its ids', async () => {
    fake.addTicket('Text, see Acme/Site#4');
    const first = await sync();
    fake.rename('Site');
    const next = await sync(first.cursor);
    expect(ids(next.entries)).toEqual(['acme/web#1']);
    expect(next.items.get('acme/web#1')?.fields['linked_issue_ids']).toEqual(['acme/web#4']);
    expect(await opened.session.describe('Acme/Web', noSignal)).toMatchObject({
      id: 'Acme/Web',
      name: 'Acme/Site',
    });
    // The old name once each; everything else by the new one.
    expect(fake.asked.filter((path) => path.startsWith('/repositories/'))).toHaveLength(2);
  });

  test('a token of an installation of an app discovers what the app was given', async () => {
    const opened = openFake(github, fake, { access_token: appToken });
    const { resources } = await opened.session.discover({ cursor: '', limit: 5 }, noSignal);
    expect(resources).toEqual([await opened.session.describe('Acme/Web', noSignal)]);
    await opened.close();
  });

  test('an archived repository says so with its last page', async () => {
    fake.addTicket('Text');
    fake.repository['archived'] = true;
    const { pages } = await sync();
    expect(pages.map(({ isArchived }) => isArchived ?? false)).toEqual([
      ...pages.slice(1).map(() => false),
      true,
    ]);
  });

  test('a repository without issues has comments and files', async () => {
    fake.hasIssues = false;
    fake.push('README.md', 'Read');
    expect(ids((await sync()).entries)).toEqual(['acme/web/blob/README.md']);
    await opened.session.describe('acme/web', noSignal);
  });
});

describe('what GitHub refuses', () => {
  const reset = String(Math.floor(Date.now() / 1000) + 90);
  test.each([
    [
      'the hourly limit',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      'API rate limit exceeded',
      { kind: 'limited' },
    ],
    [
      'a secondary limit',
      403,
      { 'retry-after': '33' },
      'Slow down',
      { kind: 'limited', retryAfterSeconds: 33 },
    ],
    [
      'a secondary limit without a time',
      403,
      {},
      'You have exceeded a secondary rate limit',
      { kind: 'limited', retryAfterSeconds: 60 },
    ],
    ['a right', 403, { 'x-ratelimit-remaining': '9' }, 'Resource not accessible', { kind: 'refused' }],
    [
      'single sign-on',
      403,
      { 'x-github-sso': 'required; url=x' },
      'Protected',
      { kind: 'refused', message: expect.stringContaining('single sign-on') },
    ],
    ['a blocked repository', 451, {}, 'Blocked', { kind: 'refused' }],
  ])('%s', async (_what, status, headers, message, expected) => {
    fake.refusal = { status, headers: headers as unknown as Record<string, string>, body: { message } };
    const error = await failureOf(opened.session.read(scopeOf(fake), '', noSignal));
    expect(error).toMatchObject(expected);
    expect(String(error)).not.toContain('github_pat');
  });

  test.each(['', 'acme', 'acme/web/more', '../web', 'acme/..', 'a b/c'])(
    '%j names no repository',
    async (id) => {
      expect(await failureOf(opened.session.describe(id, noSignal))).toMatchObject({ kind: 'missing' });
      expect(fake.requests).toBe(0);
    },
  );

  test('a request that is under way ends with its signal', async () => {
    const controller = new AbortController();
    const reading = failureOf(opened.session.read(scopeOf(fake), '', controller.signal));
    controller.abort(new Error('stopped'));
    expect(await reading).toMatchObject({ message: 'stopped' });
  });

  test('a cursor that is none is expired', async () => {
    expect(await failureOf(opened.session.read(scopeOf(fake), '{', noSignal))).toMatchObject({
      kind: 'expired',
    });
  });
});
