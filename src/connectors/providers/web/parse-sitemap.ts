import { streamXml } from '../../../ingestion/parsers/xml/reader.js';
import { readIsoTime } from '../../../lib/iso-time.js';

/** The limit of the sitemap protocol. */
const pagesMax = 50_000;

/** A page that a sitemap lists. */
export interface SitemapPage {
  readonly url: string;
  /** Unix seconds. */
  readonly lastmod: number | undefined;
}

/** The pages and the further sitemaps that a sitemap lists. */
export interface Sitemap {
  readonly pages: readonly SitemapPage[];
  readonly sitemaps: readonly string[];
}

const nothing: Sitemap = { pages: [], sitemaps: [] };

/** Reads a sitemap or an index of sitemaps, in XML or as lines; empty when it is none. */
export function parseSitemap(source: Uint8Array): Sitemap {
  const bytes = Buffer.from(source);
  const start = bytes.subarray(0, 64).toString().trimStart();
  if (/^(?:\ufeff)?https?:/.test(start)) return ofLines(bytes.toString());
  return start.startsWith('<') || start.startsWith('\ufeff') ? ofXml(bytes) : nothing;
}

function ofLines(text: string): Sitemap {
  const urls = text.split(/[\s\ufeff]+/).filter((line) => URL.canParse(line));
  return { pages: urls.slice(0, pagesMax).map((url) => ({ url, lastmod: undefined })), sitemaps: [] };
}

/** `loc` and `lastmod` of pictures and videos are nested deeper, and are not read. */
function ofXml(bytes: Buffer): Sitemap {
  const pages: SitemapPage[] = [];
  const sitemaps: string[] = [];
  const path: string[] = [];
  let said: Record<string, string> = {};
  const place = () => path.slice(-2).join('/');
  try {
    streamXml(bytes, {
      open: (name) => {
        path.push(name);
        if (name === 'url' || name === 'sitemap') said = {};
      },
      text: (text) => {
        if (/^(?:url|sitemap)\/(?:loc|lastmod)$/.test(place()))
          said[path.at(-1) ?? ''] = (said[path.at(-1) ?? ''] ?? '') + text;
      },
      close: () => {
        const where = place();
        path.pop();
        const url = said['loc']?.trim();
        if (!url) return;
        if (where === 'urlset/url' && pages.length < pagesMax)
          pages.push({ url, lastmod: secondsOf(said['lastmod']) });
        if (where === 'sitemapindex/sitemap' && /^https?:/.test(url) && URL.canParse(url)) sitemaps.push(url);
      },
    });
  } catch {
    // What was read of a damaged sitemap counts.
  }
  return { pages, sitemaps };
}

function secondsOf(text: string | undefined): number | undefined {
  const time = readIsoTime(text?.trim() ?? '');
  return time && Math.floor(time.getTime() / 1000);
}
