import { describe, expect, test } from '@jest/globals';
import type { Entry } from '../../src/connectors/provider.js';
import { confluence } from '../../src/connectors/providers/confluence.js';
import { adf } from '../support/connectors/atlassian-server.js';
import { ConfluenceFake } from '../support/connectors/confluence-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import {
  failureOf,
  idsOf,
  loadOf,
  noSignal,
  openFake,
  readsOf,
  scopeOf,
  textOf,
} from '../support/connectors/reading.js';

let fake: ConfluenceFake;
const opened = OpenedFake.forEachTest(confluence, async () => (fake = await ConfluenceFake.start()));

const { read, walk } = readsOf(opened);
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const person = (email: string) => ({ displayName: email, email });
const ada = 'Ada Lovelace <ada@example.com>';

describe('contents of Confluence', () => {
  test('every field of a page finds its place', async () => {
    const home = fake.addContent({ title: 'Home' });
    const guide = fake.addContent({ ancestors: [home.id] });
    const page = fake.addContent({
      title: ' How to brew ',
      body: adf('Boil water.'),
      ancestors: [home.id, guide.id],
      labels: ['tea', 'kitchen'],
    });
    const url = `https://example.atlassian.net/wiki/spaces/DOCS/pages/${page.id}`;
    const { entries } = await read();
    expect(await loadOf(entries, page.id)).toEqual({
      kind: 'knowledge_base',
      title: 'How to brew',
      type: 'page',
      url,
      timestamp: iso(page.createdAt),
      fields: {
        title: 'How to brew',
        body: 'Boil water.',
        parent_id: guide.id,
        created_by: ada,
        updated_by: ada,
        created_at: iso(page.createdAt),
        updated_at: iso(page.changedAt),
        url,
      },
      native: { space_key: 'DOCS', page_id: page.id, labels: 'tea, kitchen' },
    });
    expect((await loadOf(entries, home.id))?.fields).not.toHaveProperty('parent_id');
    expect(await loadOf((await walk()).entries, page.id)).toEqual(await loadOf(entries, page.id));
  });

  test('an empty page is nothing, a blog post is one of its own', async () => {
    const empty = fake.addContent({ body: { type: 'doc', version: 1, content: [] } });
    const post = fake.addContent({ type: 'blogpost', body: adf('News.') });
    const { entries } = await read();
    expect(await loadOf(entries, empty.id)).toBeUndefined();
    expect(await loadOf(entries, post.id)).toMatchObject({ type: 'blog post', fields: { body: 'News.' } });
  });

  test('comments are items below their page, with the passage that they are about', async () => {
    const page = fake.addContent();
    const footer = fake.addContent({
      type: 'comment',
      title: 'Re: Page',
      container: page.id,
      body: adf('I agree.'),
      extensions: { location: 'footer' },
    });
    const inline = fake.addContent({
      type: 'comment',
      title: 'Re: Page',
      container: page.id,
      ancestors: [footer.id],
      body: adf('Really?'),
      extensions: { location: 'inline', inlineProperties: { originalSelection: 'the moon\nis cheese' } },
    });
    const { entries } = await read();
    expect(await loadOf(entries, footer.id)).toEqual({
      kind: 'comment',
      title: 'Re: Page',
      url: `https://example.atlassian.net/wiki/spaces/DOCS/pages/${footer.id}`,
      timestamp: iso(footer.createdAt),
      fields: {
        body: 'I agree.',
        author: ada,
        parent_id: page.id,
        thread_id: footer.id,
        created_at: iso(footer.createdAt),
        updated_at: iso(footer.createdAt),
        url: `https://example.atlassian.net/wiki/spaces/DOCS/pages/${footer.id}`,
      },
      native: { space_key: 'DOCS', page_id: page.id },
    });
    expect((await loadOf(entries, inline.id))?.fields).toMatchObject({
      body: '> the moon\n> is cheese\n\nReally?',
      thread_id: footer.id,
    });
  });

  test('attached documents are files; films, giants and what lies nowhere are not', async () => {
    const page = fake.addContent();
    const attach = (title: string, mediaType: string, fileSize = 5) =>
      fake.addContent({ type: 'attachment', title, container: page.id, extensions: { mediaType, fileSize } });
    const notes = attach('notes.md', 'text/markdown');
    notes.bytes = Buffer.from('# zebra');
    const film = attach('film.mp4', 'video/mp4');
    const giant = attach('giant.pdf', 'application/pdf', 60_000_000);
    const { entries } = await read();
    const item = await loadOf(entries, notes.id);
    expect(item).toMatchObject({
      kind: 'knowledge_base',
      title: 'notes.md',
      type: 'attachment',
      fields: { parent_id: page.id, created_by: ada },
      file: { filename: 'notes.md', contentType: 'text/markdown' },
    });
    expect(await textOf(item)).toContain('# zebra');
    expect(await loadOf(entries, film.id)).toBeUndefined();
    expect(await loadOf(entries, giant.id)).toBeUndefined();
  });

  test('filters leave kinds of contents out', async () => {
    const page = fake.addContent();
    fake.addContent({ type: 'blogpost' });
    fake.addContent({ type: 'comment', container: page.id });
    fake.addContent({ type: 'attachment', container: page.id });
    const filters = { include_blog_posts: false, include_comments: false, include_attachments: false };
    expect(idsOf((await read('', { filters })).entries)).toEqual([page.id]);
    expect((await read()).entries).toHaveLength(4);
  });

  test('what was archived or moved to another space is gone', async () => {
    const page = fake.addContent();
    const moved = fake.addContent();
    const { cursor } = await read();
    fake.change(page.id, { status: 'archived' });
    moved.space = 'PEOPLE';
    expect((await read(cursor)).deleted).toEqual([page.id]);
    expect(idsOf((await walk()).entries)).toEqual([]);
    expect(idsOf((await walk({ id: 'PEOPLE' })).entries)).toEqual([moved.id]);
  });

  test('a page that was moved below another is another version', async () => {
    const home = fake.addContent();
    const page = fake.addContent();
    const before = (await walk()).entries.find(({ id }) => id === page.id)?.version;
    page.ancestors = [home.id];
    expect((await walk()).entries.find(({ id }) => id === page.id)?.version).not.toBe(before);
  });

  test('nothing comes that was last changed before the lookback, though the search goes further back', async () => {
    const old = fake.addContent();
    const young = fake.addContent();
    const oldest = new Date(young.changedAt);
    expect(idsOf((await read('', { oldest })).entries)).toEqual([young.id]);
    expect(idsOf((await walk({ oldest })).entries)).toEqual([young.id]);
    fake.change(old.id, {});
    expect(idsOf((await read('', { oldest })).entries)).toEqual([young.id, old.id]);
  });

  test('a sync of little news takes few requests, with comments and files in it', async () => {
    const old = await fake.add(60, 'zebra');
    for (const id of old)
      Object.assign(fake.contents.get(id) ?? {}, { changedAt: Date.now() - 5 * 86_400_000 });
    const page = fake.addContent();
    const { cursor } = await read();
    const before = fake.requests;
    const comment = fake.addContent({ type: 'comment', container: page.id });
    const news = await read(cursor);
    expect(idsOf(news.entries)).toContain(comment.id);
    expect(news.entries.length).toBeLessThan(5);
    expect(fake.requests - before).toBe(1);
    const other = fake.addContent({ type: 'comment', container: old[0] ?? '' });
    expect(idsOf((await read(news.cursor)).entries)).toContain(other.id);
    expect(fake.requests - before).toBe(3);
  });

  test('what changes while a backfill is paged is not lost', async () => {
    const ids = await fake.add(60, 'zebra');
    const first = await opened.session.read(scopeOf(fake), '', noSignal);
    await fake.edit(ids[0] ?? '', 'okapi');
    const added = fake.addContent();
    const rest = await read(first.cursor);
    expect(new Set(idsOf([...first.entries, ...rest.entries]))).toEqual(new Set([...ids, added.id]));
    expect(await textOf(await loadOf(rest.entries, ids[0] ?? ''))).toContain('okapi');
  });

  test('the address of a page is taken for its site', async () => {
    const page = fake.addContent();
    const site = { ...fake.credentials, site_url: 'https://other.atlassian.net/wiki/spaces/DOCS/' };
    const other = openFake(confluence, fake, site);
    const { entries } = await other.session.read(scopeOf(fake), '', noSignal);
    expect((await loadOf(entries, page.id))?.url).toBe(
      `https://other.atlassian.net/wiki/spaces/DOCS/pages/${page.id}`,
    );
    await other.close();
  });
});

describe('who may read contents of Confluence', () => {
  const readersOf = (entries: readonly Entry[], id: string) =>
    entries.find((entry) => entry.id === id)?.readers;

  test('a page without restrictions is read as the space is', async () => {
    const page = fake.addContent();
    const { entries } = await read();
    expect(readersOf(entries, page.id)).toBeUndefined();
    fake.permissions = [
      { type: 'group', id: 'gid-Docs Team' },
      { type: 'user', id: 'u1' },
      { type: 'user', id: 'closed' },
      { type: 'user', id: 'shy' },
      { type: 'group', id: 'gid-writers', operation: 'create' },
      { type: 'role', id: 'r1' },
    ];
    fake.users.set('u1', 'ada@example.com').set('shy', '');
    expect(await opened.session.readers?.(scopeOf(fake), noSignal)).toEqual([
      'user_email:reader@example.com',
      'group:Docs Team',
      'user_email:ada@example.com',
    ]);
  });

  test('a restriction holds for the page, for all below it, and for their comments and files', async () => {
    const home = fake.addContent();
    const secret = fake.addContent({
      ancestors: [home.id],
      users: [person('Ada@example.com'), { displayName: 'Shy' }],
      groups: ['hr'],
    });
    const below = fake.addContent({ ancestors: [home.id, secret.id] });
    const parts = [
      fake.addContent({ type: 'comment', container: secret.id }),
      fake.addContent({ type: 'attachment', container: below.id }),
    ];
    const expected = ['group:hr', 'user_email:ada@example.com'];
    for (const { entries } of [await read(), await walk()]) {
      expect(readersOf(entries, home.id)).toBeUndefined();
      for (const { id } of [secret, below, ...parts]) expect(readersOf(entries, id)).toEqual(expected);
    }
  });

  test('so does one of pages above that were changed long ago and are not among the news', async () => {
    const long = { changedAt: Date.now() - 20 * 86_400_000 };
    const secret = fake.addContent({ users: [person('ada@example.com')], ...long });
    const between = fake.addContent({ ancestors: [secret.id], ...long });
    const oldest = new Date(Date.now() - 86_400_000);
    const below = fake.addContent({ ancestors: [secret.id, between.id] });
    const comment = fake.addContent({ type: 'comment', container: between.id });
    const { entries } = await read('', { oldest });
    expect(idsOf(entries)).toEqual([below.id, comment.id]);
    for (const { id } of [below, comment])
      expect(readersOf(entries, id)).toEqual(['user_email:ada@example.com']);
  });

  test('several restrictions let through whom all of them do', async () => {
    fake.groups.set('hr', ['bob@example.com', 'Carol@example.com']);
    const top = fake.addContent({ users: [person('ada@example.com')], groups: ['hr', 'board'] });
    const page = fake.addContent({
      ancestors: [top.id],
      users: [person('ada@example.com'), person('carol@example.com'), person('mallory@example.com')],
      groups: ['board', 'interns'],
    });
    const { entries } = await read();
    expect([...(readersOf(entries, page.id) ?? [])].sort()).toEqual([
      'group:board',
      'user_email:ada@example.com',
      'user_email:carol@example.com',
    ]);
    const apart = fake.addContent({ ancestors: [top.id], groups: ['interns'] });
    expect(readersOf((await read()).entries, apart.id)).toEqual([]);
  });

  test('where a page above is hidden, or its page is not found, nobody is let through', async () => {
    const hidden = fake.addContent({ isHidden: true });
    const page = fake.addContent({ ancestors: [hidden.id] });
    const comment = fake.addContent({ type: 'comment', container: hidden.id });
    const adrift = fake.addContent({ type: 'comment' });
    const { entries } = await read();
    for (const { id } of [page, comment, adrift]) expect(readersOf(entries, id)).toEqual([]);
  });

  test('what the search does not tell of a page is no permission', async () => {
    const top = fake.addContent({ groups: ['hr'] });
    const page = fake.addContent({ ancestors: [top.id] });
    const comment = fake.addContent({ type: 'comment', container: top.id });
    for (const left of ['restrictions', 'ancestors']) {
      fake.unexpanded = [left];
      for (const { entries } of [await read(), await walk()])
        for (const { id } of [top, page, comment]) expect(readersOf(entries, id)).toEqual([]);
    }
  });

  test('a restriction that was lifted, or set, is shown by the walk without a new version', async () => {
    const page = fake.addContent({ groups: ['hr'] });
    const before = (await walk()).entries[0];
    page.groups = [];
    const after = (await walk()).entries[0];
    expect([before?.readers, after?.readers]).toEqual([['group:hr'], undefined]);
    expect(after?.version).toBe(before?.version);
  });
});

describe('failures of Confluence', () => {
  test('a space that is no longer shown is missing, not empty', async () => {
    fake.addContent();
    expect(await failureOf(read('', { id: 'GONE' }))).toMatchObject({ kind: 'missing' });
    expect(await failureOf(walk({ id: 'GONE' }))).toMatchObject({ kind: 'missing' });
  });

  test('a position that is too old, or a cursor of somebody else, is expired', async () => {
    await fake.add(60, 'zebra');
    const stale = JSON.stringify({ since: 0, latest: 0, next: 'cursor=%25' });
    expect(await failureOf(read(stale))).toMatchObject({ kind: 'expired' });
    expect(await failureOf(read('zebra'))).toMatchObject({ kind: 'expired' });
  });

  test('a key cannot end its quotation in the query', async () => {
    expect(await failureOf(read('', { id: 'DOCS" OR space = "PEOPLE' }))).toMatchObject({ kind: 'refused' });
  });

  test('a token that is taken for nobody is a rejected one, and is not told', async () => {
    const wrong = openFake(confluence, fake, fake.wrongCredentials);
    const errors = [
      await failureOf(wrong.session.check(noSignal)),
      await failureOf(wrong.session.read(scopeOf(fake), '', noSignal)),
    ];
    await wrong.close();
    for (const error of errors) {
      expect(error).toMatchObject({ kind: 'credentials' });
      expect(String(error)).not.toContain('ATATT3');
    }
  });

  test('a site without Confluence is refused', async () => {
    fake.fail({ status: 404 }, 1);
    expect(await failureOf(opened.session.check(noSignal))).toMatchObject({ kind: 'credentials' });
  });

  test('an attachment that went meanwhile is missing', async () => {
    const page = fake.addContent();
    const file = fake.addContent({ type: 'attachment', title: 'a.txt', container: page.id });
    const item = await loadOf((await read()).entries, file.id);
    expect(await failureOf(item?.file?.open(noSignal) ?? Promise.resolve())).toMatchObject({
      kind: 'missing',
    });
  });
});
