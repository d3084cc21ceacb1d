import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Page, Session } from '../../src/connectors/provider.js';
import { web } from '../../src/connectors/providers/web.js';
import { readState, writeState } from '../../src/connectors/providers/web/crawl-state.js';
import type { CrawlState, KnownPage } from '../../src/connectors/providers/web/crawl-state.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import type { AddressGuardOptions } from '../../src/lib/address-guard.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { DocumentServer } from '../support/connectors/document-server.js';
import { noSignal, readAll, textOf } from '../support/connectors/reading.js';
import type { Shown } from '../support/connectors/reading.js';
import { pageOf } from '../support/connectors/web-fake.js';
import { TestClock } from '../support/test-clock.js';

let server: DocumentServer;
let clock: TestClock;
let session: Session;
const networks: GuardedNetwork[] = [];

function opened(options: AddressGuardOptions = { allowPrivate: true }): Session {
  const network = new GuardedNetwork(options);
  networks.push(network);
  const rest = { baseUrl: undefined, filesystemRoots: [], saveCredentials: () => Promise.resolve() };
  return web.open({ ...rest, credentials: {}, network, clock });
}

beforeEach(async () => {
  server = await DocumentServer.start();
  clock = new TestClock();
  session = opened();
});
afterEach(async () => {
  for (const network of networks.splice(0)) await network.close();
  await server.close();
});

const scope = (filters: JsonObject = {}, start = '/') => ({
  id: `${server.origin}${start}`,
  type: 'site',
  oldest: new Date('2025-12-01'),
  filters,
});
const read = (cursor = '', filters: JsonObject = {}, start = '/') =>
  readAll((at) => session.read(scope(filters, start), at, noSignal), cursor);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const links = (...to: string[]) => to.map((each) => `<a href="${each}">a link</a>`).join(' ');
const page = (path: string, more = '', head = '') =>
  server.serve(path, pageOf(`Title of ${path}`, `Text of ${path}. ${more}`, head));
const robots = (...lines: string[]) =>
  server.serve('/robots.txt', { body: lines.join('\n'), type: 'text/plain' });
const sitemap = (...urls: (readonly [path: string, lastmod?: string])[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map(
      ([path, lastmod]) =>
        `<url><loc>${server.origin}${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}<image:image xmlns:image="i"><image:loc>${server.origin}/pic</image:loc></image:image></url>`,
    )
    .join('')}</urlset>`;
const serveSitemap = (...urls: Parameters<typeof sitemap>) =>
  server.serve('/sitemap.xml', { body: sitemap(...urls), type: 'application/xml' });
const paths = ({ entries }: Pick<Page, 'entries'>) =>
  entries.map(({ id }) => id.replace(server.origin, '')).sort();
const asked = () =>
  server
    .takeLog()
    .filter((line) => !/robots|sitemap/.test(line))
    .map((line) => line.replace('GET ', ''));

test('a page as an item', async () => {
  server.serve('/', {
    body: '<html lang="de"><head><title>Caf&eacute; &amp; more</title></head><body>Grüße</body></html>',
    headers: { 'last-modified': 'Mon, 06 Sep 2021 00:01:00 GMT' },
  });
  const [entry] = (await read()).entries;
  expect(entry?.id).toBe(`${server.origin}/`);
  const item = await entry?.load(noSignal);
  const title = 'Café & more';
  expect(item).toEqual({
    kind: 'knowledge_base',
    title,
    url: `${server.origin}/`,
    timestamp: '2021-09-06T00:01:00.000Z',
    fields: { title, updated_at: '2021-09-06T00:01:00.000Z', url: `${server.origin}/` },
    file: { filename: 'index.html', contentType: 'text/html', open: expect.any(Function) },
    native: { host: new URL(server.origin).host, content_type: 'text/html', language: 'de' },
  });
  expect(await textOf(item)).toContain('Grüße');
});

test('documents are items by what they are sent as, with a name by which they are parsed', async () => {
  const documents: [string, string, string | undefined][] = [
    ['/paper', 'application/pdf', 'paper.pdf'],
    ['/My%20file.PDF', 'application/octet-stream', 'My file.PDF'],
    ['/notes.md', 'text/plain; charset=utf-8', 'notes.md'],
    ['/readme', 'text/plain', 'readme.txt'],
    ['/index.php?id=3', 'text/html', 'index.php.html'],
    ['/x', 'application/xhtml+xml', 'x.html'],
    ['/data.csv', 'text/csv', 'data.csv'],
    ['/photo', 'image/png', undefined],
    ['/feed.xml', 'application/xml', undefined],
    ['/program', 'application/octet-stream', undefined],
    ['/style.css', 'text/css', undefined],
  ];
  for (const [path, type] of documents) server.serve(path, { body: `content of ${path}`, type });
  page('/', links(...documents.map(([path]) => path.replace('&', '&amp;'))));
  const { entries } = await read();
  const items = await Promise.all(entries.map((entry) => entry.load(noSignal)));
  const names = new Map(items.map((item) => [item?.url?.replace(server.origin, ''), item?.file?.filename]));
  for (const [path, , name] of documents) expect([path, names.get(path)]).toEqual([path, name]);
  expect(server.log).not.toContain('GET /style.css');
});

test('the charset that only the server names', async () => {
  const body = Buffer.concat([Buffer.from('<p>'), Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0])]);
  server.serve('/', { body, type: 'text/html; charset=windows-1251' });
  const [entry] = (await read()).entries;
  expect(await textOf(await entry?.load(noSignal))).toContain('Москва');
});

describe('links', () => {
  test('are followed within the site, breadth first, each page once', async () => {
    page(
      '/',
      links(
        'b',
        '/a#part',
        '/a?utm_source=x',
        'http://other.invalid/',
        'mailto:a@b',
        'javascript:1',
        '//x.invalid/',
      ),
    );
    page('/a', links('/deep', '/', '/b', '/a'));
    page('/b', `<!-- ${links('/comment')} --><script>'${links('/script')}'</script>`);
    page('/deep', '<a rel="external nofollow" href="/ad">ad</a>');
    expect(paths(await read())).toEqual(['/', '/a', '/b', '/deep']);
    expect(asked()).toEqual(['/', '/b', '/a', '/deep']);
  });

  test('are those below the start page', async () => {
    for (const start of ['/docs', '/docs/', '/docs/index.html']) {
      for (const path of ['/docs/a', '/docsother', '/', '/blog', '/docs/sub/b', '/docs/index.html'])
        page(path);
      page(start, links('/docs/a', '/docsother', '/', '../blog', '/docs/sub/b', '/docs/index.html'));
      const found = paths(await read('', {}, start));
      expect(found).toEqual([...new Set([start, '/docs/a', '/docs/index.html', '/docs/sub/b'])].sort());
    }
  });

  test('obey base, and what a page says to robots', async () => {
    page('/', links('one', '/hidden', '/silent', '/tagged'), '<base href="/folder/">');
    page('/folder/one');
    page('/hidden', links('/from-hidden'), '<meta name="ROBOTS" content="NoIndex, follow">');
    page('/silent', links('/from-silent'), "<meta content='nofollow' name='robots'>");
    const headers = { 'x-robots-tag': 'googlebot: nofollow, otherbot: noindex, contexture: none' };
    server.serve('/tagged', { body: pageOf('t', links('/from-tagged')), headers });
    for (const path of ['/from-hidden', '/from-silent', '/from-tagged']) page(path);
    expect(paths(await read())).toEqual(['/', '/folder/one', '/from-hidden', '/silent']);
  });

  test('to a copy lead to the original', async () => {
    page('/', links('/copy', '/loop-a', '/alien'));
    page('/copy', '', '<link rel="canonical" href="/original">');
    page('/original');
    page('/loop-a', '', '<link rel="canonical" href="/loop-b">');
    page('/loop-b', '', '<link rel="canonical" href="/loop-a">');
    page('/alien', '', '<link rel="canonical" href="https://example.com/elsewhere">');
    expect(paths(await read())).toEqual(['/', '/alien', '/loop-b', '/original']);
  });

  test('that are redirected lead on within the site, and nowhere else', async () => {
    page('/', links('/old', '/out', '/round'));
    server.serve('/old', { status: 301, headers: { location: 'new' } });
    server.serve('/out', { status: 302, headers: { location: 'http://other.invalid/' } });
    server.serve('/round', { status: 302, headers: { location: '/round' } });
    page('/new');
    expect(paths(await read())).toEqual(['/', '/new']);
  });

  test('are read from pages that are hostile to readers', async () => {
    page('/', `${'<a '.repeat(200_000)}<script>${'<div>'.repeat(50_000)}`);
    expect(paths(await read())).toEqual(['/']);
  });
});

describe('filters', () => {
  test('of paths; the start page is read for its links', async () => {
    page('/', links('/blog/1', '/blog/private/2', '/shop'));
    for (const path of ['/blog/1', '/blog/private/2', '/shop']) page(path);
    const filters = { include_paths: ['/blog/'], exclude_paths: ['/blog/private'] };
    expect(paths(await read('', filters))).toEqual(['/blog/1']);
    expect(asked()).toEqual(['/', '/blog/1']);
  });

  test('of the number of pages, which stays with the same pages', async () => {
    const all = Array.from({ length: 9 }, (_, nth) => `/${nth}`);
    page('/', links(...all));
    for (const path of all) page(path);
    const first = await read('', { max_pages: 4 });
    expect(paths(first)).toEqual(['/', '/0', '/1', '/2']);
    page('/', links('/new', ...all));
    page('/new');
    expect(paths(await read(first.cursor, { max_pages: 4 }))).toEqual(['/', '/0', '/1', '/2']);
    expect(paths(await read(first.cursor, { max_pages: 100 }))).toHaveLength(11);
  });

  test.each([{ max_pages: 0 }, { max_pages: 10_001 }, { include_paths: ['blog'] }, { exclude_paths: [] }])(
    'refuse %j',
    (given) => {
      expect(web.filters.safeParse(given).success).toBe(false);
    },
  );
});

describe('robots.txt', () => {
  test('says what is read, to us or to everyone', async () => {
    page('/', links('/open', '/secret/1', '/ours', '/file.pdf'));
    for (const path of ['/open', '/secret/1', '/ours']) page(path);
    robots('User-agent: *', 'Disallow: /secret/', 'Disallow: /*.pdf$');
    expect(paths(await read())).toEqual(['/', '/open', '/ours']);
    robots('User-agent: *', 'Disallow: /', '', 'User-agent: contexture', 'Disallow: /ours');
    expect(paths(await read())).toEqual(['/', '/open', '/secret/1']);
    expect(server.lastHeaders['user-agent']).toBe('Contexture');
  });

  test('that forbids the site refuses it, and deletes nothing', async () => {
    page('/', links('/a'));
    const { cursor } = await read();
    robots('User-agent: *', 'Disallow: /');
    const refused = { kind: 'refused', message: expect.stringContaining('robots.txt') };
    expect(await failure(read(cursor))).toMatchObject(refused);
    expect(await failure(session.describe(`${server.origin}/`, noSignal))).toMatchObject(refused);
  });

  test.each([
    [403, undefined],
    [503, 'unavailable'],
  ])('that answers %i', async (status, kind) => {
    page('/');
    server.serve('/robots.txt', { status });
    expect(((await failure(read())) as { kind?: string } | undefined)?.kind).toBe(kind);
  });

  test('asks for pauses: a request, then none until its time has come, whoever asks', async () => {
    robots('User-agent: *', 'Crawl-delay: 10', `Sitemap: ${server.origin}/sitemap.xml`);
    page('/');
    page('/a');
    serveSitemap(['/'], ['/a']);
    const shown: string[] = [];
    let cursor = '';
    for (let more = true; more;) {
      server.takeLog();
      const next = await session.read(scope(), cursor, noSignal);
      expect(server.takeLog().filter((line) => !line.includes('robots'))).toHaveLength(1);
      shown.push(...paths(next));
      ({ cursor, more } = next);
      if (!more) break;
      const early = await failure(opened().read(scope(), cursor, noSignal));
      expect(early).toMatchObject({ kind: 'limited', retryAfterSeconds: 10 });
      expect(server.takeLog()).toEqual([]);
      clock.advance(10);
    }
    expect(shown).toEqual(['/', '/a']);
  });
});

describe('a sitemap', () => {
  test('lists the pages, links are not followed, and neither are other sites', async () => {
    page('/', links('/unlisted'));
    for (const path of ['/a', '/b', '/unlisted']) page(path);
    server.serve('/sitemap.xml', {
      body: sitemap(['/a'], ['/b']).replace(
        '</urlset>',
        '<url><loc>http://other.invalid/</loc></url></urlset>',
      ),
      type: 'application/xml',
    });
    expect(paths(await read())).toEqual(['/', '/a', '/b']);
    expect(asked()).toEqual(['/', '/a', '/b']);
  });

  test.each(['gzip', 'text', 'named in robots.txt', 'in the folder'])('that is %s', async (how) => {
    page('/docs/');
    page('/docs/a');
    const body = sitemap(['/docs/a']);
    if (how === 'gzip') server.serve('/sitemap.xml', { body: gzipSync(body), type: 'application/gzip' });
    if (how === 'text')
      server.serve('/sitemap.xml', {
        body: `${server.origin}/docs/a\n${server.origin}/docs/b\n`,
        type: 'text/plain',
      });
    if (how === 'in the folder') server.serve('/docs/sitemap.xml', { body, type: 'text/xml' });
    if (how === 'named in robots.txt') {
      robots('Sitemap: /maps/all.xml');
      server.serve('/maps/all.xml', { body });
    }
    expect(paths(await read('', {}, '/docs/'))).toEqual(['/docs/', '/docs/a']);
  });

  test('may be an index of others, one of which is missing and one damaged', async () => {
    page('/');
    page('/a');
    page('/b');
    const maps = ['/1.xml', '/gone.xml', '/2.xml', '/sitemap.xml'].map(
      (path) => `<sitemap><loc>${server.origin}${path}</loc><lastmod>2026-01-01</lastmod></sitemap>`,
    );
    server.serve('/sitemap.xml', { body: `<sitemapindex>${maps.join('')}</sitemapindex>` });
    server.serve('/1.xml', { body: sitemap(['/a']) });
    server.serve('/2.xml', { body: sitemap(['/b'], ['/never']).slice(0, -200) });
    expect(paths(await read())).toEqual(['/', '/a', '/b']);
  });

  test('that is a page instead is none', async () => {
    page('/', links('/a'));
    page('/a');
    page('/sitemap.xml', links('/not-this'));
    expect(paths(await read())).toEqual(['/', '/a']);
  });

  test('spares requests by its times, though not for ever', async () => {
    page('/');
    page('/a');
    page('/b');
    serveSitemap(['/', '2026-01-01'], ['/a', '2026-01-01T10:00:00+01:00'], ['/b']);
    const first = await read();
    asked();
    page('/a', 'edited without a word');
    const second = await read(first.cursor);
    expect(asked()).toEqual(['/b 304']);
    expect(paths(second)).toEqual(['/', '/a', '/b']);
    serveSitemap(['/', '2026-01-01'], ['/a', '2026-01-02'], ['/b']);
    const third = await read(second.cursor);
    expect(asked()).toEqual(['/a', '/b 304']);
    const versions = (from: Shown) => new Map(from.entries.map(({ id, version }) => [id, version]));
    const changed = [...versions(third)].filter(([id, version]) => versions(second).get(id) !== version);
    expect(changed.map(([id]) => id)).toEqual([`${server.origin}/a`]);
    clock.advance(8 * 86_400);
    await read(third.cursor);
    expect(asked()).toEqual(['/ 304', '/a 304', '/b 304']);
  });

  test('no longer lists a page that still stands: it stays', async () => {
    for (const path of ['/', '/a', '/b']) page(path);
    serveSitemap(['/a'], ['/b']);
    const { cursor } = await read();
    serveSitemap(['/b']);
    expect(paths(await read(cursor))).toEqual(['/', '/a', '/b']);
    server.documents.delete('/a');
    expect(paths(await read(cursor))).toEqual(['/', '/b']);
  });
});

describe('the next time', () => {
  test('unchanged pages are not sent again, and load when they are asked for after all', async () => {
    page('/', links('/a', '/made'));
    page('/a');
    server.serve('/made', { body: pageOf('Made', 'the same <script>token()</script>'), isDynamic: true });
    const first = await read();
    asked();
    server.serve('/made', { body: pageOf('Made', 'the same <script>other()</script>'), isDynamic: true });
    const second = await read(first.cursor);
    expect(asked()).toEqual(['/ 304', '/a 304', '/made']);
    const versions = ({ entries }: Shown) => entries.map(({ id, version }) => [id, version]);
    expect(versions(second)).toEqual(versions(first));
    const entry = second.entries.find(({ id }) => id.endsWith('/a'));
    expect(await textOf(await entry?.load(noSignal))).toContain('Text of /a');
  });

  test('new pages are found by changed ones, and after a week also behind unchanged ones', async () => {
    page('/', links('/a', '/back-later'));
    page('/a');
    const first = await read();
    page('/a', links('/new'));
    page('/new');
    page('/back-later');
    const second = await read(first.cursor);
    expect(paths(second)).toEqual(['/', '/a', '/new']);
    clock.advance(8 * 86_400);
    expect(paths(await read(second.cursor))).toEqual(['/', '/a', '/back-later', '/new']);
  });

  test.each([
    [404, false],
    [410, false],
    [301, false],
    [302, true],
    [401, true],
    [403, true],
    [500, true],
    [503, true],
  ])('a page that answers %i: still shown is %s', async (status, isShown) => {
    page('/', links('/a', '/b'));
    page('/a');
    page('/b');
    const { cursor } = await read();
    server.serve('/a', { status, headers: { location: 'http://other.invalid/' } });
    const shown = await read(cursor);
    expect(paths(shown)).toEqual(isShown ? ['/', '/a', '/b'] : ['/', '/b']);
    expect(shown.pages.every(({ tells }) => tells === 'all')).toBe(true);
    // Never seen, it cannot be shown.
    expect(paths(await read())).toEqual(['/', '/b']);
  });

  test('a page that breaks off stays, with its version', async () => {
    page('/', links('/a'));
    page('/a');
    const first = await read();
    server.serve('/a', { body: 'half', breaks: 'in the body' });
    const second = await read(first.cursor);
    expect(second.entries.map(({ version }) => version)).toEqual(first.entries.map(({ version }) => version));
  });

  test('a page that asks not to be indexed, or has become something else, is gone', async () => {
    page('/', links('/a', '/b'));
    page('/a');
    page('/b');
    const { cursor } = await read();
    page('/a', '', '<meta name="robots" content="noindex">');
    server.serve('/b', { body: 'x', type: 'image/png' });
    expect(paths(await read(cursor))).toEqual(['/']);
  });
});

describe('a site that is down', () => {
  const site = Array.from({ length: 20 }, (_, nth) => `/${nth}`);
  beforeEach(() => {
    page('/', links(...site));
    for (const path of site) page(path);
  });

  test('is unavailable from the beginning', async () => {
    const { cursor } = await read();
    server.serve('/', { breaks: 'at once' });
    expect(await failure(read(cursor))).toMatchObject({ kind: 'unavailable' });
    server.serve('/', { status: 500 });
    expect(await failure(read(cursor))).toMatchObject({ kind: 'unavailable', httpStatus: 500 });
    server.serve('/robots.txt', { breaks: 'at once' });
    page('/');
    expect(await failure(read(cursor))).toMatchObject({ kind: 'unavailable' });
  });

  test('or in the middle, which a part of it that is out of order is not', async () => {
    const { cursor } = await read();
    for (const path of site.slice(3, 15)) server.serve(path, { status: 500 });
    expect(paths(await read(cursor))).toEqual(['/', ...site].sort());
    // The start page answered when the walk began, and does not when it is asked again.
    page('/', links('/other'));
    const network = networks.at(-1)?.fetch;
    let starts = 0;
    const failing: typeof fetch = async (input, init) => {
      if (input === `${server.origin}/` && (starts += 1) > 1) throw new TypeError('fetch failed');
      return network?.(input, init) as Promise<Response>;
    };
    const rest = { baseUrl: undefined, filesystemRoots: [], saveCredentials: () => Promise.resolve() };
    const down = web.open({ ...rest, credentials: {}, clock, network: { fetch: failing } as GuardedNetwork });
    expect(await failure(down.read(scope(), cursor, noSignal))).toMatchObject({ kind: 'unavailable' });
  });

  test('asks for fewer requests: what was read counts, the rest waits', async () => {
    server.serve('/7', { status: 429, headers: { 'retry-after': '60' } });
    const before = await session.read(scope(), '', noSignal);
    expect(paths(before)).toEqual(['/', ...site.slice(0, 7)].sort());
    expect(before.more).toBe(true);
    const waiting = await failure(session.read(scope(), before.cursor, noSignal));
    expect(waiting).toMatchObject({ kind: 'limited', retryAfterSeconds: 60 });
    clock.advance(60);
    expect(await failure(session.read(scope(), before.cursor, noSignal))).toMatchObject({ kind: 'limited' });
    page('/7');
    expect(paths(await read(before.cursor))).toEqual(site.slice(7).sort());
  });
});

test('a large site is walked in pages of some hundred entries, each page of it once', async () => {
  const all = Array.from({ length: 600 }, (_, nth) => `/articles/${nth}`);
  serveSitemap(...all.map((path) => [path, '2026-01-01'] as const));
  page('/');
  for (const path of all) server.serve(path, `<title>${path}</title>`);
  const first = await read();
  expect(paths(first)).toEqual(['/', ...all].sort());
  // Nothing is asked for, and still not everything shown at once.
  const second = await read(first.cursor);
  expect(paths(second)).toEqual(paths(first));
  expect(Math.max(...second.pages.map(({ entries }) => entries.length))).toBeLessThanOrEqual(200);
});

describe('the cursor', () => {
  const state = (pages: KnownPage[]): CrawlState => ({
    pages,
    at: 1,
    filters: 'f',
    sitemaps: [],
    sitemapsRead: 1,
    isListed: true,
    fullAt: 1,
    isFull: false,
    notBefore: 0,
    isDone: false,
  });
  const known = (nth: number, path = `/articles/${nth % 97}/the-story-of-${nth}`): KnownPage => ({
    path,
    version: randomBytes(8).toString('base64url'),
    validator: `"${randomBytes(10).toString('hex')}"`,
    readLastmod: 1_760_000_000 + nth * 977,
    lastmod: nth,
    isGone: nth % 2 === 0,
  });

  test('holds 10,000 pages with their validators in 1 MiB', async () => {
    const given = state(Array.from({ length: 10_000 }, (_, nth) => known(nth)));
    const cursor = await writeState(given);
    expect(cursor.length).toBeLessThan(1024 * 1024);
    expect(await readState(cursor)).toEqual(given);
  });

  test('of 1,000 pages stays below 64 KiB', async () => {
    const cursor = await writeState(state(Array.from({ length: 1000 }, (_, nth) => known(nth))));
    expect(cursor.length).toBeLessThan(64 * 1024);
  });

  test('stays below its bound whatever the addresses are', async () => {
    const long = () => `/${randomBytes(900).toString('base64url')}`;
    const given = state(Array.from({ length: 2000 }, (_, nth) => known(nth, long())));
    const cursor = await writeState(given);
    expect(cursor.length).toBeLessThan(1024 * 1024);
    expect((await readState(cursor))?.pages.length).toBeGreaterThan(500);
  });

  test.each(['x', '{}', '{"pages":"AAAA"}'])('that is damaged (%s) begins anew', async (cursor) => {
    expect(await failure(session.read(scope(), cursor, noSignal))).toMatchObject({ kind: 'expired' });
  });
});

test('a long address is an item under a short id', async () => {
  const path = `/${'x'.repeat(600)}`;
  page('/', links(path));
  page(path);
  const { entries } = await read();
  expect(entries.every(({ id }) => Buffer.byteLength(id) <= 512)).toBe(true);
  expect((await entries[1]?.load(noSignal))?.url).toBe(`${server.origin}${path}`);
});

describe('a start page', () => {
  test('that leads to another site is refused with its address', async () => {
    server.serve('/', { status: 301, headers: { location: 'https://www.example.com/' } });
    const refused = { kind: 'refused', message: expect.stringContaining('https://www.example.com/') };
    expect(await failure(session.describe(`${server.origin}/`, noSignal))).toMatchObject(refused);
    expect(await failure(read())).toMatchObject(refused);
  });

  test('may be missing where a sitemap lists others', async () => {
    page('/a');
    serveSitemap(['/a']);
    expect(paths(await read())).toEqual(['/a']);
  });

  test('gives the site its name', async () => {
    server.serve('/docs', { status: 302, headers: { location: '/docs/home' } });
    page('/docs/home');
    const id = `${server.origin}/docs`;
    expect(await session.describe(id, noSignal)).toMatchObject({ id, name: 'Title of /docs/home' });
  });
});

describe('private addresses', () => {
  test('are not connected to', async () => {
    page('/');
    const strict = opened({ allowPrivate: false });
    const refused = { kind: 'refused', message: expect.stringContaining('private or reserved address') };
    expect(await failure(strict.describe(`${server.origin}/`, noSignal))).toMatchObject(refused);
    expect(await failure(strict.read(scope(), '', noSignal))).toMatchObject(refused);
    expect(server.log).toEqual([]);
  });

  test('are not reached by redirects, sitemaps or robots.txt of a public site', async () => {
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    const inside = server.origin;
    const outside = opened({ allowPrivate: false, trustedHosts: ['localhost'] });
    page('/secret');
    robots(`Sitemap: ${inside}/secret`);
    server.serve('/', { body: pageOf('Start', `${links('/away', `${inside}/secret`)}`) });
    server.serve('/away', { status: 302, headers: { location: `${inside}/secret` } });
    const site = { ...scope(), id: `${origin}/` };
    const shown = await readAll((at) => outside.read(site, at, noSignal));
    expect(shown.entries.map(({ id }) => id)).toEqual([`${origin}/`]);
    server.serve('/robots.txt', { status: 302, headers: { location: `${inside}/secret` } });
    expect(await failure(outside.read(site, '', noSignal))).toMatchObject({ kind: 'refused' });
    expect(server.log.filter((line) => line.includes('secret'))).toEqual([]);
  });
});
