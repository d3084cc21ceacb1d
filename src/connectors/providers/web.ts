import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ProviderError } from '../provider.js';
import type { Connection, DiscoveredResource, Page, Provider, ResourceScope, Session } from '../provider.js';
import { dayMs } from '../../lib/units.js';
import { PublicSession } from './public-session.js';
import { readState, writeState } from './web/crawl-state.js';
import type { CrawlState } from './web/crawl-state.js';
import { failureOfDocument } from './web/document-request.js';
import { readPage } from './web/read-page.js';
import { readRobots } from './web/robots.js';
import type { Robots } from './web/robots.js';
import { SiteScope, siteFilters } from './web/site-scope.js';
import { SiteWalk, checkMove, sitemapsMax } from './web/site-walk.js';

const redirectsMax = 5;
/** After a week, pages are read again even if their site says that they have not changed. */
const fullWalkMs = 7 * dayMs;

const credentials = z.strictObject({});

export const web: Provider<z.infer<typeof credentials>> = {
  id: 'web',
  name: 'Web site',
  category: 'web',
  authTypes: ['none'],
  resourceType: 'site',
  supportsAcl: false,
  interval: { default: 86_400, min: 3600, max: 604_800 },
  indexedObjectTypes: ['page'],
  searchableFields: ['title', 'body'],
  filterableFields: ['host', 'content_type', 'language'],
  credentials,
  filters: siteFilters,
  setupGuide: `Public pages of a site are read; the credentials are \`{}\`.

Add a site as a resource whose \`resource_id\` is the URL where it begins, for example \`https://docs.example.com/guide/\`. Pages of that
host below that path are read: those that its sitemaps list (\`Sitemap:\` in robots.txt, \`/sitemap.xml\`), or, without any, those
that its pages link. At most 1,000 pages, unless \`max_pages\` says otherwise; \`include_paths\` and \`exclude_paths\` choose among them.

robots.txt is obeyed (user agent \`Contexture\`), with its Crawl-delay, and so are \`noindex\`, \`nofollow\` and canonical links. A page
that answers 404 or 410, moved for good, or asks not to be indexed, is deleted here too; one that does not answer stays.`,
  open: (connection) => new WebSession(connection),
};

class WebSession extends PublicSession implements Session {
  private known: { readonly origin: string; readonly robots: Robots } | undefined;

  constructor(private readonly connection: Connection<z.infer<typeof credentials>>) {
    super();
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const scope = new SiteScope(resourceId, {});
    const { host } = scope.start;
    await this.robotsOf(scope, signal, true);
    let url = scope.start.href;
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const answer = await readPage(this.connection, { url }, signal);
      if (answer.kind === 'failed') throw failureOfDocument(host, answer);
      if (answer.kind === 'gone') throw failureOfDocument(host, { status: 404 });
      if (answer.kind !== 'moved') {
        const title = answer.kind === 'page' ? answer.page.title : undefined;
        return { id: resourceId, name: title ?? host, type: 'site', metadata: { url } };
      }
      checkMove(scope, answer.to);
      url = answer.to;
    }
    throw new ProviderError('unavailable', `${host} redirects without an end`);
  }

  /**
   * Reads some pages of a site. `oldest` does not count here: a site is whatever it shows, however old it is.
   */
  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const { clock } = this.connection;
    const scope = new SiteScope(resource.id, resource.filters);
    const last = await readState(cursor);
    const isUnderWay = last !== undefined && !last.isDone && last.filters === digest(resource);
    const waitMs = (last?.notBefore ?? 0) - clock.now().getTime();
    if (waitMs > 0)
      throw new ProviderError('limited', `${scope.start.host} asks for a pause between requests`, {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    const robots = await this.robotsOf(scope, signal, !isUnderWay);
    const state = isUnderWay ? last : this.begin(resource, { scope, robots, last });
    const entries = await new SiteWalk({ access: this.connection, clock, scope, robots, state }).run(signal);
    return { entries, cursor: await writeState(state), more: !state.isDone, coverage: 'all' };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Begins a new walk with the pages known so far, so that a page is deleted only when it says itself that it
   * is gone.
   */
  private begin(
    resource: ResourceScope,
    { scope, robots, last }: { scope: SiteScope; robots: Robots; last: CrawlState | undefined },
  ): CrawlState {
    const now = this.connection.clock.now().getTime();
    const isFull = now - (last?.fullAt ?? 0) >= fullWalkMs;
    const { startPath } = scope;
    const start = last?.pages.find(({ path }) => path === startPath) ?? { path: startPath };
    const others = (last?.pages ?? []).filter(
      ({ path, isGone }) =>
        path !== startPath && !isGone && scope.includes(path) && robots.allows(scope.urlOf(path)),
    );
    const pages = [start, ...others].slice(0, scope.pagesMax);
    const guessed = [
      ...new Set([`${scope.origin}/sitemap.xml`, `${scope.origin}${scope.folder}sitemap.xml`]),
    ];
    return {
      pages: pages.map((page) => ({ ...page, lastmod: undefined, isGone: false, copyOf: undefined })),
      at: 0,
      filters: digest(resource),
      sitemaps: (robots.sitemaps.length > 0 ? [...new Set(robots.sitemaps)] : guessed).slice(0, sitemapsMax),
      sitemapsRead: 0,
      isListed: false,
      fullAt: isFull ? now : (last?.fullAt ?? now),
      isFull,
      notBefore: 0,
      isDone: false,
    };
  }

  /**
   * The robots.txt rules of the site, read once per walk. @throws ProviderError `refused` when the start page
   * may not be read
   */
  private async robotsOf(scope: SiteScope, signal: AbortSignal, anew: boolean): Promise<Robots> {
    const { origin, start } = scope;
    if (anew || this.known?.origin !== origin)
      this.known = { origin, robots: await readRobots(this.connection.network, origin, signal) };
    const { robots } = this.known;
    if (!robots.allows(start.href))
      throw new ProviderError('refused', `robots.txt of ${origin} does not allow ${start.href} to be read`);
    return robots;
  }
}

function digest({ filters }: ResourceScope): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 11);
}
