import { expect, test } from '@jest/globals';
import { notion } from '../../src/connectors/providers/notion.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { NotionFake, richText } from '../support/connectors/notion-fake.js';
import type { NotionThing } from '../support/connectors/notion-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { idsOf, loadOf, noSignal, readsOf, scopeOf } from '../support/connectors/reading.js';

let fake: NotionFake;
let root: NotionThing;
const opened = OpenedFake.forEachTest(notion, async () => {
  fake = await NotionFake.start();
  root = fake.page('Handbook', null, 'Welcome');
  return fake;
});

const reads = readsOf(opened);
const tree = () => ({ id: root.id, type: 'page' });
const read = (from = '') => reads.read(from, tree());
const walk = () => reads.walk(tree());
const sorted = (...things: NotionThing[]) => things.map(({ id }) => id).sort();
const touch = (thing: NotionThing) => {
  fake.time += 3_600_000;
  fake.touch(thing);
};

test('what Notion does not list is not gone, nor what is below it; what it refuses ends no walk', async () => {
  const page = fake.page('Above', root, 'text');
  const below = fake.page('Below', page, 'text');
  fake.database.parent = root;
  const row = fake.page('Row', fake.database, 'text');
  const spared = [{ idPrefix: '', problem: expect.stringContaining('This cannot be shown.') }];
  const invalid = { status: 400, code: 'validation_error' };
  for (const [id, shown] of [
    [page.id, sorted(root, row)],
    [fake.database.id, sorted(root, page, below)],
  ] as const) {
    fake.refused = { id, ...invalid };
    const { entries, pages } = await walk();
    expect(idsOf(entries).sort()).toEqual(shown);
    expect(pages.flatMap(({ unlisted }) => unlisted ?? [])).toEqual(expect.arrayContaining(spared));
    fake.refused = { id, status: 403, code: 'restricted_resource' };
    await expect(walk()).rejects.toMatchObject({ kind: 'refused' });
  }
});

test.each([
  'is a linked database. Database retrievals do not support linked databases.',
  'does not contain any data sources accessible by this API bot.',
])('a view of a database elsewhere is nothing, and spares nothing that is gone: %s', async (message) => {
  const page = fake.page('Page', root, 'text');
  fake.database.parent = root;
  const { id } = fake.database;
  fake.refused = { id, status: 400, code: 'validation_error', message: `Database with ID ${id} ${message}` };
  const { entries, pages } = await walk();
  expect(idsOf(entries).sort()).toEqual(sorted(root, page));
  expect(pages.flatMap(({ unlisted }) => unlisted ?? [])).toEqual([]);
  await expect(opened.session.describe(id, noSignal)).rejects.toMatchObject({ kind: 'missing' });
});

test('a block that is deleted while its page is read does not take the page with it', async () => {
  const page = fake.page('Page', root, 'text');
  const toggle = fake.put('toggle', page, { rich_text: [richText('More')] });
  fake.put('paragraph', toggle, { rich_text: [richText('within')] });
  fake.refused = { id: toggle.id, status: 404, code: 'object_not_found' };
  expect(idsOf((await walk()).entries).sort()).toEqual(sorted(root, page));
});

test('a page that goes while its comments are read does not take those of others with it', async () => {
  const [one, other] = [fake.page('One', root, 'text'), fake.page('Other', root, 'text')];
  for (const page of [one, other])
    fake.comments.push({
      object: 'comment',
      id: `of ${page.id}`,
      page: page.id,
      created_time: '2026-11-01T10:00:00.000Z',
      created_by: { object: 'user', id: 'x' },
      rich_text: [richText('Also Saturdays?')],
    });
  fake.refused = { id: one.id, status: 404, code: 'object_not_found', of: 'comments' };
  const { entries } = await walk();
  expect((await loadOf(entries, one.id))?.comments).toBeUndefined();
  expect((await loadOf(entries, other.id))?.comments).toMatchObject([{ body: 'Also Saturdays?' }]);
});

test('the content of a page that cannot be read now is not taken for empty', async () => {
  const page = fake.page('Page', root, 'text');
  const { cursor } = await read();
  touch(page);
  fake.refused = { id: page.id, status: 400, code: 'validation_error' };
  const changed = (await read(cursor)).entries.find(({ id }) => id === page.id);
  await expect(changed?.load(noSignal)).rejects.toMatchObject({ kind: 'unavailable' });
});

test('pages that are known are loaded anew when their comments are not asked for any more', async () => {
  const versions = async (filters: JsonObject) =>
    (await reads.walk({ ...tree(), filters })).entries.map(({ version }) => version);
  const [known] = await versions({});
  expect(await versions({ include_comments: true })).toEqual([known]);
  expect(await versions({ include_comments: false })).not.toEqual([known]);
});

test('a walk keeps what it has read when Notion wants fewer requests than a page of it takes', async () => {
  const pages = Array.from({ length: 8 }, (_, n) => fake.page(`Page ${n}`, root, 'text'));
  /** After so many answers, too many requests. */
  const limitAfter = (answers: number) => {
    fake.afterAnswer = () =>
      answers > 1 ? limitAfter(answers - 1) : fake.fail({ status: 429, retryAfterSeconds: 1 }, 1);
  };
  const shown = new Set<string>();
  let [cursor, calls, more] = ['', 0, true];
  for (; more && calls < 20; calls += 1) {
    fake.fail({ status: 429 }, 0);
    limitAfter(4);
    const page = await opened.session.walk!({ ...scopeOf(fake), ...tree() }, cursor, noSignal);
    for (const id of idsOf(page.entries)) shown.add(id);
    ({ cursor, more } = page);
  }
  expect(more).toBe(false);
  expect([...shown].sort()).toEqual(sorted(root, ...pages));
});
