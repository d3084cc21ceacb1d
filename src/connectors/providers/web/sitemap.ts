import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { GuardedNetwork } from '../../../lib/guarded-network.js';
import { readIsoTime } from '../../../lib/iso-time.js';
import { ProviderError } from '../../provider.js';
import { failureOfDocument, requestDocument } from './document-request.js';

/** The limit of the sitemap protocol. */
const sitemapBytesMax = 50 * 1024 * 1024;
const unzip = promisify(gunzip);

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

/**
 * Reads a sitemap, or an index of sitemaps; empty when it is missing or none. @throws ProviderError limited
 */
export async function readSitemap(
  network: GuardedNetwork,
  url: string,
  signal: AbortSignal,
): Promise<Sitemap> {
  const bytes = await loadSitemap(network, url, signal);
  if (!bytes) return nothing;
  const start = bytes.subarray(0, 64).toString().trimStart();
  if (/^(?:\ufeff)?https?:/.test(start))
    return {
      pages: bytes
        .toString()
        .split(/[\s\ufeff]+/)
        .filter((line) => URL.canParse(line))
        .map((line) => ({ url: line, lastmod: undefined })),
      sitemaps: [],
    };
  return start.startsWith('<') || start.startsWith('\ufeff') ? parse(bytes) : nothing;
}

/**
 * Loads a sitemap; undefined if that fails. A site without a sitemap is read by its links, so only a request
 * to wait is thrown.
 */
async function loadSitemap(
  network: GuardedNetwork,
  url: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const request = { url, redirect: 'follow', bytesMax: sitemapBytesMax } as const;
    const { status, body, headers } = await requestDocument(network, request, signal);
    if (status === 429)
      throw failureOfDocument(new URL(url).host, { status, retryAfter: headers.get('retry-after') });
    const isZipped = body?.[0] === 0x1f && body[1] === 0x8b;
    return isZipped ? await unzip(body, { maxOutputLength: sitemapBytesMax }) : body;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError && error.kind === 'limited') throw error;
    return undefined;
  }
}

/** Reads a sitemap. `loc` and `lastmod` of pictures and videos are nested deeper, and are not read. */
async function parse(bytes: Buffer): Promise<Sitemap> {
  const { streamXml } = await import('../../../ingestion/parsers/xml/reader.js');
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
        if (where === 'urlset/url') pages.push({ url, lastmod: secondsOf(said['lastmod']) });
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
