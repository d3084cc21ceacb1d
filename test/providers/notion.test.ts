import { describe, expect, test } from '@jest/globals';
import type { ResourceScope } from '../../src/connectors/provider.js';
import { notion } from '../../src/connectors/providers/notion.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { NotionFake, richText } from '../support/connectors/notion-fake.js';
import type { NotionThing } from '../support/connectors/notion-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { noSignal, openFake, readAll, scopeOf } from '../support/connectors/reading.js';
import { documentReaders } from '../support/shared/document-readers.mjs';

let fake: NotionFake;
let root: NotionThing;
const opened = OpenedFake.forEachTest(notion, async () => {
  fake = await NotionFake.start();
  root = fake.page('Handbook', null, 'Welcome');
  return fake;
});

const scope = (id: string, filters: JsonObject = {}): ResourceScope => ({
  ...scopeOf(fake),
  id,
  type: 'page',
  filters,
});
const read = (id: string, from = '', filters: JsonObject = {}) =>
  readAll((cursor) => opened.session.read(scope(id, filters), cursor, noSignal), from);
const walk = (id: string, filters: JsonObject = {}) =>
  readAll((cursor) => opened.session.walk!(scope(id, filters), cursor, noSignal));
const idsOf = ({ entries }: Awaited<ReturnType<typeof read>>) => entries.map(({ id }) => id).sort();
const sorted = (...things: NotionThing[]) => things.map(({ id }) => id).sort();
const itemOf = async ({ id }: NotionThing, filters: JsonObject = {}) =>
  (await read(root.id, '', filters)).entries.find((entry) => entry.id === id)?.load(noSignal);
const hour = () => (fake.time += 3_600_000);

describe('what becomes of a page', () => {
  test('a page below another has people, comments and places', async () => {
    const toggle = fake.put('toggle', root, { rich_text: [richText('More')] });
    const page = fake.page('Holidays', toggle, '30 days');
    fake.comments.push(
      {
        object: 'comment',
        id: 'c1',
        page: page.id,
        created_time: '2026-11-01T10:00:00.000Z',
        created_by: { object: 'user', id: 'x' },
        display_name: { type: 'user', resolved_name: 'Bob' },
        rich_text: [richText('Also '), richText('Saturdays?', { bold: true })],
      },
      { object: 'comment', id: 'c2', page: page.id, created_by: { id: 'x' }, rich_text: [] },
    );
    const item = await itemOf(page);
    expect(item).toMatchObject({
      kind: 'knowledge_base',
      title: 'Holidays',
      type: 'page',
      url: `https://www.notion.so/${page.id.replaceAll('-', '')}`,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      fields: { title: 'Holidays', body: '30 days', parent_id: root.id, created_by: 'Ada <ada@acme.test>' },
      comments: [{ id: 'c1', author: 'Bob', body: 'Also Saturdays?', createdAt: '2026-11-01T10:00:00.000Z' }],
      native: { page_id: page.id },
    });
    // A user who is gone has no name.
    expect(item?.fields).not.toHaveProperty('updated_by');
    expect(await itemOf(page, { include_comments: false })).not.toHaveProperty('comments');
  });

  test('what Notion leaves out of a page or its blocks is taken for empty', async () => {
    const page = fake.page('Holidays', root);
    fake.tellsPeople = false;
    fake.put('paragraph', page, { rich_text: [{ type: 'text', plain_text: 'Thirty days' }] });
    fake.put('image', page, { type: 'external', external: { url: 'https://acme.test/beach.png' } });
    fake.put('code', page, { language: 'sql', rich_text: [richText('select 1')] });
    fake.put('divider', page, {});
    fake.put('to_do', page, {});
    const body =
      'Thirty days\n\n[Image](<https://acme.test/beach.png>)\n\n```sql\nselect 1\n```\n\n---\n\n- [ ]';
    expect((await itemOf(page))?.fields).toMatchObject({ title: 'Holidays', body });
  });

  test('without the right to read comments they are left out, and not asked for again', async () => {
    fake.mayReadComments = false;
    const page = fake.page('Holidays', root, 'Days');
    const { entries } = await read(root.id);
    for (const entry of entries) expect(await entry.load(noSignal)).toBeDefined();
    expect(idsOf({ entries } as never)).toEqual(sorted(root, page));
    expect(fake.paths.filter((path) => path.includes('comments'))).toHaveLength(1);
  });

  test('columns of a database are lines, empty ones are left out', async () => {
    const row = fake.page('Fix login', fake.database);
    row.properties = {
      Status: { id: 'a', type: 'status', status: { name: 'Doing' } },
      Tags: { id: 'b', type: 'multi_select', multi_select: [{ name: 'ui' }, { name: 'auth' }] },
      Due: { id: 'c', type: 'date', date: { start: '2026-12-01', end: '2026-12-03' } },
      Points: { id: 'd', type: 'number', number: 0 },
      Done: { id: 'e', type: 'checkbox', checkbox: false },
      Owner: { id: 'f', type: 'people', people: [{ object: 'user', id: 'x', name: 'Ada' }, { id: 'y' }] },
      Sum: { id: 'g', type: 'formula', formula: { type: 'string', string: 'ok' } },
      Roll: { id: 'h', type: 'rollup', rollup: { type: 'array', array: [{ type: 'number', number: 7 }] } },
      Key: { id: 'i', type: 'unique_id', unique_id: { prefix: 'T', number: 4 } },
      Notes: { id: 'j', type: 'rich_text', rich_text: [richText('see *this*')] },
      Empty: { id: 'k', type: 'select', select: null },
      Related: { id: 'l', type: 'relation', relation: [{ id: 'z' }], has_more: false },
    };
    const { entries } = await read(fake.database.id);
    const item = await entries[0]?.load(noSignal);
    // The list of a database has its pages already.
    expect(fake.paths).not.toContain(`GET /v1/pages/${row.id}`);
    expect(item?.content).toEqual({
      text: 'Status: Doing\nTags: ui, auth\nDue: 2026-12-01 – 2026-12-03\nPoints: 0\nDone: no\nOwner: Ada\nSum: ok\nRoll: 7\nKey: T-4\nNotes: see *this*',
    });
    expect(item).toMatchObject({
      title: 'Fix login',
      fields: { parent_id: fake.database.id },
      native: { page_id: row.id, database_id: fake.database.id },
    });
  });

  test('a page without anything has no content', async () => {
    const empty = fake.page('', root);
    expect(await itemOf(empty)).toBeUndefined();
  });
});

test('blocks of every kind become Markdown', async () => {
  const page = fake.page('All', root);
  const put = (type: string, value: JsonObject, parent = page) => fake.put(type, parent, value);
  const text = (content: string) => ({ rich_text: [richText(content)] });
  put('heading_2', text('Head'));
  put('paragraph', {
    rich_text: [
      richText('Plain a*b and snake_case '),
      richText('bold ', { bold: true }),
      richText('both', { bold: true, italic: true }),
      richText(' '),
      richText('x=`1`', { code: true }),
      richText(' a link', {}, '/abc'),
      { type: 'equation', equation: { expression: 'e^x' }, plain_text: 'e^x', href: null, annotations: {} },
    ],
  });
  put('paragraph', text('# no heading'));
  const bullet = put('bulleted_list_item', text('one'));
  put('numbered_list_item', text('first'), bullet);
  put('numbered_list_item', text('second'), bullet);
  put('bulleted_list_item', text('two'));
  put('to_do', { ...text('done'), checked: true });
  put('to_do', { ...text('open'), checked: false });
  put('paragraph', text('inside'), put('toggle', text('Toggle')));
  put('quote', text('said\ntwice'));
  put('callout', { ...text('Careful'), icon: { type: 'emoji', emoji: '⚠️' } });
  put('code', { ...text('a ``` b'), caption: [], language: 'typescript' });
  put('equation', { expression: 'a^2' });
  put('divider', {});
  const table = put('table', { table_width: 2, has_column_header: true, has_row_header: false });
  put('table_row', { cells: [[richText('Name')], [richText('A|B')]] }, table);
  put('table_row', { cells: [[richText('x')], []] }, table);
  const columns = put('column_list', {});
  put('paragraph', text('left'), put('column', {}, columns));
  put('paragraph', text('right'), put('column', {}, columns));
  const original = put('synced_block', { synced_from: null });
  put('paragraph', text('synced'), original);
  put('synced_block', { synced_from: { type: 'block_id', block_id: original.id } });
  const hidden = fake.put('synced_block', null, { synced_from: null });
  hidden.shared = false;
  put('synced_block', { synced_from: { type: 'block_id', block_id: hidden.id } });
  const child = fake.page('Sub [page]', page);
  put('bookmark', { url: 'https://a.test/x y', caption: [] });
  put('image', { type: 'external', external: { url: 'https://a.test/i.png' }, caption: [richText('A cat')] });
  const file = put('file', {
    type: 'file',
    name: 'plan.pdf',
    file: { url: 'https://s3.test/plan.pdf?X-Amz-Signature=secret', expiry_time: '2026-11-22T00:00:00.000Z' },
    caption: [],
  });
  put('table_of_contents', {});
  put('unsupported', {});
  put('paragraph', text('of a new kind'), put('hologram', {}));
  put('paragraph', { rich_text: [] });
  const plain = (thing: NotionThing) => `https://www.notion.so/${thing.id.replaceAll('-', '')}`;
  expect((await itemOf(page))?.fields['body']).toBe(
    [
      '## Head',
      'Plain a\\*b and snake_case **bold** ***both*** `` x=`1` `` [a link](<https://www.notion.so/abc>)$e^x$',
      '\\# no heading',
      '- one\n  1. first\n  2. second\n- two',
      '- [x] done\n- [ ] open',
      'Toggle\n\ninside',
      '> said\n> twice',
      '> ⚠️ Careful',
      '````typescript\na ``` b\n````',
      '$$\na^2\n$$',
      '---',
      '| Name | A\\|B |\n| --- | --- |\n| x |  |',
      'left\n\nright',
      'synced',
      'synced',
      `[Sub \\[page\\]](<${plain(child)}>)`,
      '[https://a.test/x y](<https://a.test/x%20y>)',
      '[A cat](<https://a.test/i.png>)',
      `[plan.pdf](<${plain(file)}>)`,
      'of a new kind',
    ].join('\n\n'),
  );
});

describe('a page with what is below it', () => {
  test('is read with pages in its blocks and of its databases, not with what is below those', async () => {
    const toggle = fake.put('toggle', root, { rich_text: [richText('More')] });
    const inToggle = fake.page('In a toggle', toggle, 'text');
    const deep = fake.page('Deep', inToggle, 'text');
    fake.database.parent = root;
    const row = fake.page('Row', fake.database, 'text');
    fake.page('Below a row', row, 'text');
    fake.page('Elsewhere', null, 'text');
    const shown = await read(root.id);
    expect(idsOf(shown)).toEqual(sorted(root, inToggle, deep, row));
    expect(idsOf(await walk(root.id))).toEqual(sorted(root, inToggle, deep, row));
    const alone = { include_child_pages: false };
    expect(idsOf(await read(root.id, '', alone))).toEqual([root.id]);
    // What is edited later is found by a search, and placed.
    hour();
    for (const thing of fake.things.filter(({ type }) => type === 'paragraph')) fake.touch(thing);
    expect(idsOf(await read(root.id, shown.cursor))).toEqual(sorted(root, inToggle, deep, row));
  });

  test('goes on from any page of a walk, in another process', async () => {
    const pages = Array.from({ length: 60 }, (_, index) => fake.page(`Page ${index}`, root, 'text'));
    const below = pages.slice(0, 10).map((page) => fake.page('Below', page, 'text'));
    const all = sorted(root, ...pages, ...below);
    const { pages: shown, entries } = await read(root.id);
    expect(shown.length).toBeGreaterThan(2);
    expect(entries.map(({ id }) => id).sort()).toEqual(all);
    const second = openFake(notion, fake);
    const rest = await readAll(
      (cursor) => second.session.read(scope(root.id), cursor, noSignal),
      shown[0]?.cursor,
    );
    await second.close();
    expect([...(shown[0]?.entries ?? []), ...rest.entries].map(({ id }) => id).sort()).toEqual(all);
  });

  test('the content of a page is read once, and a quiet sync takes two requests', async () => {
    fake.page('Below', root, 'text');
    const { entries, cursor } = await read(root.id);
    for (const entry of entries) await entry.load(noSignal);
    expect(fake.paths.filter((path) => path.endsWith('/children'))).toHaveLength(2);
    hour();
    fake.page('Elsewhere', null, 'text');
    const quiet = await read(root.id, cursor);
    const before = fake.requests;
    const again = await read(root.id, quiet.cursor);
    expect(again.entries).toEqual([]);
    expect(fake.requests - before).toBe(2);
  });

  test('what is written while it is read first comes with the next read', async () => {
    Array.from({ length: 30 }, (_, index) => fake.page(`Page ${index}`, root, 'text'));
    const first = await opened.session.read(scope(root.id), '', noSignal);
    hour();
    const added = fake.page('New', root, 'text');
    const shown = await read(root.id, first.cursor);
    const next = await read(root.id, shown.cursor);
    expect([...idsOf(shown), ...idsOf(next)]).toContain(added.id);
  });

  test('what is thrown away or moved is not in the next walk', async () => {
    const [kept, moved, trashed] = ['a', 'b', 'c'].map((title) => fake.page(title, root, 'text'));
    expect(idsOf(await walk(root.id))).toEqual(sorted(root, kept!, moved!, trashed!));
    moved!.parent = null;
    await fake.remove(trashed!.id);
    expect(idsOf(await walk(root.id))).toEqual(sorted(root, kept!));
  });

  test('a page that is gone itself is missing', async () => {
    const { cursor } = await read(root.id);
    await fake.remove(root.id);
    await expect(read(root.id, cursor)).rejects.toMatchObject({ kind: 'missing' });
    await expect(read(root.id)).rejects.toMatchObject({ kind: 'missing' });
    await expect(walk(root.id)).rejects.toMatchObject({ kind: 'missing' });
  });
});

describe('a database', () => {
  test('is found by its address, with dashes or without', async () => {
    const row = fake.page('Row', fake.database, 'text');
    const plain = fake.database.id.replaceAll('-', '');
    for (const id of [plain, `https://www.notion.so/acme/Tasks-${plain}?v=${root.id.replaceAll('-', '')}`]) {
      expect(idsOf(await read(id))).toEqual([row.id]);
      expect(await opened.session.describe(id, noSignal)).toMatchObject({
        id,
        name: 'Tasks',
        type: 'database',
      });
    }
    await expect(opened.session.describe('Tasks', noSignal)).rejects.toMatchObject({ kind: 'missing' });
  });

  test('a quiet sync takes three requests; what went into the trash is told', async () => {
    await fake.add(3, 'zebra');
    const [trashed] = await fake.add(1, 'zebra');
    const { cursor } = await read(fake.database.id);
    const before = fake.requests;
    hour();
    await fake.remove(trashed!);
    const next = await read(fake.database.id, cursor);
    expect(fake.requests - before).toBe(3);
    expect(next.deleted).toEqual([trashed]);
  });

  test('more pages of one minute than a request gives are read whole', async () => {
    const ids = await fake.add(230, 'zebra');
    for (const thing of fake.things) Object.assign(thing, { edited: fake.time, created: fake.time });
    expect(idsOf(await read(fake.database.id))).toEqual([...ids].sort());
    expect(idsOf(await walk(fake.database.id))).toEqual([...ids].sort());
  });

  test('what is edited while it is paged is not lost, nor what would have been next', async () => {
    const ids = await fake.add(250, 'zebra');
    const first = await opened.session.read(scope(fake.database.id), '', noSignal);
    // Notion's cursor names the entry that comes next; it moves to the end.
    const next = ids.filter((id) => !first.entries.some((entry) => entry.id === id)).slice(0, 2);
    for (const id of next) await fake.edit(id, 'okapi');
    const rest = await read(fake.database.id, first.cursor);
    expect(new Set([...first.entries.map(({ id }) => id), ...idsOf(rest)])).toEqual(new Set(ids));
  });

  test('shows nothing that was last edited before the lookback', async () => {
    await fake.add(2, 'zebra');
    hour();
    const oldest = new Date(fake.time);
    hour();
    const [later] = await fake.add(1, 'zebra');
    const resource = { ...scope(fake.database.id), oldest };
    for (const method of ['read', 'walk'] as const) {
      const { entries } = await readAll((cursor) => opened.session[method]!(resource, cursor, noSignal));
      expect(entries.map(({ id }) => id)).toEqual([later]);
    }
  });
});

test('an edit within the minute of the last one is another version', async () => {
  const network = new GuardedNetwork({ allowPrivate: true });
  const [id = ''] = await fake.add(1, 'zebra');
  let now = fake.time + 5000;
  const session = notion.open({
    credentials: fake.credentials,
    baseUrl: fake.baseUrl,
    network,
    clock: { now: () => new Date(now) },
    documents: documentReaders,
    filesystemRoots: [],
    saveCredentials: async () => undefined,
  });
  const versionAfter = async (from: string) => {
    const { entries, cursor } = await readAll(
      (at) => session.read(scope(fake.database.id), at, noSignal),
      from,
    );
    return { cursor, version: entries.find((entry) => entry.id === id)?.version };
  };
  const first = await versionAfter('');
  const text = fake.things.find(({ parent }) => parent?.id === id);
  text!.value = { rich_text: [richText('okapi')] };
  now += 10_000;
  const second = await versionAfter(first.cursor);
  expect(second.version).toBeDefined();
  expect(second.version).not.toBe(first.version);
  now += 600_000;
  const third = await versionAfter(second.cursor);
  now += 600_000;
  expect((await versionAfter(third.cursor)).version).toBe(third.version);
  await session.close();
  await network.close();
});

test('what is not shared says so, and a position that Notion no longer takes is expired', async () => {
  const hidden = fake.page('Hidden', null, 'text');
  hidden.shared = false;
  await expect(opened.session.describe(hidden.id, noSignal)).rejects.toMatchObject({
    kind: 'missing',
    message: expect.stringContaining('share it with the integration'),
  });
  const cursor = JSON.stringify({
    kind: 'tree',
    mark: '2026-01-01T00:00:00.000Z',
    newest: null,
    path: null,
    start: 'x',
  });
  await expect(opened.session.read(scope(root.id), cursor, noSignal)).rejects.toMatchObject({
    kind: 'expired',
  });
});
