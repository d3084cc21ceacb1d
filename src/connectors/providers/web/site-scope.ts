import { z } from 'zod';
import type { JsonObject } from '../../../sources/source.types.js';
import { readDocumentUrl } from './document-request.js';

const pagesMaxDefault = 1000;
const pagesMaxMax = 10_000;
const urlCharactersMax = 2000;

const paths = z.array(z.string().trim().startsWith('/').max(1000)).min(1).max(100);

export const siteFilters = z.strictObject({
  max_pages: z
    .int()
    .min(1)
    .max(pagesMaxMax)
    .optional()
    .describe(`At most so many pages are read (default ${pagesMaxDefault}); further ones are left out`),
  include_paths: paths
    .optional()
    .describe(
      'Only pages whose path begins with one of these; of the others only the start page is read for its links',
    ),
  exclude_paths: paths.optional().describe('No pages whose path begins with one of these'),
});

/** Extensions of paths that are never pages. */
const asset =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|flac|avi|mov|mkv|zip|gz|bz2|xz|7z|rar|tar|tgz|jar|exe|msi|dmg|iso|apk|deb|rpm|bin|wasm|rss|atom)$/i;
/** Parameters that only tell where a visitor came from. */
const tracking = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id)$/i;

/**
 * Decides which addresses are pages of a site: those of its origin, at and below its start page, that the
 * filters allow.
 */
export class SiteScope {
  readonly start: URL;
  readonly origin: string;
  readonly pagesMax: number;
  /** The path that all pages begin with: `/docs/` for `/docs`, `/docs/` and `/docs/index.html`. */
  readonly folder: string;
  private readonly include: readonly string[] | undefined;
  private readonly exclude: readonly string[];

  /** @throws ProviderError `missing` when the id is no web URL */
  constructor(resourceId: string, filters: JsonObject) {
    const read = siteFilters.parse(filters);
    this.start = readDocumentUrl(resourceId, 'site');
    this.origin = this.start.origin;
    this.folder = this.start.pathname.replace(/(?<=\/)[^/.]*\.[^/]*$/, '').replace(/\/?$/, '/');
    this.pagesMax = read.max_pages ?? pagesMaxDefault;
    this.include = read.include_paths;
    this.exclude = read.exclude_paths ?? [];
  }

  /** The path of the start page, below the origin. */
  get startPath(): string {
    return pathOf(this.start);
  }

  /**
   * The page that an address stands for, as a path with its query below the origin; undefined when it is not
   * a page of this site.
   */
  pathOf(address: string, base: string): string | undefined {
    const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
    if (!url || url.origin !== this.origin || url.href.length > urlCharactersMax) return undefined;
    for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name);
    const path = pathOf(url);
    if (path === this.startPath) return path;
    const isInside = `${url.pathname}/` === this.folder || url.pathname.startsWith(this.folder);
    return isInside && this.includes(path) && !asset.test(url.pathname) ? path : undefined;
  }

  /** Whether the filters admit a page. The start page itself need not be admitted. */
  includes(path: string): boolean {
    const begins = (prefix: string) => path.startsWith(prefix);
    return (this.include?.some(begins) ?? true) && !this.exclude.some(begins);
  }

  urlOf(path: string): string {
    return `${this.origin}${path}`;
  }
}

function pathOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}
