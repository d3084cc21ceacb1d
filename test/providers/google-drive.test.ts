import { describe, expect, test } from '@jest/globals';
import type { Entry, ResourceScope } from '../../src/connectors/provider.js';
import { googleDrive as provider } from '../../src/connectors/providers/google-drive.js';
import { GoogleDriveFake, ownerPermission } from '../support/connectors/google-drive-fake.js';
import type { FakePermission } from '../support/connectors/google-drive-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { noSignal, openFake, readAll, scopeOf, textOf } from '../support/connectors/reading.js';

const google = 'application/vnd.google-apps';
let fake: GoogleDriveFake;
let scope: ResourceScope;
const opened = OpenedFake.forEachTest(provider, async () => {
  fake = await GoogleDriveFake.start();
  scope = scopeOf(fake);
  return fake;
});

const read = (from = '', resource = scope) =>
  readAll((cursor) => opened.session.read(resource, cursor, noSignal), from);
const walk = (resource = scope) =>
  readAll((cursor) => opened.session.walk?.(resource, cursor, noSignal) ?? Promise.reject(new Error()));
const only = (entries: readonly Entry[]) => {
  expect(entries).toHaveLength(1);
  return entries[0] as Entry;
};
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id).sort();
const person = (id: string, emailAddress: string): FakePermission => ({ id, type: 'user', emailAddress });

describe('content', () => {
  test('a stored file is an item with everything that is known of it', async () => {
    const file = fake.put({
      name: 'Plan v1.2',
      mimeType: 'application/pdf',
      description: 'What we do next',
      content: '%PDF quokka',
      lastModifyingUser: { displayName: 'Ed Editor', emailAddress: 'ed@example.com' },
    });
    const item = await only((await read()).entries).load(noSignal);
    expect(item).toMatchObject({
      kind: 'knowledge_base',
      title: 'Plan v1.2',
      description: 'What we do next',
      type: 'file',
      url: `https://drive.google.com/file/d/${file.id}/view?usp=drivesdk`,
      timestamp: file.createdTime,
      fields: {
        created_by: 'Olga Owner <Olga@example.com>',
        updated_by: 'Ed Editor <ed@example.com>',
        created_at: file.createdTime,
        updated_at: file.modifiedTime,
      },
      native: { file_id: file.id, folder_id: fake.folder.id, mime_type: 'application/pdf' },
      file: { filename: 'Plan v1.2.pdf', contentType: 'application/pdf' },
    });
    expect(await textOf(item)).toContain('quokka');
  });

  test.each([
    ['document', 'docx', 'wordprocessingml.document', 'txt', 'text/plain'],
    ['spreadsheet', 'xlsx', 'spreadsheetml.sheet', 'csv', 'text/csv'],
    ['presentation', 'pptx', 'presentationml.presentation', 'txt', 'text/plain'],
  ])('a Google %s is exported as %s, in plain when it is too large', async (...row) => {
    const [kind, extension, office, plainExtension, plain] = row;
    const format = `application/vnd.openxmlformats-officedocument.${office}`;
    const put = (name: string, tooLargeAs: string[]) =>
      fake.put({ name, mimeType: `${google}.${kind}`, content: 'quokka', tooLargeAs });
    put('a/b', []);
    put('large', [format]);
    put('vast', [format, plain]);
    const { entries } = await read();
    const items = await Promise.all(entries.map((entry) => entry.load(noSignal)));
    expect(items.map((item) => item?.file?.filename)).toEqual([
      `a-b.${extension}`,
      `large.${plainExtension}`,
      undefined,
    ]);
    expect(items[0]).toMatchObject({ title: 'a/b', type: kind });
    expect(await textOf(items[0])).toContain(`${format}: quokka`);
    expect(await textOf(items[1])).toContain(`${plain}: quokka`);
    expect(items[2]).toBeUndefined();
  });

  test('what nobody can read is not shown', async () => {
    fake.put({ name: 'film.mp4', mimeType: 'video/mp4', content: 'x' });
    fake.put({ name: 'empty.txt', content: '' });
    fake.put({ name: 'form', mimeType: `${google}.form` });
    fake.put({ name: 'secret.txt', content: 'x', capabilities: { canDownload: false } });
    const huge = fake.put({ name: 'huge.txt', content: 'x'.repeat(52_428_801) });
    expect((await read()).entries).toEqual([]);
    const { cursor } = await read();
    fake.change(huge, { content: 'x' });
    expect(idsOf((await read(cursor)).entries)).toEqual([huge.id]);
    fake.change(huge, { content: 'x', name: 'huge.mp4', mimeType: 'video/mp4' });
    expect((await read(cursor)).deleted).toEqual([huge.id]);
  });

  test('a shortcut is read as its target, under its own id; what it hides is not', async () => {
    const elsewhere = fake.putFolder('elsewhere', fake.root);
    const target = fake.put({ name: 'target.txt', content: 'quokka', parents: [elsewhere.id] });
    const shortcutTo = (targetId: string, targetMimeType = 'text/plain') =>
      fake.put({ name: 's', mimeType: `${google}.shortcut`, shortcutDetails: { targetId, targetMimeType } });
    const shortcut = shortcutTo(target.id);
    shortcutTo('1gone');
    shortcutTo(elsewhere.id, `${google}.folder`);
    const before = only((await read()).entries);
    expect(before.id).toBe(shortcut.id);
    expect(await before.load(noSignal)).toMatchObject({
      title: 'target.txt',
      native: { file_id: target.id },
    });
    fake.change(target, { content: 'numbat', shared: [person('0009', 'Nina@example.com')] });
    const after = only((await walk()).entries);
    expect(after.version).not.toBe(before.version);
    expect(after.readers).toEqual(['user_email:nina@example.com']);
  });
});

describe('folders', () => {
  test('are walked depth first, and resumed within any of them by another process', async () => {
    const deep = fake.putFolder('deep', fake.putFolder('middle', fake.folder));
    for (const parent of [fake.folder, deep, fake.putFolder("O'Brien's \\ folder", fake.folder)])
      for (let index = 0; index < 120; index++)
        fake.put({ name: `${index}.txt`, content: 'x', parents: [parent.id] });
    const { entries, pages } = await read();
    expect(new Set(idsOf(entries)).size).toBe(360);
    for (const [index, { cursor }] of pages.entries()) {
      const another = openFake(provider, fake);
      const rest = await readAll((from) => another.session.read(scope, from, noSignal), cursor);
      await another.close();
      const before = pages.slice(0, index + 1).flatMap((each) => each.entries);
      const shown = idsOf([...before, ...(pages[index]?.more ? rest.entries : [])]);
      expect(shown).toEqual(idsOf(entries));
    }
  });

  test('however many there are, the cursor stays small', async () => {
    for (let index = 0; index < 300; index++) {
      const folder = fake.putFolder(`folder ${index}`, fake.folder);
      if (index % 100 === 0) fake.put({ name: 'note.txt', content: 'x', parents: [folder.id] });
    }
    const { entries, pages } = await walk();
    expect(entries).toHaveLength(3);
    expect(Math.max(...pages.map(({ cursor }) => cursor.length))).toBeLessThan(2000);
  });

  test('are read alone, without those below, when asked', async () => {
    const inner = fake.putFolder('inner', fake.folder);
    const inside = fake.put({ name: 'inside.txt', content: 'x', parents: [inner.id] });
    const file = fake.put({ name: 'file.txt', content: 'x' });
    const flat = { ...scope, filters: { recursive: false } };
    const { entries, cursor } = await read('', flat);
    expect(idsOf(entries)).toEqual([file.id]);
    fake.change(inside, { content: 'y' });
    expect(await read(cursor, flat)).toMatchObject({ entries: [], deleted: [inside.id] });
  });

  test('show only the types that are asked for, and nothing older than the lookback', async () => {
    const old = { createdTime: '2019-01-01T00:00:00.000Z', modifiedTime: '2019-01-02T00:00:00.000Z' };
    fake.put({ name: 'old.txt', content: 'x', ...old });
    const moved = fake.put({ name: 'uploaded.txt', content: 'x', modifiedTime: old.modifiedTime });
    fake.put({ name: 'page.html', mimeType: 'text/html', content: 'x' });
    const { entries } = await read('', { ...scope, filters: { mime_types: ['text/plain'] } });
    expect(idsOf(entries)).toEqual([moved.id]);
  });

  test('are not empty because the account may read nothing for now', async () => {
    const below = fake.putFolder('below', fake.folder);
    fake.put({ name: 'x.txt', content: 'x', parents: [below.id] });
    for (let index = 0; index < 120; index++) fake.put({ name: `${index}.txt`, content: 'x' });
    const first = await opened.session.walk!(scope, '', noSignal);
    fake.fail({ status: 403 }, 1);
    await expect(opened.session.walk!(scope, first.cursor, noSignal)).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  test('that vanish while they are read are empty', async () => {
    const gone = fake.putFolder('gone', fake.folder);
    for (let index = 0; index < 120; index++) fake.put({ name: `${index}.txt`, content: 'x' });
    const first = await opened.session.walk?.(scope, '', noSignal);
    await fake.remove(gone.id);
    const rest = await readAll(
      (cursor) => opened.session.walk?.(scope, cursor, noSignal) ?? Promise.reject(new Error()),
      first?.cursor,
    );
    expect(first?.entries).toHaveLength(120);
    expect(rest.entries).toEqual([]);
  });
});

describe('changes', () => {
  test('are told in few requests: edits, what is new, what went into the bin or elsewhere', async () => {
    const inner = fake.putFolder('inner', fake.folder);
    const put = (name: string) => fake.put({ name, content: 'x', parents: [inner.id] });
    const [edited, binned, moved, removed] = [put('a.txt'), put('b.txt'), put('c.txt'), put('d.txt')];
    const { cursor } = await read();
    fake.change(edited, { content: 'y' });
    fake.change(binned, { trashed: true });
    fake.change(moved, { parents: [fake.root.id] });
    await fake.remove(removed.id);
    const added = put('e.txt');
    const before = fake.requests;
    const { entries, deleted, cursor: after } = await read(cursor);
    expect(idsOf(entries)).toEqual([edited.id, added.id].sort());
    expect([...deleted].sort()).toEqual([binned.id, moved.id, removed.id].sort());
    // The changes, and what lies above the folder that one was moved to.
    expect(fake.requests - before).toBe(2);
    expect(await read(after)).toMatchObject({ entries: [], deleted: [] });
  });

  test('cost another session one request for the folders above a file', async () => {
    const inner = fake.putFolder('inner', fake.putFolder('middle', fake.folder));
    const { cursor } = await read();
    for (let index = 0; index < 50; index++)
      fake.put({ name: `${index}.txt`, content: 'x', parents: [inner.id] });
    const another = openFake(provider, fake);
    const { entries } = await readAll((from) => another.session.read(scope, from, noSignal), cursor);
    await another.close();
    expect(entries).toHaveLength(50);
    expect(fake.server.paths.filter((path) => path.endsWith(inner.id)).length).toBeLessThanOrEqual(8);
  });

  test('of what arrives while the first reading goes on are not lost', async () => {
    await fake.add(250, 'x');
    const first = await opened.session.read(scope, '', noSignal);
    const late = fake.put({ name: 'late.txt', content: 'x' });
    const { entries, cursor } = await read(first.cursor);
    const shown = [...entries, ...(await read(cursor)).entries];
    expect(idsOf(shown)).toContain(late.id);
  });

  test('do not tell of files of a folder that is moved out: the walk finds them gone', async () => {
    const inner = fake.putFolder('inner', fake.folder);
    fake.put({ name: 'a.txt', content: 'x', parents: [inner.id] });
    const { cursor, entries } = await read();
    expect(entries).toHaveLength(1);
    fake.change(inner, { parents: [fake.root.id] });
    expect((await read(cursor)).deleted).toEqual([inner.id]);
    expect((await walk()).entries).toEqual([]);
  });

  test('are expired when they are too long ago, or their page token is refused', async () => {
    await fake.add(250, 'x');
    const first = await opened.session.read(scope, '', noSignal);
    const { cursor } = await read();
    fake.oldestChange = 10_000;
    await expect(opened.session.read(scope, cursor, noSignal)).rejects.toMatchObject({ kind: 'expired' });
    const broken = first.cursor.replace(/"page":"[^"]+"/, '"page":"wrong"');
    expect(broken).not.toBe(first.cursor);
    await expect(opened.session.read(scope, broken, noSignal)).rejects.toMatchObject({ kind: 'expired' });
    await expect(opened.session.read(scope, 'nonsense', noSignal)).rejects.toMatchObject({ kind: 'expired' });
  });

  test('do not come from looking at a file, but from renaming it', async () => {
    const file = fake.put({ name: 'a.txt', content: 'x' });
    const before = only((await walk()).entries);
    fake.change(file, { modifiedTime: file.modifiedTime });
    expect(only((await walk()).entries).version).toBe(before.version);
    fake.change(file, { modifiedTime: file.modifiedTime, name: 'b.txt' });
    expect(only((await walk()).entries).version).not.toBe(before.version);
  });
});

describe('readers', () => {
  test('are people, groups and domains with whom a file is shared, and everyone with a link', async () => {
    const file = fake.put({
      name: 'a.txt',
      content: 'x',
      shared: [
        ownerPermission,
        { id: '2', type: 'group', emailAddress: 'Team@example.com' },
        { id: '3', type: 'domain', domain: 'Example.com' },
        { id: '4', type: 'user', emailAddress: 'left@example.com', deleted: true },
        { id: '5', type: 'user', emailAddress: 'outside@example.com', view: 'metadata' },
        { id: '6', type: 'anyone', view: 'published' },
      ],
    });
    const { entries, cursor } = await read();
    const shared = ['domain:example.com', 'group:team@example.com', 'user_email:olga@example.com'];
    expect(only(entries).readers).toEqual(shared);
    fake.change(file, {
      modifiedTime: file.modifiedTime,
      shared: [...file.shared, { id: 'anyoneWithLink', type: 'anyone' }],
    });
    const changed = only((await read(cursor)).entries);
    expect(changed.readers).toEqual([...shared.slice(0, 2), 'public', ...shared.slice(2)]);
    expect(changed.version).toBe(only(entries).version);
  });

  test('that this account may not see are itself and the owner', async () => {
    fake.put({
      name: 'a.txt',
      content: 'x',
      mayShare: false,
      owners: [{ emailAddress: 'boss@example.com' }],
      shared: [ownerPermission],
    });
    const readers = ['user_email:boss@example.com', 'user_email:olga@example.com'];
    expect(only((await read()).entries).readers).toEqual(readers);
  });

  test('of a shared drive are its members, asked for once, and who was let in to one file', async () => {
    const drive = fake.putDrive('Sales', [
      ownerPermission,
      { id: '7', type: 'group', emailAddress: 'sales@example.com' },
    ]);
    const put = (more: object) =>
      fake.put({ name: 'a.txt', content: 'x', parents: [drive.id], driveId: drive.id, shared: [], ...more });
    for (let index = 0; index < 30; index++) put({});
    put({ name: 'guest.txt', shared: [person('8', 'guest@example.org')] });
    const { entries, cursor } = await read('', { ...scope, id: drive.id });
    const members = ['group:sales@example.com', 'user_email:olga@example.com'];
    expect(entries.slice(0, 30).every(({ readers }) => readers?.join() === members.join())).toBe(true);
    expect(entries[30]?.readers).toEqual([members[0], 'user_email:guest@example.org', members[1]]);
    expect(fake.server.paths.filter((path) => path.endsWith('/permissions'))).toHaveLength(2);
    const added = put({});
    fake.put({ name: 'not there.txt', content: 'x' });
    expect(await read(cursor, { ...scope, id: drive.id })).toMatchObject({
      entries: [{ id: added.id }],
      deleted: [],
    });
  });

  test('of a shared drive that hides its members are never everyone', async () => {
    const drive = fake.putDrive('Sales', [person('7', 'ann@example.com')]);
    fake.drives.set(drive.id, {
      name: 'Sales',
      members: [person('7', 'ann@example.com')],
      hidesMembers: true,
    });
    fake.put({ name: 'a.txt', content: 'x', parents: [drive.id], driveId: drive.id, shared: [] });
    const { entries } = await read('', { ...scope, id: drive.id });
    expect(only(entries).readers).toEqual(['user_email:olga@example.com']);
  });
});

describe('resources', () => {
  test('are the own drive, shared drives, folders at the top and shared ones', async () => {
    const drive = fake.putDrive('Sales', [ownerPermission]);
    const inner = fake.putFolder('inner', fake.folder);
    const lent = fake.putFolder('lent', fake.root, { parents: [], sharedWithMe: true });
    const found = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await opened.session.discover({ cursor, limit: 50 }, noSignal);
      found.push(...page.resources);
      cursor = page.nextCursor;
    }
    expect(found.map(({ id, name }) => [id, name])).toEqual([
      ['root', 'My Drive'],
      [drive.id, 'Sales'],
      [fake.folder.id, 'Notes'],
      [lent.id, 'lent'],
    ]);
    expect(await opened.session.describe(inner.id, noSignal)).toMatchObject({
      name: 'inner',
      type: 'folder',
    });
    expect(await opened.session.describe(drive.id, noSignal)).toMatchObject({
      name: 'Sales',
      metadata: { shared_drive: true },
    });
  });

  test('are the whole drive by the name root', async () => {
    const file = fake.put({ name: 'a.txt', content: 'x' });
    const { entries, cursor } = await read('', { ...scope, id: 'root' });
    expect(idsOf(entries)).toEqual([file.id]);
    fake.change(file, { content: 'y' });
    expect(idsOf((await read(cursor, { ...scope, id: 'root' })).entries)).toEqual([file.id]);
  });

  test('are neither files nor folders in the bin', async () => {
    const file = fake.put({ name: 'a.txt', content: 'x' });
    await expect(opened.session.describe(file.id, noSignal)).rejects.toMatchObject({ kind: 'missing' });
    fake.change(fake.folder, { trashed: true });
    await expect(opened.session.describe(fake.folder.id, noSignal)).rejects.toMatchObject({
      kind: 'missing',
    });
  });
});
