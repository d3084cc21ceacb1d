import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { PARSERS, parserFor } from '../../../ingestion/parsers/parsers.js';
import { isMissing } from '../../provider-http.js';
import { requestDocument } from './document-request.js';
import type { WebAccess } from './document-request.js';
import { readRobotsTag } from './robots.js';
import type { RobotsTag } from './robots.js';

const pageBytesMax = 50 * 1024 * 1024;
const filenameCharactersMax = 150;
const accepted = 'text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5';
/** Types that are no pages. */
const unwanted = /^image\//;
/** XML is mostly feeds and sitemaps; which is a page, its first element tells. */
const xml = /^(?:application|text)\/xml$/;
const startOfPage =
  /^\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!doctype\s[^>]*>\s*)*<(?:[\w-]+:)?html[\s>]/i;
const startBytes = 4096;

/** A page that was loaded. */
export interface LoadedPage {
  readonly url: string;
  readonly body: Buffer;
  readonly filename: string;
  readonly contentType: string;
  readonly title: string | undefined;
  readonly language: string | undefined;
  /** ISO-8601. */
  readonly modifiedAt: string | undefined;
  /** A digest of the title and the visible text, or of the bytes. */
  readonly version: string;
  /** For the next request: an ETag, or else a Last-Modified time. */
  readonly validator: string | undefined;
  readonly canonical: string | undefined;
  readonly links: readonly string[];
  readonly noindex: boolean;
}

/**
 * `failed`: it is unknown whether the page still exists. `other`: it is not a page that can be read. `void`: it answers, with nothing or
 * with XML that is no page, as it may for a while.
 */
export type PageAnswer =
  | { readonly kind: 'page'; readonly page: LoadedPage }
  | { readonly kind: 'unchanged' | 'gone' | 'other' | 'void' }
  | { readonly kind: 'moved'; readonly to: string; readonly isPermanent: boolean }
  | { readonly kind: 'failed'; readonly status: number; readonly retryAfter: string | null };

/** Requests a page, with a validator only if it has changed. @throws ProviderError when there is no answer */
export async function readPage(
  { network, documents }: WebAccess,
  { url, validator }: { readonly url: string; readonly validator?: string | undefined },
  signal: AbortSignal,
): Promise<PageAnswer> {
  const condition = validator && { [isEtag(validator) ? 'if-none-match' : 'if-modified-since']: validator };
  const wants = (headers: Headers) => filenameOf(url, headers.get('content-type')) !== undefined;
  const headers = { accept: accepted, ...(condition || {}) };
  const request = { url, headers, redirect: 'manual', bytesMax: pageBytesMax, wants } as const;
  const answer = await requestDocument(network, request, signal);
  const { status } = answer;
  const location = answer.headers.get('location');
  if (status === 304 && validator) return { kind: 'unchanged' };
  if (isMissing(status)) return { kind: 'gone' };
  if (status >= 301 && status <= 308 && status !== 304 && location && URL.canParse(location, url))
    return { kind: 'moved', to: new URL(location, url).href, isPermanent: status === 301 || status === 308 };
  if (status !== 200) return { kind: 'failed', status, retryAfter: answer.headers.get('retry-after') };
  const { body } = answer;
  if (!body) return { kind: 'other' };
  if (body.length === 0 || !isPage(answer.headers, body)) return { kind: 'void' };
  const robots = readRobotsTag([answer.headers.get('x-robots-tag') ?? '']);
  const sent = { headers: answer.headers, body, robots };
  const page = toPage(url, sent);
  if (parserFor(page.filename)?.name !== 'html') return { kind: 'page', page };
  return { kind: 'page', page: await withHtml(page, sent, { documents, signal }) };
}

function isPage(headers: Headers, body: Buffer): boolean {
  if (!xml.test(mediaType(headers.get('content-type')))) return true;
  return startOfPage.test(
    body
      .subarray(0, startBytes)
      .toString()
      .replace(/^\ufeff/, ''),
  );
}

/** A page as it was sent; `robots` are the directives in its headers. */
interface SentPage {
  readonly headers: Headers;
  readonly body: Buffer;
  readonly robots: RobotsTag;
}

function toPage(url: string, { headers, body, robots }: SentPage): LoadedPage {
  const type = mediaType(headers.get('content-type'));
  const filename = filenameOf(url, type) ?? '';
  const modified = headers.get('last-modified') ?? '';
  const etag = headers.get('etag') ?? '';
  const fits = /^[\x20-\x7e]{3,150}$/;
  return {
    url,
    body,
    filename,
    contentType: type,
    title: undefined,
    language: undefined,
    modifiedAt: Number.isNaN(Date.parse(modified)) ? undefined : new Date(modified).toISOString(),
    version: digest(body),
    validator: fits.test(etag) && isEtag(etag) ? etag : fits.test(modified) ? modified : undefined,
    canonical: undefined,
    links: [],
    noindex: robots.noindex,
  };
}

/** A page with what its HTML says; unchanged when that cannot be read. */
async function withHtml(
  page: LoadedPage,
  { headers, robots }: SentPage,
  { documents, signal }: Pick<WebAccess, 'documents'> & { signal: AbortSignal },
): Promise<LoadedPage> {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  const document = { url: page.url, charset, bytes: page.body };
  const read = await documents.read('readHtml', document, signal);
  if (!read) return page;
  const { nofollow, noindex, utf8, ...said } = read;
  return {
    ...page,
    ...said,
    body: utf8 ? Buffer.from(utf8) : page.body,
    links: robots.nofollow || nofollow ? [] : said.links,
    noindex: page.noindex || noindex,
  };
}

/** A file name with the extension by which it is parsed; undefined when nothing parses it. */
function filenameOf(url: string, contentType: string | null): string | undefined {
  const type = mediaType(contentType).replace(
    /^(?:application\/xhtml\+xml|application\/xml|text\/xml)$/,
    'text/html',
  );
  const name = basename(decoded(new URL(url).pathname)).slice(-filenameCharactersMax) || 'index';
  const byName = parserFor(name);
  if (unwanted.test(type)) return undefined;
  const isAnything = type === '' || type === 'application/octet-stream';
  const byType = PARSERS.find((parser) => parser.contentTypes.includes(type));
  if (isAnything || type === 'text/plain') {
    const isText = byName !== undefined && byName.name !== 'image' && byName.name !== 'xml';
    if (isText) return name;
    return byType && `${name}.txt`;
  }
  if (!byType) return undefined;
  return byName === byType ? name : `${name}.${byType.extensions[0]}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
      .toWellFormed()
      .replace(/[\p{Cc}\\]/gu, '_');
  } catch {
    return path;
  }
}

function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isEtag(validator: string): boolean {
  return /^(?:W\/)?"/.test(validator);
}

function digest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 11);
}
