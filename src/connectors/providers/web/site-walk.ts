import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.js';
import { ProviderError } from '../../provider.js';
import type { Entry } from '../../provider.js';
import type { CrawlState, KnownPage } from './crawl-state.js';
import { failureOfDocument } from './document-request.js';
import type { WebAccess } from './document-request.js';
import { toEntry } from './page-entry.js';
import { readPage } from './read-page.js';
import type { LoadedPage, PageAnswer } from './read-page.js';
import type { Robots } from './robots.js';
import type { SiteScope } from './site-scope.js';
import { readSitemap } from './sitemap.js';

/**
 * How many requests a page of results may take; more for a large site, because writing its cursor takes a
 * while.
 */
const requestsPerPage = 40;
const stepsOfLargeSite = 50;
const entriesPerPage = 200;
/** A limit for documents in memory, which wait to be taken by the sync engine. */
const heldBytesMax = 16 * 1024 * 1024;
const stepMsMax = 20_000;
/** In one walk; an index may lead to itself. */
export const sitemapsMax = 500;
/** Pages of a sitemap that are looked at before others have a turn: a sitemap may list a million. */
const pagesAtOnce = 10;
/**
 * After so many pages in a row without an answer, the start page is requested to see whether the site is up.
 */
const failuresMax = 5;

interface SiteWalkOptions {
  readonly access: WebAccess;
  readonly clock: Clock;
  readonly scope: SiteScope;
  readonly robots: Robots;
  readonly state: CrawlState;
}

/** Continues the walk over a site from its state, and updates the state. */
export class SiteWalk {
  private places: Map<string, number>;
  private readonly entries: Entry[] = [];
  private requests = 0;
  private heldBytes = 0;
  private failures = 0;
  private isHalted = false;
  /** What is answered for a page that there is not, once it was asked for. */
  private nothing: { readonly version: string | undefined } | undefined;

  constructor(private readonly options: SiteWalkOptions) {
    this.places = placesOf(options.state.pages);
  }

  /**
   * Walks on until the page of results is full, the site asks for a pause, or everything was visited. @throws
   * ProviderError
   */
  async run(signal: AbortSignal): Promise<readonly Entry[]> {
    const { state, clock, robots } = this.options;
    const startedAt = clock.now().getTime();
    const requestsMax =
      robots.delaySeconds > 0
        ? 1
        : Math.max(requestsPerPage, Math.ceil(state.pages.length / stepsOfLargeSite));
    while (!this.isHalted && !this.isAtEnd()) {
      const isFull = this.requests >= requestsMax || this.entries.length >= entriesPerPage;
      if (isFull || this.heldBytes >= heldBytesMax || clock.now().getTime() - startedAt > stepMsMax) break;
      if (this.hasSitemaps()) await this.readSitemap(signal);
      else await this.readNext(signal);
    }
    state.isDone = this.isAtEnd();
    if (robots.delaySeconds > 0 && this.requests > 0) this.pause(robots.delaySeconds);
    return this.entries;
  }

  private isAtEnd(): boolean {
    const { at, pages } = this.options.state;
    return !this.hasSitemaps() && at >= pages.length;
  }

  private hasSitemaps(): boolean {
    const { state, scope } = this.options;
    const isEnough = state.sitemapsRead > 0 && state.pages.length >= scope.pagesMax;
    return !isEnough && state.sitemapsRead < state.sitemaps.length;
  }

  private pause(seconds: number): void {
    const { state, clock } = this.options;
    state.notBefore = Math.max(state.notBefore, clock.now().getTime() + seconds * 1000);
  }

  private async readSitemap(signal: AbortSignal): Promise<void> {
    const { access, scope, state } = this.options;
    const url = state.sitemaps[state.sitemapsRead] ?? '';
    this.requests += 1;
    const { pages, sitemaps } = await readSitemap(access, url, signal);
    for (const [index, page] of pages.entries()) {
      if (index % pagesAtOnce === 0) await setImmediate();
      signal.throwIfAborted();
      const path = scope.pathOf(page.url, url);
      const known = path === undefined ? undefined : this.add(path);
      if (known) known.lastmod = page.lastmod;
      state.isListed ||= known !== undefined;
    }
    state.sitemapsRead += 1;
    const known = new Set([...state.sitemaps, ...sitemaps]);
    state.sitemaps = [...known].slice(0, sitemapsMax);
  }

  /** The known or new page for a path; undefined when there are enough pages, or robots.txt forbids it. */
  private add(path: string): KnownPage | undefined {
    const { state, scope, robots } = this.options;
    const place = this.places.get(path);
    if (place !== undefined) return state.pages[place];
    if (state.pages.length >= scope.pagesMax || !robots.allows(scope.urlOf(path))) return undefined;
    const page: KnownPage = { path };
    this.places.set(path, state.pages.length);
    state.pages.push(page);
    return page;
  }

  private async readNext(signal: AbortSignal): Promise<void> {
    const { state, scope } = this.options;
    const page = state.pages[state.at];
    if (!page) return;
    if (this.isAsListed(page)) this.show(page);
    else {
      this.requests += 1;
      const { isFull, isListed } = state;
      // The links of a page that is not sent cannot be followed, so from time to time all pages are read.
      const validator = page.version && (isListed || !isFull) ? page.validator : undefined;
      const answer = await this.ask({ url: scope.urlOf(page.path), validator }, signal);
      if (this.mustWait(answer)) return;
      await this.take(page, answer, signal);
    }
    state.at += 1;
    if (page.version === undefined && page.copyOf === undefined) this.lookAgainAtCopiesOf(page);
  }

  /** Whether its sitemap says that it has not changed since it was read. */
  private isAsListed({ version, lastmod, readLastmod }: KnownPage): boolean {
    return (
      version !== undefined && !this.options.state.isFull && lastmod !== undefined && lastmod === readLastmod
    );
  }

  private async ask(
    page: { url: string; validator: string | undefined },
    signal: AbortSignal,
  ): Promise<PageAnswer> {
    try {
      return await readPage(this.options.access, page, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The start page tells whether there is a site at all.
      if (!(error instanceof ProviderError) || this.options.state.at === 0) throw error;
      return { kind: 'failed', status: 0, retryAfter: null };
    }
  }

  /**
   * Whether the site asks for fewer requests. Then the results so far are kept, and the page is requested
   * again later. @throws ProviderError `limited` when there are no results
   */
  private mustWait(answer: PageAnswer): boolean {
    if (answer.kind !== 'failed' || answer.status !== 429) return false;
    const failure = failureOfDocument(this.options.scope.start.host, answer);
    if (this.requests <= 1) throw failure;
    this.pause(failure.retryAfterSeconds ?? 0);
    this.isHalted = true;
    return true;
  }

  private async take(page: KnownPage, answer: PageAnswer, signal: AbortSignal): Promise<void> {
    const { state } = this.options;
    if (state.at === 0) this.checkStart(answer);
    if (answer.kind !== 'failed') this.failures = 0;
    switch (answer.kind) {
      case 'unchanged':
        page.readLastmod = page.lastmod;
        this.show(page);
        break;
      case 'page':
        await this.takePage(page, answer.page, signal);
        break;
      case 'moved':
        this.takeMove(page, answer);
        break;
      case 'failed':
        this.show(page);
        await this.checkSite(signal);
        break;
      case 'gone':
        page.isGone = true;
        page.version = undefined;
        break;
      case 'void':
        this.show(page);
        break;
      case 'other':
        page.version = undefined;
    }
  }

  private async takePage(page: KnownPage, loaded: LoadedPage, signal: AbortSignal): Promise<void> {
    const { state, scope } = this.options;
    const { links, canonical, noindex, version, validator, body } = loaded;
    const isItem = !noindex && scope.includes(page.path) && !this.isCopy(page, canonical);
    const isOdd = isItem ? this.isRepeated(page, version) : page.version !== undefined;
    if (isOdd && version === (await this.askForNothing(signal))) return this.show(page);
    if (!state.isListed)
      for (const link of links) {
        const path = scope.pathOf(link, loaded.url);
        if (path !== undefined) this.add(path);
      }
    Object.assign(page, { version: isItem ? version : undefined, validator, readLastmod: page.lastmod });
    if (!isItem) return;
    this.heldBytes += body.length;
    this.show(page, loaded);
  }

  /** Whether a page says from now on what another one says. */
  private isRepeated({ version: before }: KnownPage, version: string): boolean {
    return version !== before && this.options.state.pages.some((each) => each.version === version);
  }

  /**
   * What the site answers for a page that there is not; undefined when it says so. Whatever else is answered like that
   * is no page either: an error, or a form to sign in, for now.
   */
  private async askForNothing(signal: AbortSignal): Promise<string | undefined> {
    const { access, scope, robots } = this.options;
    const url = `${scope.origin}${scope.folder}${randomUUID()}`;
    if (this.nothing || robots.delaySeconds > 0 || !robots.allows(url)) return this.nothing?.version;
    this.requests += 1;
    const answer = await readPage(access, { url }, signal).catch(() => undefined);
    signal.throwIfAborted();
    this.nothing = { version: answer?.kind === 'page' ? answer.page.version : undefined };
    return this.nothing.version;
  }

  /**
   * Whether this page names another page of the site as its original, and that one, or its own original, is an
   * item, or still to be visited.
   */
  private isCopy(page: KnownPage, canonical: string | undefined): boolean {
    const { state, scope } = this.options;
    page.copyOf = undefined;
    const path = canonical === undefined ? undefined : scope.pathOf(canonical, scope.origin);
    let original = path === undefined ? undefined : this.add(path);
    while (original?.copyOf !== undefined && original !== page) original = this.known(original.copyOf);
    if (!original || original === page) return false;
    if (original.version === undefined && (this.places.get(original.path) ?? 0) <= state.at) return false;
    page.copyOf = path;
    return true;
  }

  private known(path: string): KnownPage | undefined {
    return this.options.state.pages[this.places.get(path) ?? -1];
  }

  /** What called itself a copy of a page that has turned out to be no item is visited once more, for its own sake. */
  private lookAgainAtCopiesOf({ path }: KnownPage): void {
    const { state } = this.options;
    const copies = state.pages.slice(0, state.at).filter(({ copyOf }) => copyOf === path);
    if (copies.length === 0) return;
    const others = state.pages.filter((each) => !copies.includes(each));
    state.pages.splice(0, state.pages.length, ...others, ...copies);
    state.at -= copies.length;
    this.places = placesOf(state.pages);
  }

  /**
   * A page that has moved for good is no item any more. One that has moved for now is kept, since it may come
   * back.
   */
  private takeMove(page: KnownPage, { to, isPermanent }: PageAnswer & { kind: 'moved' }): void {
    const { scope } = this.options;
    const path = scope.pathOf(to, scope.origin);
    if (path !== undefined) this.add(path);
    if (isPermanent) page.version = undefined;
    this.show(page);
  }

  /**
   * A start page that does not answer means that the site cannot be read, unless a sitemap lists other pages.
   * One that sends elsewhere only for now, as to a sign-in page, may be back tomorrow. @throws ProviderError
   */
  private checkStart(answer: PageAnswer): void {
    const { scope, state } = this.options;
    if (answer.kind === 'failed' && (answer.status >= 500 || !state.isListed))
      throw failureOfDocument(scope.start.host, answer);
    if (state.isListed) return;
    if (answer.kind === 'gone') throw failureOfDocument(scope.start.host, { status: 404 });
    if (answer.kind === 'moved') checkMove(scope, answer.to, answer.isPermanent ? 'refused' : 'unavailable');
  }

  /** Counts failures; after several in a row, checks whether the site is down. @throws ProviderError */
  private async checkSite(signal: AbortSignal): Promise<void> {
    this.failures += 1;
    if (this.failures < failuresMax) return;
    const { access, scope } = this.options;
    this.failures = 0;
    this.requests += 1;
    const start = await readPage(access, { url: scope.start.href }, signal);
    if (start.kind === 'failed' && start.status >= 500) throw failureOfDocument(scope.start.host, start);
  }

  /** Adds a page to the results. A page without a version is no item, or was never read. */
  private show(page: KnownPage, loaded?: LoadedPage): void {
    const { access, scope } = this.options;
    if (page.version === undefined) return;
    this.entries.push(toEntry({ access, url: scope.urlOf(page.path), page, loaded }));
  }
}

function placesOf(pages: readonly KnownPage[]): Map<string, number> {
  return new Map(pages.map(({ path }, index) => [path, index]));
}

/** @throws ProviderError when the start page redirects outside of the site: the user is to name that address, or to wait */
export function checkMove(scope: SiteScope, to: string, kind: 'refused' | 'unavailable' = 'refused'): void {
  if (scope.pathOf(to, scope.origin) !== undefined) return;
  throw new ProviderError(kind, `${scope.start.href} leads to ${to}, outside of the site: use that address`);
}
