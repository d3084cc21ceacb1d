import { afterEach, beforeEach } from '@jest/globals';
import type { Connection, Page, Session } from '../../../src/connectors/provider.js';
import { web } from '../../../src/connectors/providers/web.js';
import type { AddressGuardOptions } from '../../../src/lib/address-guard.js';
import { GuardedNetwork } from '../../../src/lib/guarded-network.js';
import type { JsonObject } from '../../../src/sources/source.types.js';
import { TestClock } from '../test-clock.js';
import { DocumentServer } from './document-server.js';
import { noSignal, readAll } from './reading.js';
import type { Shown } from './reading.js';
import { pageOf } from './web-fake.js';
import { documentReaders } from '../shared/document-readers.mjs';

/** A site on loopback and a session that reads it, both new for each test. */
export class WebSite {
  server!: DocumentServer;
  clock!: TestClock;
  session!: Session;
  private networks: GuardedNetwork[] = [];

  /** Registers what begins and ends each test of a file. */
  static forEachTest(): WebSite {
    const site = new WebSite();
    beforeEach(async () => {
      site.server = await DocumentServer.start();
      site.clock = new TestClock();
      site.session = site.opened();
    });
    afterEach(async () => {
      for (const network of site.networks.splice(0)) await network.close();
      await site.server.close();
    });
    return site;
  }

  get origin(): string {
    return this.server.origin;
  }

  network(options: AddressGuardOptions = { allowPrivate: true }): GuardedNetwork {
    const made = new GuardedNetwork(options);
    this.networks.push(made);
    return made;
  }

  /** Another session, as another process has. */
  opened(network: Pick<GuardedNetwork, 'fetch'> = this.network()): Session {
    return web.open({
      credentials: {},
      baseUrl: undefined,
      network: network as Connection<never>['network'],
      clock: this.clock,
      documents: documentReaders,
      filesystemRoots: [],
      saveCredentials: () => Promise.resolve(),
    });
  }

  scope(filters: JsonObject = {}, start = '/') {
    return { id: `${this.origin}${start}`, type: 'site', oldest: new Date('2025-12-01'), filters };
  }

  read(cursor = '', filters: JsonObject = {}, start = '/'): Promise<Shown> {
    return readAll((at) => this.session.read(this.scope(filters, start), at, noSignal), cursor);
  }

  /** Serves a page of HTML whose text names its path. */
  page(path: string, more = '', head = ''): void {
    this.server.serve(path, pageOf(`Title of ${path}`, `Text of ${path}. ${more}`, head));
  }

  robots(...lines: string[]): void {
    this.server.serve('/robots.txt', { body: lines.join('\n'), type: 'text/plain' });
  }

  /** As XML, with pictures, whose addresses are no pages. */
  sitemap(...urls: (readonly [path: string, lastmod?: string])[]): string {
    const picture = `<image:image xmlns:image="i"><image:loc>${this.origin}/pic</image:loc></image:image>`;
    const entries = urls.map(([path, lastmod]) => {
      const changed = lastmod ? `<lastmod>${lastmod}</lastmod>` : '';
      return `<url><loc>${this.origin}${path}</loc>${changed}${picture}</url>`;
    });
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
  }

  serveSitemap(...urls: (readonly [path: string, lastmod?: string])[]): void {
    this.server.serve('/sitemap.xml', { body: this.sitemap(...urls), type: 'application/xml' });
  }

  /** What was shown, sorted. */
  paths({ entries }: Pick<Page, 'entries'>): string[] {
    return entries.map(({ id }) => id.replace(this.origin, '')).sort();
  }

  /** The pages that were asked for since it was last asked. */
  asked(): string[] {
    return this.server
      .takeLog()
      .filter((line) => !/robots|sitemap/.test(line))
      .map((line) => line.replace('GET ', ''));
  }
}

export const links = (...to: string[]) => to.map((each) => `<a href="${each}">a link</a>`).join(' ');

/** What a promise fails with; undefined when it does not. */
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
