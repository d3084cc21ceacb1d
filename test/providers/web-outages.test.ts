import { describe, expect, test } from '@jest/globals';
import { noSignal, textOf } from '../support/connectors/reading.js';
import { pageOf } from '../support/connectors/web-fake.js';
import { WebSite, links } from '../support/connectors/web-site.js';

const site = WebSite.forEachTest();
const xhtml =
  '<?xml version="1.0"?>\n<!-- made --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n' +
  '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Strict</title></head><body><p>About a zebra</p></body></html>';

describe('a page of XHTML', () => {
  test.each(['application/xml', 'text/xml; charset=utf-8', 'application/xhtml+xml'])(
    'is one when it is sent as %s',
    async (type) => {
      site.server.serve('/', { body: xhtml, type });
      const { entries } = await site.read();
      const item = await entries[0]?.load(noSignal);
      expect(item).toMatchObject({ title: 'Strict' });
      expect(await textOf(item)).toContain('About a zebra');
    },
  );

  test('is told from other XML', async () => {
    const bodies = ['<rss><channel/></rss>', '<!-- <html> --><urlset/>', `${'<!-- -->'.repeat(300)}<feed/>`];
    bodies.forEach((body, index) => site.server.serve(`/${index}`, { body, type: 'application/xml' }));
    site.page('/', links(...bodies.map((_, index) => `/${index}`)));
    expect(site.paths(await site.read())).toEqual(['/']);
  });
});

describe('a page that is known stays as it was', () => {
  const paths = ['/', '/a', '/b', '/c'];
  const versions = ({ entries }: { entries: readonly { id: string; version?: string }[] }) =>
    entries.map(({ id, version }) => [id, version]);

  async function known() {
    for (const path of paths) site.page(path, path === '/' ? links('/a', '/b', '/c') : '');
    const first = await site.read();
    expect(site.paths(first)).toEqual(paths);
    return first;
  }

  test.each([
    ['nothing', { body: '', type: 'text/html' }],
    ['other XML', { body: '<Error><Code>InternalError</Code></Error>', type: 'application/xml' }],
  ])('while it answers 200 with %s', async (_, answer) => {
    const first = await known();
    site.server.serve('/b', { ...answer, isDynamic: true });
    const second = await site.read(first.cursor);
    expect(versions(second)).toEqual(versions(first));
    site.server.documents.delete('/b');
    expect(site.paths(await site.read(second.cursor))).toEqual(['/', '/a', '/c']);
  });

  test.each([
    ['a form to sign in', ''],
    ['one that asks not to be indexed', '<meta name="robots" content="noindex">'],
    ['one that names another address', '<link rel="canonical" href="/">'],
  ])('while all addresses answer 200 with %s', async (_, head) => {
    const first = await known();
    const wall = { body: pageOf('Sign in', 'Name and password, please', head), isDynamic: true };
    for (const path of ['/a', '/b', '/c']) site.server.serve(path, wall);
    site.server.otherwise = wall;
    const second = await site.read(first.cursor);
    expect(site.paths(second)).toEqual(paths);
    // Of the first page that looks so, nothing tells that it has not just been edited, unless it would be deleted.
    const isKept = (at: number) => expect(versions(second)[at]).toEqual(versions(first)[at]);
    for (const at of head === '' ? [2, 3] : [1, 2, 3]) isKept(at);
    site.server.otherwise = undefined;
    for (const path of ['/a', '/b', '/c']) site.page(path);
    expect(versions(await site.read(second.cursor))).toEqual(versions(first));
  });

  test('but not when it asks itself not to be indexed, or two pages become the same', async () => {
    const first = await known();
    site.page('/b', '', '<meta name="robots" content="noindex">');
    for (const path of ['/a', '/c']) site.server.serve(path, pageOf('Both', 'The same'));
    const second = await site.read(first.cursor);
    expect(site.paths(second)).toEqual(['/', '/a', '/c']);
    expect(
      new Set(
        versions(second)
          .slice(1)
          .map(([, version]) => version),
      ).size,
    ).toBe(1);
  });
});
