import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readState, writeState } from '../../src/connectors/providers/web/crawl-state.js';
import type { CrawlState, KnownPage } from '../../src/connectors/providers/web/crawl-state.js';
import { noSignal, shareHeld, textOf } from '../support/connectors/reading.js';
import type { Shown } from '../support/connectors/reading.js';
import { pageOf } from '../support/connectors/web-fake.js';
import { WebSite, failure, links } from '../support/connectors/web-site.js';

const site = WebSite.forEachTest();

describe('a sitemap', () => {
  test('lists the pages, links are not followed, and neither are other sites', async () => {
    site.page('/', links('/unlisted'));
    for (const path of ['/a', '/b', '/unlisted']) site.page(path);
    site.server.serve('/sitemap.xml', {
      body: site
        .sitemap(['/a'], ['/b'])
        .replace('</urlset>', '<url><loc>http://other.invalid/</loc></url></urlset>'),
      type: 'application/xml',
    });
    expect(site.paths(await site.read())).toEqual(['/', '/a', '/b']);
    expect(site.asked()).toEqual(['/', '/a', '/b']);
  });

  test('that takes long leaves time for others', async () => {
    site.page('/');
    await site.read();
    const others = '<url><loc/><x/><x/><x/><x/></url>'.repeat(300_000);
    site.server.serve('/sitemap.xml', { body: `<urlset>${others}</urlset>`, type: 'application/xml' });
    expect(await shareHeld(() => site.read())).toBeLessThan(0.5);
  });

  test.each(['gzip', 'text', 'named in robots.txt', 'in the folder'])('that is %s', async (how) => {
    site.page('/docs/');
    site.page('/docs/a');
    const body = site.sitemap(['/docs/a']);
    if (how === 'gzip') site.server.serve('/sitemap.xml', { body: gzipSync(body), type: 'application/gzip' });
    if (how === 'text')
      site.server.serve('/sitemap.xml', {
        body: `${site.server.origin}/docs/a\n${site.server.origin}/docs/b\n`,
        type: 'text/plain',
      });
    if (how === 'in the folder') site.server.serve('/docs/sitemap.xml', { body, type: 'text/xml' });
    if (how === 'named in robots.txt') {
      site.robots('Sitemap: /maps/all.xml');
      site.server.serve('/maps/all.xml', { body });
    }
    expect(site.paths(await site.read('', {}, '/docs/'))).toEqual(['/docs/', '/docs/a']);
  });

  test('that is text is no page itself, not even with empty lines and a mark of its encoding', async () => {
    for (const path of ['/', '/a', '/b']) site.page(path);
    site.robots('Sitemap: /all.txt');
    const body = `\ufeff${site.origin}/a\r\n\r\n${site.origin}/b\r\n`;
    site.server.serve('/all.txt', { body, type: 'text/plain; charset=utf-8' });
    expect(site.paths(await site.read())).toEqual(['/', '/a', '/b']);
  });

  test('may be an index of others, one of which is missing and one damaged', async () => {
    site.page('/');
    site.page('/a');
    site.page('/b');
    const maps = ['/1.xml', '/gone.xml', '/2.xml', '/sitemap.xml'].map(
      (path) => `<sitemap><loc>${site.server.origin}${path}</loc><lastmod>2026-01-01</lastmod></sitemap>`,
    );
    site.server.serve('/sitemap.xml', { body: `<sitemapindex>${maps.join('')}</sitemapindex>` });
    site.server.serve('/1.xml', { body: site.sitemap(['/a']) });
    site.server.serve('/2.xml', { body: site.sitemap(['/b'], ['/never']).slice(0, -200) });
    expect(site.paths(await site.read())).toEqual(['/', '/a', '/b']);
    // The index names itself, too.
    const asked = site.server.takeLog().filter((line) => line.endsWith('.xml'));
    expect(asked).toEqual(['/sitemap.xml', '/1.xml', '/gone.xml', '/2.xml'].map((path) => `GET ${path}`));
  });

  test('that is a page instead is none', async () => {
    site.page('/', links('/a'));
    site.page('/a');
    site.page('/sitemap.xml', links('/not-this'));
    expect(site.paths(await site.read())).toEqual(['/', '/a']);
  });

  test('spares requests by its times, though not for ever', async () => {
    site.page('/');
    site.page('/a');
    site.page('/b');
    site.serveSitemap(['/', '2026-01-01'], ['/a', '2026-01-01T10:00:00+01:00'], ['/b']);
    const first = await site.read();
    site.asked();
    site.page('/a', 'edited without a word');
    const second = await site.read(first.cursor);
    expect(site.asked()).toEqual(['/b 304']);
    expect(site.paths(second)).toEqual(['/', '/a', '/b']);
    site.serveSitemap(['/', '2026-01-01'], ['/a', '2026-01-02'], ['/b']);
    const third = await site.read(second.cursor);
    expect(site.asked()).toEqual(['/a', '/b 304']);
    const versions = (from: Shown) => new Map(from.entries.map(({ id, version }) => [id, version]));
    const changed = [...versions(third)].filter(([id, version]) => versions(second).get(id) !== version);
    expect(changed.map(([id]) => id)).toEqual([`${site.server.origin}/a`]);
    site.clock.advance(8 * 86_400);
    await site.read(third.cursor);
    expect(site.asked()).toEqual(['/ 304', '/a 304', '/b 304']);
  });

  test('no longer lists a page that still stands: it stays', async () => {
    for (const path of ['/', '/a', '/b']) site.page(path);
    site.serveSitemap(['/a'], ['/b']);
    const { cursor } = await site.read();
    site.serveSitemap(['/b']);
    expect(site.paths(await site.read(cursor))).toEqual(['/', '/a', '/b']);
    site.server.documents.delete('/a');
    expect(site.paths(await site.read(cursor))).toEqual(['/', '/b']);
  });
});

describe('the next time', () => {
  test('unchanged pages are not sent again, and load when they are asked for after all', async () => {
    site.page('/', links('/a', '/made'));
    site.page('/a');
    site.server.serve('/made', {
      body: pageOf('Made', 'the same <script>token()</script>'),
      isDynamic: true,
    });
    const first = await site.read();
    site.asked();
    site.server.serve('/made', {
      body: pageOf('Made', 'the same <script>other()</script>'),
      isDynamic: true,
    });
    const second = await site.read(first.cursor);
    expect(site.asked()).toEqual(['/ 304', '/a 304', '/made']);
    const versions = ({ entries }: Shown) => entries.map(({ id, version }) => [id, version]);
    expect(versions(second)).toEqual(versions(first));
    const entry = second.entries.find(({ id }) => id.endsWith('/a'));
    expect(await textOf(await entry?.load(noSignal))).toContain('Text of /a');
  });

  test('new pages are found by changed ones, and after a week also behind unchanged ones', async () => {
    site.page('/', links('/a', '/back-later'));
    site.page('/a');
    const first = await site.read();
    site.page('/a', links('/new'));
    site.page('/new');
    site.page('/back-later');
    const second = await site.read(first.cursor);
    expect(site.paths(second)).toEqual(['/', '/a', '/new']);
    site.clock.advance(8 * 86_400);
    expect(site.paths(await site.read(second.cursor))).toEqual(['/', '/a', '/back-later', '/new']);
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
    site.page('/', links('/a', '/b'));
    site.page('/a');
    site.page('/b');
    const { cursor } = await site.read();
    site.server.serve('/a', { status, headers: { location: 'http://other.invalid/' } });
    const shown = await site.read(cursor);
    expect(site.paths(shown)).toEqual(isShown ? ['/', '/a', '/b'] : ['/', '/b']);
    expect(shown.pages.every(({ coverage }) => coverage === 'all')).toBe(true);
    // Never seen, it cannot be shown.
    expect(site.paths(await site.read())).toEqual(['/', '/b']);
  });

  test('a page that breaks off stays, with its version', async () => {
    site.page('/', links('/a'));
    site.page('/a');
    const first = await site.read();
    site.server.serve('/a', { body: 'half', breaks: 'in the body' });
    const second = await site.read(first.cursor);
    expect(second.entries.map(({ version }) => version)).toEqual(first.entries.map(({ version }) => version));
  });

  test('a page that asks not to be indexed, or has become something else, is gone', async () => {
    site.page('/', links('/a', '/b'));
    site.page('/a');
    site.page('/b');
    const { cursor } = await site.read();
    site.page('/a', '', '<meta name="robots" content="noindex">');
    site.server.serve('/b', { body: 'x', type: 'image/png' });
    expect(site.paths(await site.read(cursor))).toEqual(['/']);
  });
});

describe('a site that is down', () => {
  const articles = Array.from({ length: 20 }, (_, nth) => `/${nth}`);
  beforeEach(() => {
    site.page('/', links(...articles));
    for (const path of articles) site.page(path);
  });

  test('is unavailable from the beginning', async () => {
    const { cursor } = await site.read();
    site.server.serve('/', { breaks: 'at once' });
    expect(await failure(site.read(cursor))).toMatchObject({ kind: 'unavailable' });
    site.server.serve('/', { status: 500 });
    expect(await failure(site.read(cursor))).toMatchObject({ kind: 'unavailable', httpStatus: 500 });
    site.server.serve('/robots.txt', { breaks: 'at once' });
    site.page('/');
    expect(await failure(site.read(cursor))).toMatchObject({ kind: 'unavailable' });
  });

  test('or in the middle, which a part of it that is out of order is not', async () => {
    const { cursor } = await site.read();
    for (const path of articles.slice(3, 15)) site.server.serve(path, { status: 500 });
    expect(site.paths(await site.read(cursor))).toEqual(['/', ...articles].sort());
    // The start page answered when the walk began, and does not when it is asked again.
    site.page('/', links('/other'));
    const { fetch: working } = site.network();
    let starts = 0;
    const failing: typeof fetch = (input, init) =>
      input === `${site.origin}/` && (starts += 1) > 1
        ? Promise.reject(new TypeError('fetch failed'))
        : working(input, init);
    const down = site.opened({ fetch: failing });
    expect(await failure(down.read(site.scope(), cursor, noSignal))).toMatchObject({ kind: 'unavailable' });
  });

  test('asks for fewer requests: what was read counts, the rest waits', async () => {
    site.server.serve('/7', { status: 429, headers: { 'retry-after': '60' } });
    const before = await site.session.read(site.scope(), '', noSignal);
    expect(site.paths(before)).toEqual(['/', ...articles.slice(0, 7)].sort());
    expect(before.more).toBe(true);
    const waiting = await failure(site.session.read(site.scope(), before.cursor, noSignal));
    expect(waiting).toMatchObject({ kind: 'limited', retryAfterSeconds: 60 });
    site.clock.advance(60);
    expect(await failure(site.session.read(site.scope(), before.cursor, noSignal))).toMatchObject({
      kind: 'limited',
    });
    site.page('/7');
    expect(site.paths(await site.read(before.cursor))).toEqual(articles.slice(7).sort());
  });
});

test('a large site is walked in pages of some hundred entries, each page of it once', async () => {
  const all = Array.from({ length: 600 }, (_, nth) => `/articles/${nth}`);
  site.serveSitemap(...all.map((path) => [path, '2026-01-01'] as const));
  site.page('/');
  for (const path of all) site.server.serve(path, `<title>${path}</title>`);
  const first = await site.read();
  expect(site.paths(first)).toEqual(['/', ...all].sort());
  // Nothing is asked for, and still not everything shown at once.
  const second = await site.read(first.cursor);
  expect(site.paths(second)).toEqual(site.paths(first));
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
    expect(await failure(site.session.read(site.scope(), cursor, noSignal))).toMatchObject({
      kind: 'expired',
    });
  });
});
