import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ProviderError } from '../../provider.js';
import { failureOfDocument, requestDocument } from './document-request.js';
import type { WebAccess } from './document-request.js';
import type { Sitemap } from './parse-sitemap.js';

/** The limit of the sitemap protocol. */
const sitemapBytesMax = 50 * 1024 * 1024;
const unzip = promisify(gunzip);

const nothing: Sitemap = { pages: [], sitemaps: [] };

/**
 * Reads a sitemap, or an index of sitemaps. Empty when it is missing, none, or cannot be read: a site without a sitemap is read by its
 * links, so only a request to wait is thrown. @throws ProviderError limited
 */
export async function readSitemap(
  { network, documents }: WebAccess,
  url: string,
  signal: AbortSignal,
): Promise<Sitemap> {
  try {
    const request = { url, redirect: 'follow', bytesMax: sitemapBytesMax } as const;
    const { status, body, headers } = await requestDocument(network, request, signal);
    if (status === 429)
      throw failureOfDocument(new URL(url).host, { status, retryAfter: headers.get('retry-after') });
    if (!body) return nothing;
    const isZipped = body[0] === 0x1f && body[1] === 0x8b;
    const bytes = isZipped ? await unzip(body, { maxOutputLength: sitemapBytesMax }) : body;
    return await documents.read('parseSitemap', bytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError && error.kind === 'limited') throw error;
    return nothing;
  }
}
