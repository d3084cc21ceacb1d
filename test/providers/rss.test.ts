import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Item, Session } from '../../src/connectors/provider.js';
import { rss } from '../../src/connectors/providers/rss.js';
import { systemClock } from '../../src/lib/clock.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { DocumentServer } from '../support/connectors/document-server.js';
import { failureOf, noSignal, readAll, shareHeld } from '../support/connectors/reading.js';
import { feedEntryId } from '../support/connectors/rss-fake.js';
import { documentReaders } from '../support/shared/document-readers.mjs';

const longAgo = new Date('2000-01-01T00:00:00Z');
let server: DocumentServer;
let network: GuardedNetwork;
let session: Session;

beforeEach(async () => {
  server = await DocumentServer.start();
  network = new GuardedNetwork({ allowPrivate: true });
  session = opened(network);
});
afterEach(async () => {
  await session.close();
  await network.close();
  await server.close();
});

function opened(from: GuardedNetwork): Session {
  const rest = { baseUrl: undefined, clock: systemClock, documents: documentReaders, filesystemRoots: [] };
  return rss.open({ ...rest, credentials: {}, network: from, saveCredentials: () => Promise.resolve() });
}

const url = () => `${server.origin}/feed`;
const serve = (body: string | Buffer, type = 'application/xml', headers = {}) =>
  server.serve('/feed', { body, type, headers });
const scope = (filters: JsonObject = {}, oldest = longAgo) => ({ id: url(), type: 'feed', oldest, filters });
const read = (cursor = '', filters: JsonObject = {}, oldest = longAgo) =>
  readAll((at) => session.read(scope(filters, oldest), at, noSignal), cursor);

async function items(): Promise<(Item | undefined)[]> {
  const { entries } = await read();
  return Promise.all(entries.map((entry) => entry.load(noSignal)));
}

const rss2 = (inside: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News &amp; more</title>${inside}</channel></rss>`;
const item = (guid: string, more = '') =>
  `<item><guid isPermaLink="false">${guid}</guid><title>Title of ${guid}</title>${more}</item>`;

describe('an entry of', () => {
  test('RSS 2.0 becomes an item', async () => {
    serve(
      rss2(`<item><title>Fish &amp; chips &lt;b&gt;now&lt;/b&gt;</title><link>/posts/1?a=1&amp;b=2</link>
        <guid isPermaLink="false">tag:1</guid><pubDate>Mon, 06 Sep 2021 02:01:00 +0200</pubDate>
        <description>short</description><content:encoded><![CDATA[<p>The <b>whole</b> text</p>]]></content:encoded>
        <author>jo@example.com (Jo Doe)</author><category>Food</category><category domain="x">Sea</category>
        <enclosure url="http://example.com/a.mp3" length="12" type="audio/mpeg"/></item>`),
    );
    const { entries } = await read();
    expect(entries.map(({ id }) => id)).toEqual([feedEntryId(url(), 'tag:1')]);
    expect(await entries[0]?.load(noSignal)).toEqual({
      kind: 'knowledge_base',
      title: 'Fish & chips now',
      url: `${server.origin}/posts/1?a=1&b=2`,
      type: 'Food',
      timestamp: '2021-09-06T00:01:00.000Z',
      fields: {
        title: 'Fish & chips now',
        body: '<p>The <b>whole</b> text</p>',
        created_by: 'Jo Doe',
        created_at: '2021-09-06T00:01:00.000Z',
        url: `${server.origin}/posts/1?a=1&b=2`,
      },
      attachments: [
        { url: 'http://example.com/a.mp3', title: null, contentType: 'audio/mpeg', sizeBytes: 12 },
      ],
      native: { feed_title: 'News & more', categories: 'Food, Sea' },
    });
  });

  test('RSS 0.91 and 1.0 becomes an item', async () => {
    serve(`<rss version="0.91"><channel><title>Old</title><item><title>One</title><link>http://example.com/1</link>
      <description>Tom &amp;amp; Jerry</description></item></channel></rss>`);
    expect((await items())[0]).toMatchObject({
      url: 'http://example.com/1',
      fields: { title: 'One', body: '<div>Tom &amp; Jerry</div>' },
    });
    serve(`<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://x"><title>R</title></channel>
      <item rdf:about="http://example.com/2"><title>Two</title><link>http://example.com/2</link><description>plain</description>
      <dc:date>2020-01-01</dc:date><dc:creator>Cy</dc:creator><dc:subject>s</dc:subject></item></rdf:RDF>`);
    expect((await items())[0]).toMatchObject({
      url: 'http://example.com/2',
      type: 's',
      timestamp: '2020-01-01T00:00:00.000Z',
      fields: { title: 'Two', body: 'plain', created_by: 'Cy' },
    });
  });

  test('Atom becomes an item, whose authors may be those of the feed', async () => {
    serve(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>i</id><updated>2020-01-01T00:00:00Z</updated>
      <author><name>Ann</name></author>
      <entry><title type="html">Say &lt;i&gt;it&lt;/i&gt; &amp;amp; go</title><id>urn:1</id><link rel="alternate" href="/e/1"/>
      <link rel="enclosure" href="/a.pdf" type="application/pdf" title="The paper"/>
      <published>2020-01-01T10:00:00+01:00</published><updated>2020-01-03T00:00:00Z</updated><category term="t" label="Label"/>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &amp; b</p></div></content></entry></feed>`);
    expect((await items())[0]).toMatchObject({
      title: 'Say it & go',
      type: 'Label',
      timestamp: '2020-01-01T09:00:00.000Z',
      fields: {
        body: '<p>a &amp; b</p>',
        created_by: 'Ann',
        updated_at: '2020-01-03T00:00:00.000Z',
        url: `${server.origin}/e/1`,
      },
      attachments: [{ url: `${server.origin}/a.pdf`, title: 'The paper' }],
    });
  });

  test('relative addresses start from what the feed or the entry names, in RSS from its site', async () => {
    const atom = 'xmlns="http://www.w3.org/2005/Atom" xml:base="https://acme.test/blog/"';
    serve(`<feed ${atom}><title>A</title><entry><id>1</id><title>a</title><link href="first"/></entry>
      <entry xml:base="2026/"><id>2</id><title>b</title><link href="second"/></entry></feed>`);
    const urls = async () => (await items()).map((each) => each?.url);
    expect(await urls()).toEqual(['https://acme.test/blog/first', 'https://acme.test/blog/2026/second']);
    serve(rss2('<link>https://acme.test/news/</link><item><title>a</title><link>third</link></item>'));
    expect(await urls()).toEqual(['https://acme.test/news/third']);
    serve(rss2('<link>/news/</link><item><title>a</title><link>fourth</link></item>'));
    expect(await urls()).toEqual([`${server.origin}/news/fourth`]);
  });

  test('JSON Feed becomes an item, without characters that cannot be stored', async () => {
    const entry = { id: '1', title: 'x\u0000y \ud800z', content_text: 'text \u0000here', tags: ['a'] };
    const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'J', authors: [{ name: 'Q' }] };
    serve(JSON.stringify({ ...feed, items: [entry] }), 'application/feed+json');
    const [read] = await items();
    expect(read).toMatchObject({ fields: { title: 'xy \ufffdz', body: 'text here', created_by: 'Q' } });
  });

  test('any feed may have no title, or no text', async () => {
    serve(rss2('<item><guid>only-a-guid</guid></item><item><description>untitled</description></item>'));
    const [nothing, untitled] = await items();
    expect(nothing).toBeUndefined();
    expect(untitled).toMatchObject({ fields: { body: 'untitled' } });
    expect(untitled).not.toHaveProperty('title');
  });
});

test.each([
  ['Mon, 06 Sep 2021 00:01:00', '2021-09-06T00:01:00.000Z'],
  ['06 Sep 2021 00:01:00 EST', '2021-09-06T05:01:00.000Z'],
  ['Mon, 06 Sep 2021 00:01:00 +02:00', '2021-09-05T22:01:00.000Z'],
  ['Mon, 06 Sep 2021 00:01:00 CEST', '2021-09-06T00:01:00.000Z'],
  ['2021-09-06T00:01:00', '2021-09-06T00:01:00.000Z'],
  ['yesterday', undefined],
])('a time written as %s is %s', async (written, timestamp) => {
  serve(rss2(item('1', `<pubDate>${written}</pubDate>`)));
  expect((await items())[0]?.timestamp).toBe(timestamp);
});

test('a time with endless spaces is none, at once', async () => {
  serve(rss2(item('1', `<pubDate>1 Sep 2021${' '.repeat(200_000)}x1</pubDate>`)));
  const startedMs = performance.now();
  expect((await items())[0]?.timestamp).toBeUndefined();
  // It took minutes when each space began another try.
  expect(performance.now() - startedMs).toBeLessThan(5000);
});

test.each([
  ['iso-8859-1', '', Buffer.from('Café', 'latin1')],
  ['windows-1251', '', Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0])],
  ['', 'windows-1251', Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0])],
])('its charset, declared in the document (%s) or by the server (%s)', async (declared, sent, word) => {
  const declaration = `<?xml version="1.0"${declared && ` encoding="${declared}"`}?>`;
  const start = `${declaration}<rss version="2.0"><channel><title>t</title><item><guid>1</guid><title>`;
  const body = Buffer.concat([Buffer.from(start), word, Buffer.from('</title></item></channel></rss>')]);
  serve(body, `text/xml${sent && `; charset=${sent}`}`);
  expect((await items())[0]?.title).toBe(word.length === 4 ? 'Café' : 'Москва');
});

test('a compressed feed is read', async () => {
  serve(gzipSync(rss2(item('1'))), 'application/xml', { 'content-encoding': 'gzip' });
  expect((await read()).entries).toHaveLength(1);
});

test('two feeds, and entries of one feed, may share an id', async () => {
  serve(rss2(item('same')));
  server.serve('/other', { body: rss2(item('same')), type: 'application/xml' });
  const [one] = (await read()).entries;
  const other = { ...scope(), id: `${server.origin}/other` };
  const [two] = (await session.read(other, '', noSignal)).entries;
  expect(one?.id).not.toBe(two?.id);
  serve(rss2(['a', 'b'].map((name) => `<item><guid>g</guid><title>${name}</title></item>`).join('')));
  expect(new Set((await read()).entries.map(({ id }) => id)).size).toBe(2);
});

test('an unchanged feed costs one request and shows nothing, with an ETag, a Last-Modified or neither', async () => {
  serve(rss2(item('1')));
  const withEtag = await read();
  server.takeLog();
  expect((await read(withEtag.cursor)).entries).toEqual([]);
  expect(server.takeLog()).toEqual(['GET /feed 304']);

  const modified = { 'last-modified': 'Mon, 06 Sep 2021 00:01:00 GMT' };
  server.serve('/feed', { body: rss2(item('1')), isDynamic: true, headers: modified });
  const withTime = await read();
  server.takeLog();
  expect((await read(withTime.cursor)).entries).toEqual([]);
  expect(server.lastHeaders['if-modified-since']).toBe(modified['last-modified']);
  // What stands around the entries changes in many feeds at each request.
  server.serve('/feed', { body: rss2(`<lastBuildDate>now</lastBuildDate>${item('1')}`), isDynamic: true });
  expect((await read(withTime.cursor)).entries).toEqual([]);
  expect(server.takeLog()).toHaveLength(2);
});

test('a changed feed shows its entries with the versions they had', async () => {
  serve(rss2(item('1') + item('2')));
  const before = await read();
  serve(rss2(item('3') + item('1', '<description>edited</description>') + item('2')));
  const after = await read(before.cursor);
  const versions = (from: typeof before) => new Map(from.entries.map(({ id, version }) => [id, version]));
  const id = (guid: string) => feedEntryId(url(), guid);
  expect([...versions(after).keys()]).toEqual([id('3'), id('1'), id('2')]);
  expect(versions(after).get(id('1'))).not.toBe(versions(before).get(id('1')));
  expect(versions(after).get(id('2'))).toBe(versions(before).get(id('2')));
});

test('entries that arrive while a feed is paged are shown, whoever goes on', async () => {
  const many = Array.from({ length: 250 }, (_, nth) => item(`old-${nth}`)).join('');
  serve(rss2(many));
  const first = await session.read(scope(), '', noSignal);
  serve(rss2(item('new') + many));
  const other = opened(network);
  const rest = await readAll((cursor) => other.read(scope(), cursor, noSignal), first.cursor);
  const shown = new Set([...first.entries, ...rest.entries].map(({ id }) => id));
  expect(shown.size).toBe(251);
  // This one pages what it has; the next sync shows the rest.
  const own = await read(first.cursor);
  expect(own.entries).toHaveLength(150);
  expect((await read(own.cursor)).entries.map(({ id }) => id)).toContain(feedEntryId(url(), 'new'));
});

test('leaves out what is too old, not what has no date', async () => {
  const dated = (guid: string, date: string) => item(guid, `<pubDate>${date}</pubDate>`);
  serve(
    rss2(
      dated('old', 'Mon, 06 Sep 2021 00:01:00 GMT') +
        dated('new', 'Tue, 06 Sep 2022 00:01:00 GMT') +
        item('any'),
    ),
  );
  const { entries } = await read('', {}, new Date('2022-01-01'));
  expect(entries.map(({ id }) => id.slice(13))).toEqual(['new', 'any']);
});

test('filters choose by title and category; other filters show the same feed again', async () => {
  serve(rss2(item('Cats') + item('dogs', '<category>CATS too</category>') + item('birds')));
  const all = await read();
  const some = await read(all.cursor, { include: ['cats', 'Bird'], exclude: ['DOGS'] });
  expect(some.entries.map(({ id }) => id.slice(13))).toEqual(['Cats', 'birds']);
});

test('relative links of a feed that has moved start from where it is now, and its entries stay the same', async () => {
  const feed = rss2(item('1', '<link>../posts/1</link>'));
  serve(feed);
  const before = await read();
  server.serve('/blog/now/feed', { body: feed, type: 'application/xml' });
  server.serve('/feed', { status: 301, headers: { location: '/blog/now/feed' } });
  const { entries } = await read();
  expect(entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id));
  expect(await entries[0]?.load(noSignal)).toMatchObject({ url: `${server.origin}/blog/posts/1` });
});

describe('an address that', () => {
  const page = '<!doctype html><link rel="alternate" type="application/rss+xml" href="/the?a=1&amp;b=2">';

  test('is a page names its feed, unless it was a feed before', async () => {
    serve(page, 'text/html');
    expect(await failureOf(session.describe(url(), noSignal))).toMatchObject({
      kind: 'missing',
      message: expect.stringContaining(`the feed of this page is ${server.origin}/the?a=1&b=2`),
    });
    serve(rss2(item('1')));
    const { cursor } = await read();
    serve('<html>We will be back soon</html>', 'text/html');
    expect(await failureOf(read(cursor))).toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    ['is cut off as XML', rss2(item('1')).slice(0, -30), {}],
    ['is cut off as JSON', '{"version":"https://jsonfeed.org/version/1","items":[{"id":', {}],
    ['breaks in the body', rss2(item('1')), { breaks: 'in the body' as const }],
    ['breaks at once', '', { breaks: 'at once' as const }],
  ])('%s is out of order', async (_name, body, more) => {
    server.serve('/feed', { body, type: 'application/xml', ...more });
    expect(await failureOf(read())).toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'no url', 'http://user:secret@example.com/'])(
    'is no URL of the web is missing: %s',
    async (id) => {
      const error = await failureOf(session.describe(id, noSignal));
      expect(error).toMatchObject({ kind: 'missing', message: expect.not.stringContaining('secret') });
    },
  );

  test('leads into a private network, by a redirect too, is refused without a request', async () => {
    const guarded = new GuardedNetwork({ allowPrivate: false });
    const strict = opened(guarded);
    expect(await failureOf(strict.read(scope(), '', noSignal))).toMatchObject({ kind: 'refused' });
    expect(server.log).toEqual([]);
    await guarded.close();
    // The first host is trusted; where it leads is not.
    const trusting = new GuardedNetwork({ allowPrivate: false, trustedHosts: ['localhost'] });
    server.serve('/away', { status: 302, headers: { location: url() } });
    const id = `${server.origin.replace('127.0.0.1', 'localhost')}/away`;
    const error = await failureOf(opened(trusting).read({ ...scope(), id }, '', noSignal));
    expect(error).toMatchObject({ kind: 'refused' });
    expect(server.log).toEqual(['GET /away']);
    await trusting.close();
  });
});

test('has moved: the feed is read where it is now, under its own name', async () => {
  serve(rss2(item('1')));
  server.serve('/moved', { status: 301, headers: { location: '/feed' } });
  const page = await session.read({ ...scope(), id: `${server.origin}/moved` }, '', noSignal);
  expect(page.entries.map(({ id }) => id)).toEqual([feedEntryId(`${server.origin}/moved`, '1')]);
});

test('entities that grow are not expanded, and outer ones not read', async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]>`;
  serve(`${bomb}<rss version="2.0"><channel><item><guid>1</guid><title>&c;</title></item></channel></rss>`);
  const error = await failureOf(
    items().then((all) => expect(JSON.stringify(all).length).toBeLessThan(10_000)),
  );
  expect(error === undefined || (error as Error).name === 'ProviderError').toBe(true);
  serve(
    `<!DOCTYPE x [<!ENTITY a SYSTEM "${url()}">]><rss version="2.0"><channel><title>&a;</title></channel></rss>`,
  );
  server.takeLog();
  await failureOf(read());
  expect(server.takeLog()).toHaveLength(1);
});

test('a feed of very many entries takes time in proportion to their number', async () => {
  const entries = Array.from({ length: 250_000 }, (_, n) => ({ id: `${n % 249_999}`, content_text: 'x' }));
  const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'Log', items: entries };
  serve(JSON.stringify(feed), 'application/feed+json');
  const { metadata } = await session.describe(url(), noSignal);
  // The two that share an id say the same, and are one.
  expect(metadata).toEqual({ entries: 249_999 });
});

test('a feed that takes long leaves time for others', async () => {
  await read().catch(() => undefined);
  serve(rss2(`<item ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`));
  expect(await shareHeld(read)).toBeLessThan(0.5);
});

test('a feed that takes too much memory is refused, and the next one read', async () => {
  const deep = `${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}`;
  serve(`{"version":"https://jsonfeed.org/version/1.1","title":"t","items":${deep}}`);
  const error = await failureOf(read());
  expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('memory') });
  serve(rss2(item('1')));
  expect(await items()).toHaveLength(1);
});
