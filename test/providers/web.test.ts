import { describe, expect, test } from '@jest/globals';
import { web } from '../../src/connectors/providers/web.js';
import { noSignal, readAll, textOf } from '../support/connectors/reading.js';
import { pageOf } from '../support/connectors/web-fake.js';
import { WebSite, failure, links } from '../support/connectors/web-site.js';

const site = WebSite.forEachTest();

test('a page is an item', async () => {
  site.server.serve('/', {
    body: '<html lang="de"><head><title>Caf&eacute; &amp; more</title></head><body>Grüße</body></html>',
    headers: { 'last-modified': 'Mon, 06 Sep 2021 00:01:00 GMT' },
  });
  const [entry] = (await site.read()).entries;
  expect(entry?.id).toBe(`${site.server.origin}/`);
  const item = await entry?.load(noSignal);
  const title = 'Café & more';
  expect(item).toEqual({
    kind: 'knowledge_base',
    title,
    url: `${site.server.origin}/`,
    timestamp: '2021-09-06T00:01:00.000Z',
    fields: { title, updated_at: '2021-09-06T00:01:00.000Z', url: `${site.server.origin}/` },
    file: { filename: 'index.html', contentType: 'text/html', open: expect.any(Function) },
    native: { host: new URL(site.server.origin).host, content_type: 'text/html', language: 'de' },
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
  for (const [path, type] of documents) site.server.serve(path, { body: `content of ${path}`, type });
  site.page('/', links(...documents.map(([path]) => path.replace('&', '&amp;'))));
  const { entries } = await site.read();
  const items = await Promise.all(entries.map((entry) => entry.load(noSignal)));
  const names = new Map(
    items.map((item) => [item?.url?.replace(site.server.origin, ''), item?.file?.filename]),
  );
  for (const [path, , name] of documents) expect([path, names.get(path)]).toEqual([path, name]);
  expect(site.server.log).not.toContain('GET /style.css');
});

test('the charset that only the server names', async () => {
  const body = Buffer.concat([Buffer.from('<p>'), Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0])]);
  site.server.serve('/', { body, type: 'text/html; charset=windows-1251' });
  const [entry] = (await site.read()).entries;
  expect(await textOf(await entry?.load(noSignal))).toContain('Москва');
});

describe('links', () => {
  test('are followed within the site, breadth first, each page once', async () => {
    site.page(
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
    site.page('/a', links('/deep', '/', '/b', '/a'));
    site.page('/b', `<!-- ${links('/comment')} --><script>'${links('/script')}'</script>`);
    site.page('/deep', '<a rel="external nofollow" href="/ad">ad</a>');
    expect(site.paths(await site.read())).toEqual(['/', '/a', '/b', '/deep']);
    expect(site.asked()).toEqual(['/', '/b', '/a', '/deep']);
  });

  test('are those below the start page', async () => {
    for (const start of ['/docs', '/docs/', '/docs/index.html']) {
      for (const path of ['/docs/a', '/docsother', '/', '/blog', '/docs/sub/b', '/docs/index.html'])
        site.page(path);
      site.page(start, links('/docs/a', '/docsother', '/', '../blog', '/docs/sub/b', '/docs/index.html'));
      const found = site.paths(await site.read('', {}, start));
      expect(found).toEqual([...new Set([start, '/docs/a', '/docs/index.html', '/docs/sub/b'])].sort());
    }
  });

  test('are found behind signs within quoted values', async () => {
    site.page(
      '/',
      `<a class="[&>svg]:size-4" href="/a">a</a><a @click='() => go()' href=/b title=it's>b</a><a href="/c">c</a>`,
    );
    for (const path of ['/a', '/b', '/c']) site.page(path);
    expect(site.paths(await site.read())).toEqual(['/', '/a', '/b', '/c']);
  });

  test('of a page that only sends on are followed too', async () => {
    site.page(
      '/',
      '',
      '<meta http-equiv="Refresh" content="0; URL=\'/docs/latest/\'"><meta http-equiv="x" content="/no">',
    );
    site.page('/docs/latest/');
    site.page('/no');
    expect(site.paths(await site.read())).toEqual(['/', '/docs/latest/']);
  });

  test('obey base, and what a page says to robots', async () => {
    site.page('/', links('one', '/hidden', '/silent', '/tagged'), '<base href="/folder/">');
    site.page('/folder/one');
    site.page('/hidden', links('/from-hidden'), '<meta name="ROBOTS" content="NoIndex, follow">');
    site.page('/silent', links('/from-silent'), "<meta content='nofollow' name='robots'>");
    const headers = { 'x-robots-tag': 'googlebot: nofollow, otherbot: noindex, contexture: none' };
    site.server.serve('/tagged', { body: pageOf('t', links('/from-tagged')), headers });
    for (const path of ['/from-hidden', '/from-silent', '/from-tagged']) site.page(path);
    expect(site.paths(await site.read())).toEqual(['/', '/folder/one', '/from-hidden', '/silent']);
  });

  test('to a copy lead to the original', async () => {
    site.page('/', links('/copy', '/loop-a', '/alien'));
    site.page('/copy', '', '<link rel="canonical" href="/original">');
    site.page('/original');
    site.page('/loop-a', '', '<link rel="canonical" href="/loop-b">');
    site.page('/loop-b', '', '<link rel="canonical" href="/loop-a">');
    site.page('/alien', '', '<link rel="canonical" href="https://example.com/elsewhere">');
    expect(site.paths(await site.read())).toEqual(['/', '/alien', '/loop-b', '/original']);
  });

  test.each(['moved back', 'gone', 'not to be indexed'])(
    'to a copy whose original is %s lead to what there is, in every walk',
    async (how) => {
      const answers = {
        'moved back': { status: 301, headers: { location: '/about' } },
        gone: { status: 404 },
        'not to be indexed': pageOf('Original', '', '<meta name="robots" content="noindex">'),
      };
      site.page('/', links('/about', '/copy-of-copy', '/other'));
      site.page('/about', '', '<link rel="canonical" href="/about/">');
      site.page('/copy-of-copy', '', '<link rel="canonical" href="/about">');
      site.server.serve('/about/', answers[how as keyof typeof answers]);
      site.page('/other');
      const first = await site.read();
      expect(site.paths(first)).toEqual(['/', '/about', '/other']);
      site.session = site.opened();
      site.asked();
      expect(site.paths(await site.read(first.cursor))).toEqual(['/', '/about', '/other']);
      expect(site.asked().filter((line) => /^.about(?: |$)/.test(line))).toEqual(['/about 304']);
    },
  );

  test('to a start page that names an original which leads back read it', async () => {
    site.page('/docs', links('/docs/a'), '<link rel="canonical" href="/docs/">');
    site.server.serve('/docs/', { status: 301, headers: { location: '/docs' } });
    site.page('/docs/a');
    const { cursor, ...first } = await site.read('', {}, '/docs');
    expect(site.paths(first)).toEqual(['/docs', '/docs/a']);
    expect(site.paths(await site.read(cursor, {}, '/docs'))).toEqual(['/docs', '/docs/a']);
  });

  test('that are redirected lead on within the site, and nowhere else', async () => {
    site.page('/', links('/old', '/out', '/round'));
    site.server.serve('/old', { status: 301, headers: { location: 'new' } });
    site.server.serve('/out', { status: 302, headers: { location: 'http://other.invalid/' } });
    site.server.serve('/round', { status: 302, headers: { location: '/round' } });
    site.page('/new');
    expect(site.paths(await site.read())).toEqual(['/', '/new']);
  });

  test('are read from pages that are hostile to readers', async () => {
    site.page('/', `${'<a '.repeat(200_000)}<script>${'<div>'.repeat(50_000)}`);
    expect(site.paths(await site.read())).toEqual(['/']);
  });

  test('are read at once from tags whose long names have no values', async () => {
    site.page('/', `${`<a ${'a'.repeat(9990)}>`.repeat(100)}${links('/next')}`);
    site.page('/next');
    const startedMs = performance.now();
    expect(site.paths(await site.read())).toEqual(['/', '/next']);
    // A tenth of a second; 30 s when each character of a name began another try.
    expect(performance.now() - startedMs).toBeLessThan(8000);
  });
});

describe('filters', () => {
  test('of paths; the start page is read for its links', async () => {
    site.page('/', links('/blog/1', '/blog/private/2', '/shop'));
    for (const path of ['/blog/1', '/blog/private/2', '/shop']) site.page(path);
    const filters = { include_paths: ['/blog/'], exclude_paths: ['/blog/private'] };
    expect(site.paths(await site.read('', filters))).toEqual(['/blog/1']);
    expect(site.asked()).toEqual(['/', '/blog/1']);
  });

  test('of the number of pages, which stays with the same pages', async () => {
    const all = Array.from({ length: 9 }, (_, nth) => `/${nth}`);
    site.page('/', links(...all));
    for (const path of all) site.page(path);
    const first = await site.read('', { max_pages: 4 });
    expect(site.paths(first)).toEqual(['/', '/0', '/1', '/2']);
    site.page('/', links('/new', ...all));
    site.page('/new');
    expect(site.paths(await site.read(first.cursor, { max_pages: 4 }))).toEqual(['/', '/0', '/1', '/2']);
    expect(site.paths(await site.read(first.cursor, { max_pages: 100 }))).toHaveLength(11);
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
    site.page('/', links('/open', '/secret/1', '/ours', '/file.pdf'));
    for (const path of ['/open', '/secret/1', '/ours']) site.page(path);
    site.robots('User-agent: *', 'Disallow: /secret/', 'Disallow: /*.pdf$');
    expect(site.paths(await site.read())).toEqual(['/', '/open', '/ours']);
    site.robots('User-agent: *', 'Disallow: /', '', 'User-agent: contexture', 'Disallow: /ours');
    expect(site.paths(await site.read())).toEqual(['/', '/open', '/secret/1']);
    expect(site.server.lastHeaders['user-agent']).toBe('Contexture');
  });

  test('with more wildcards than can be compared with addresses refuses the site', async () => {
    site.page('/', '');
    site.robots('User-agent: *', `Disallow: /${'*a'.repeat(10_000)}`);
    const refused = { kind: 'refused', message: expect.stringContaining('more rules with *') };
    expect(await failure(site.read())).toMatchObject(refused);
  });

  test('that is longer than is read holds by its beginning', async () => {
    site.page('/', links('/open', '/secret/1'));
    for (const path of ['/open', '/secret/1']) site.page(path);
    site.robots('User-agent: *', 'Disallow: /secret/', `# ${'x'.repeat(1024 * 1024)}`);
    expect(site.paths(await site.read())).toEqual(['/', '/open']);
  });

  test('that forbids the site refuses it, and deletes nothing', async () => {
    site.page('/', links('/a'));
    const { cursor } = await site.read();
    site.robots('User-agent: *', 'Disallow: /');
    const refused = { kind: 'refused', message: expect.stringContaining('robots.txt') };
    expect(await failure(site.read(cursor))).toMatchObject(refused);
    expect(await failure(site.session.describe(`${site.server.origin}/`, noSignal))).toMatchObject(refused);
  });

  test.each([
    [403, undefined],
    [503, 'unavailable'],
  ])('that answers %i', async (status, kind) => {
    site.page('/');
    site.server.serve('/robots.txt', { status });
    expect(((await failure(site.read())) as { kind?: string } | undefined)?.kind).toBe(kind);
  });

  test('asks for pauses: a request, then none until its time has come, whoever asks', async () => {
    site.robots('User-agent: *', 'Crawl-delay: 10', `Sitemap: ${site.server.origin}/sitemap.xml`);
    site.page('/');
    site.page('/a');
    site.serveSitemap(['/'], ['/a']);
    const shown: string[] = [];
    let cursor = '';
    for (let more = true; more;) {
      site.server.takeLog();
      const next = await site.session.read(site.scope(), cursor, noSignal);
      expect(site.server.takeLog().filter((line) => !line.includes('robots'))).toHaveLength(1);
      shown.push(...site.paths(next));
      ({ cursor, more } = next);
      if (!more) break;
      const early = await failure(site.opened().read(site.scope(), cursor, noSignal));
      expect(early).toMatchObject({ kind: 'limited', retryAfterSeconds: 10 });
      expect(site.server.takeLog()).toEqual([]);
      site.clock.advance(10);
    }
    expect(shown).toEqual(['/', '/a']);
  });
});

test('a long address is an item under a short id', async () => {
  const path = `/${'x'.repeat(600)}`;
  site.page('/', links(path));
  site.page(path);
  const { entries } = await site.read();
  expect(entries.every(({ id }) => Buffer.byteLength(id) <= 512)).toBe(true);
  expect((await entries[1]?.load(noSignal))?.url).toBe(`${site.server.origin}${path}`);
});

describe('a start page', () => {
  test('that leads to another site is refused with its address', async () => {
    site.server.serve('/', { status: 301, headers: { location: 'https://www.example.com/' } });
    const refused = { kind: 'refused', message: expect.stringContaining('https://www.example.com/') };
    expect(await failure(site.session.describe(`${site.server.origin}/`, noSignal))).toMatchObject(refused);
    expect(await failure(site.read())).toMatchObject(refused);
  });

  test('that leads to another site for now, once it is read, is out of order', async () => {
    site.page('/');
    const { cursor } = await site.read();
    site.server.serve('/', { status: 302, headers: { location: 'https://login.example.com/' } });
    expect(await failure(site.read(cursor))).toMatchObject({ kind: 'unavailable' });
    expect(await failure(site.session.describe(`${site.server.origin}/`, noSignal))).toMatchObject({
      kind: 'refused',
    });
  });

  test('may be missing where a sitemap lists others', async () => {
    site.page('/a');
    site.serveSitemap(['/a']);
    expect(site.paths(await site.read())).toEqual(['/a']);
  });

  test('gives the site its name', async () => {
    site.server.serve('/docs', { status: 302, headers: { location: '/docs/home' } });
    site.page('/docs/home');
    const id = `${site.server.origin}/docs`;
    expect(await site.session.describe(id, noSignal)).toMatchObject({ id, name: 'Title of /docs/home' });
  });
});

describe('private addresses', () => {
  test('are not connected to', async () => {
    site.page('/');
    const strict = site.opened(site.network({ allowPrivate: false }));
    const refused = { kind: 'refused', message: expect.stringContaining('private or reserved address') };
    expect(await failure(strict.describe(`${site.server.origin}/`, noSignal))).toMatchObject(refused);
    expect(await failure(strict.read(site.scope(), '', noSignal))).toMatchObject(refused);
    expect(site.server.log).toEqual([]);
  });

  test('are not reached by redirects, sitemaps or robots.txt of a public site', async () => {
    const origin = site.server.origin.replace('127.0.0.1', 'localhost');
    const inside = site.server.origin;
    const outside = site.opened(site.network({ allowPrivate: false, trustedHosts: ['localhost'] }));
    site.page('/secret');
    site.robots(`Sitemap: ${inside}/secret`);
    site.server.serve('/', { body: pageOf('Start', `${links('/away', `${inside}/secret`)}`) });
    site.server.serve('/away', { status: 302, headers: { location: `${inside}/secret` } });
    const resource = { ...site.scope(), id: `${origin}/` };
    const shown = await readAll((at) => outside.read(resource, at, noSignal));
    expect(shown.entries.map(({ id }) => id)).toEqual([`${origin}/`]);
    site.server.serve('/robots.txt', { status: 302, headers: { location: `${inside}/secret` } });
    expect(await failure(outside.read(resource, '', noSignal))).toMatchObject({ kind: 'refused' });
    expect(site.server.log.filter((line) => line.includes('secret'))).toEqual([]);
  });
});
