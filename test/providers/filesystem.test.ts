import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { filesystem } from '../../src/connectors/providers/filesystem.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { startFilesystemFake } from '../support/connectors/filesystem-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { noSignal, openFake, readAll, textOf } from '../support/connectors/reading.js';
import { SmallDisk, canMount } from '../support/small-disk.js';

const provider = filesystem as never;
let fake: ReturnType<typeof startFilesystemFake>;
const opened = OpenedFake.forEachTest(provider, () => (fake = startFilesystemFake()));

function write(path: string, text = 'some text'): string {
  const full = join(fake.folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const scope = (filters: JsonObject = {}, id = fake.folder) => ({
  id,
  type: 'folder',
  // Long after everything: files are read whatever their age.
  oldest: new Date('2100-01-01'),
  filters,
});
const read = (filters: JsonObject = {}, id?: string) =>
  readAll((cursor) => opened.session.read(scope(filters, id), cursor, noSignal));
/** Paths within the resource. */
const paths = async (filters?: JsonObject, id?: string) =>
  (await read(filters, id)).entries.map((entry) => entry.id.slice(fake.folder.length + 1));
const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);

test('a file is an item with its name, place, time and content', async () => {
  const full = write('deep/er/A plan (1).md', '# The plan');
  utimesSync(full, new Date(), new Date('2024-02-03T04:05:06.789Z'));
  const { entries } = await read();
  const item = await entries[0]?.load(noSignal);
  expect(entries).toHaveLength(1);
  expect(entries[0]?.id).toBe(full);
  expect(item).toMatchObject({
    kind: 'custom',
    title: 'A plan (1).md',
    url: `file://${full.replaceAll(' ', '%20')}`,
    timestamp: '2024-02-03T04:05:06.789Z',
    file: { filename: 'A plan (1).md' },
    native: { path: 'deep/er/A plan (1).md' },
  });
  expect(await textOf(item)).toContain('# The plan');
});

test('what nobody reads is left out: hidden, empty, unknown or huge files, pipes', async () => {
  for (const path of ['.secret.txt', '.git/config.txt', 'program.exe', 'README', 'good.txt']) write(path);
  write('empty.txt', '');
  write('huge.txt', 'a'.repeat(52_428_801));
  execFileSync('mkfifo', [join(fake.folder, 'pipe.txt')]);
  expect(await paths()).toEqual(['good.txt']);
});

test('filters choose extensions, sizes, times and places', async () => {
  for (const path of ['a.TXT', 'b.md', 'old/c.txt', 'older/d.txt', 'x/old/e.txt']) write(path);
  write('long.txt', 'a'.repeat(100));
  utimesSync(join(fake.folder, 'b.md'), new Date(), new Date('2020-01-01'));
  expect(await paths({ extensions: ['.md'] })).toEqual(['b.md']);
  expect(await paths({ extensions: ['txt'], max_bytes: 50 })).not.toContain('long.txt');
  expect(await paths({ exclude: ['old/', 'a.TXT'] })).toEqual([
    'b.md',
    'long.txt',
    'older/d.txt',
    'x/old/e.txt',
  ]);
  expect(await paths({ modified_after: '2021-01-01T00:00:00Z' })).not.toContain('b.md');
  for (const filters of [{ extensions: ['*'] }, { max_bytes: 52_428_801 }, { modified_after: 'today' }])
    expect(filesystem.filters.safeParse(filters).success).toBe(false);
});

describe('nothing outside of the roots is read', () => {
  let outside: string;
  beforeEach(() => {
    outside = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'outside-'));
    writeFileSync(join(outside, 'password.txt'), 'hunter2');
    write('inside.txt');
  });
  afterEach(() => rmSync(outside, { recursive: true }));

  test('by no name of a resource', async () => {
    symlinkSync(outside, join(fake.root, 'way-out'));
    const beside = `${fake.root}-beside`;
    for (const id of [
      outside,
      '/',
      '/etc',
      '..',
      '../..',
      'handbook/../..',
      'way-out',
      `${fake.folder}/../..`,
      beside,
    ])
      expect(await failure(opened.session.describe(id, noSignal))).toMatchObject({ kind: 'refused' });
    for (const id of ['', 'hand\0book', '.hidden', 'handbook/inside.txt', 'a'.repeat(5000)])
      expect(await failure(opened.session.describe(id, noSignal))).toMatchObject({ kind: 'missing' });
  });

  test('by no link, nor are folders read twice by way of one', async () => {
    symlinkSync(outside, join(fake.folder, 'folder'));
    symlinkSync(join(outside, 'password.txt'), join(fake.folder, 'link.txt'));
    symlinkSync(join(fake.folder, 'inside.txt'), join(fake.folder, 'own.txt'));
    symlinkSync(join(fake.folder, 'gone.txt'), join(fake.folder, 'dangling.txt'));
    symlinkSync(fake.folder, join(fake.folder, 'loop'));
    expect(await paths()).toEqual(['inside.txt', 'own.txt']);
  });

  test('not even when a link takes the place of what was found', async () => {
    write('sub/password.txt', 'mine');
    const items = await Promise.all((await read()).entries.map((entry) => entry.load(noSignal)));
    const [file, inFolder] = items;
    rmSync(join(fake.folder, 'inside.txt'));
    symlinkSync(join(outside, 'password.txt'), join(fake.folder, 'inside.txt'));
    renameSync(join(fake.folder, 'sub'), join(fake.folder, 'was-sub'));
    symlinkSync(outside, join(fake.folder, 'sub'));
    for (const item of [file, inFolder])
      expect(await failure(textOf(item))).toMatchObject({ name: 'ProviderError', kind: 'missing' });
  });

  test('a link to a folder of the roots is a name of it', async () => {
    symlinkSync(fake.folder, join(fake.root, 'alias'));
    expect(await paths({}, 'alias')).toEqual(['inside.txt']);
    expect(await paths({}, 'handbook')).toEqual(['inside.txt']);
  });
});

test('what vanishes while it is read does not stop the others', async () => {
  for (const name of ['a.txt', 'b.txt']) write(name);
  const { entries } = await read();
  const [first, second] = await Promise.all(entries.map((entry) => entry.load(noSignal)));
  rmSync(join(fake.folder, 'a.txt'));
  expect(await failure(textOf(first))).toMatchObject({ kind: 'missing' });
  expect(await textOf(second)).toContain('some text');
});

test('a read goes on in the middle while files come and go', async () => {
  await fake.add(450, 'zebra');
  write('m/deep.txt');
  const { session } = opened;
  const first = await session.read(scope(), '', noSignal);
  const seen = first.entries.map(({ id }) => id);
  write('a-before.txt');
  const later = write('z-after.txt');
  rmSync(seen.at(-1) ?? '');
  const another = openFake(provider, fake);
  const rest = await readAll((cursor) => another.session.read(scope(), cursor, noSignal), first.cursor);
  await another.close();
  const ids = [...seen, ...rest.entries.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain(later);
  expect(ids).toHaveLength(452);
});

test('a file that was written, or replaced by one of the same age and size, has another version', async () => {
  const full = write('a.txt', 'one');
  const time = new Date('2024-01-01');
  const version = async () => {
    utimesSync(full, time, time);
    return (await read()).entries[0]?.version;
  };
  const before = await version();
  expect(await version()).toBe(before);
  writeFileSync(`${full}.new`, 'two');
  renameSync(`${full}.new`, full);
  expect(await version()).not.toBe(before);
});

test('a root that is not there says nothing of its files', async () => {
  const gone = openFake(provider, { ...fake, filesystemRoots: [join(fake.root, 'unmounted')] });
  expect(await failure(gone.session.check(noSignal))).toMatchObject({ kind: 'unavailable' });
  expect(await failure(gone.session.read(scope(), '', noSignal))).toMatchObject({ kind: 'unavailable' });
  await gone.close();
});

describe('what cannot be read for now is not gone', () => {
  /** Runs as somebody who may not read everything: root may. */
  async function asNobody<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const own = process.geteuid?.() ?? 0;
    if (own === 0) process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      if (own === 0) process.seteuid?.(own);
    }
  }
  const allow = (path: string, mode: number) => chmodSync(join(fake.folder, path), mode);

  beforeEach(() => {
    for (const path of ['a.txt', 'locked/b.txt', 'locked/deep/c.txt', 'names only/d.txt', 'z.txt'])
      write(path);
    for (const path of [fake.root, fake.folder]) chmodSync(path, 0o755);
  });
  afterEach(() => {
    for (const folder of ['locked', 'names only', '']) allow(folder, 0o755);
  });

  test('a folder in it', async () => {
    allow('locked', 0o000);
    allow('names only', 0o444);
    const { entries, unlisted, more } = await asNobody(() => opened.session.read(scope(), '', noSignal));
    expect(more).toBe(false);
    expect(entries.map(({ id }) => id.slice(fake.folder.length + 1))).toEqual([
      'a.txt',
      'names only/d.txt',
      'z.txt',
    ]);
    expect(unlisted).toEqual([
      { idPrefix: `${fake.folder}/locked/`, problem: 'locked/: it may not be read (EACCES)' },
    ]);
    expect(await failure(entries[1]!.load(noSignal))).toMatchObject({ kind: 'refused' });
  });

  test('the whole folder', async () => {
    allow('', 0o000);
    expect(await failure(asNobody(read))).toMatchObject({ kind: 'missing' });
  });

  test('a file, which the others do not wait for', async () => {
    const { entries } = await read();
    const items = await Promise.all(entries.map((entry) => entry.load(noSignal)));
    allow('a.txt', 0o000);
    expect(await asNobody(() => failure(textOf(items[0])))).toMatchObject({
      kind: 'refused',
      message: 'it may not be read (EACCES)',
    });
    expect(await asNobody(() => textOf(items.at(-1)))).toContain('some text');
  });
});

test('a folder that was read has a position, from which the next sync shows everything', async () => {
  write('a.txt');
  const first = await read();
  expect(first.cursor).not.toBe('');
  write('b.txt');
  const next = await readAll((cursor) => opened.session.read(scope(), cursor, noSignal), first.cursor);
  expect(next.entries).toHaveLength(first.entries.length + 1);
});

(canMount ? test : test.skip)(
  'files of a disk within the folder stay while it is not mounted, and go with what stands there then',
  async () => {
    write('own.md');
    const place = join(fake.folder, 'shelf', 'disk');
    mkdirSync(place, { recursive: true });
    const disk = SmallDisk.mount(place, 1);
    const readOn = (from: string) =>
      readAll((cursor) => opened.session.read(scope(), cursor, noSignal), from);
    try {
      write('shelf/disk/theirs.md');
      const mounted = await readOn('');
      expect(mounted.entries).toHaveLength(2);
      disk.unmount();
      let { cursor } = mounted;
      for (let time = 0; time < 2; time += 1) {
        const away = await readOn(cursor);
        cursor = away.cursor;
        expect(away.entries).toHaveLength(1);
        expect(away.pages.flatMap(({ unlisted }) => unlisted ?? [])).toEqual([
          { idPrefix: `${place}/`, problem: 'shelf/disk/: the disk in it is not mounted now' },
        ]);
      }
      write('shelf/disk/instead.md');
      const replaced = await readOn(cursor);
      expect(replaced.entries).toHaveLength(2);
      rmSync(join(place, 'instead.md'));
      const emptied = await readOn(replaced.cursor);
      for (const { unlisted } of [...replaced.pages, ...emptied.pages]) expect(unlisted).toEqual([]);
    } finally {
      disk.unmount();
    }
  },
);
