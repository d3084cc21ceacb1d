import type { GuardedNetwork } from '../../../lib/guarded-network.js';
import { ProviderError } from '../../provider.js';
import { failureOfDocument, requestDocument } from '../web/document-request.js';
import { digest, feedEntries } from './feed-entry.js';
import type { FeedEntry } from './feed-entry.js';

const feedBytesMax = 20 * 1024 * 1024;
const accepted =
  'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5';

/** Values that a server wants back when a document is requested again. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

/** A feed at the time when it was loaded. */
export interface Feed {
  readonly url: string;
  readonly title: string;
  readonly entries: readonly FeedEntry[];
  readonly validators: Validators;
  /** A digest of all entries. */
  readonly print: string;
}

interface FeedRequest {
  readonly network: GuardedNetwork;
  readonly url: string;
  readonly known: Validators;
  /** Whether it has been a feed before; then any other answer is a temporary failure. */
  readonly wasFeed: boolean;
}

/** Loads a feed; undefined when it has not changed since the validators were given. @throws ProviderError */
export async function readFeed(request: FeedRequest, signal: AbortSignal): Promise<Feed | undefined> {
  const { network, url, known } = request;
  const headers = {
    accept: accepted,
    ...(known.etag && { 'if-none-match': known.etag }),
    ...(known.modified && { 'if-modified-since': known.modified }),
  };
  const document = { url, headers, redirect: 'follow', bytesMax: feedBytesMax } as const;
  const answer = await requestDocument(network, document, signal);
  if (answer.status === 304) return undefined;
  if (answer.status !== 200)
    throw failureOfDocument(new URL(url).host, {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
    });
  if (!answer.body) throw new ProviderError('refused', 'the feed is larger than 20 MB');
  const text = await decode(answer.body, answer.headers.get('content-type'));
  const { title, entries } = await parse(text, request);
  return {
    url,
    title,
    entries,
    validators: {
      etag: answer.headers.get('etag') ?? undefined,
      modified: answer.headers.get('last-modified') ?? undefined,
    },
    print: digest(entries.map(({ id, version }) => [id, version])),
  };
}

/** Decodes a document; bytes that are no text give an empty text, which is no feed. */
async function decode(body: Buffer, contentType: string | null): Promise<string> {
  const { decodeText } = await import('../../../ingestion/parsers/charset.js');
  const { declaredEncoding } = await import('../../../ingestion/parsers/xml/reader.js');
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  try {
    return decodeText(body, named ?? declaredEncoding(body));
  } catch {
    return '';
  }
}

async function parse(text: string, request: FeedRequest): Promise<ReturnType<typeof feedEntries>> {
  const { DetectError, parseFeed } = await import('feedsmith');
  try {
    return feedEntries(parseFeed(text), request.url);
  } catch (error) {
    if (error instanceof DetectError && !isCutJson(text)) throw noFeed(text, request);
    throw new ProviderError('unavailable', 'the feed is damaged, or was cut off on its way', {
      cause: error,
    });
  }
}

/**
 * The failure for a document that is no feed. If it was one before, the site is probably out of order;
 * otherwise the address is wrong.
 */
function noFeed(text: string, { url, wasFeed }: FeedRequest): ProviderError {
  if (wasFeed) return new ProviderError('unavailable', 'the address answers with something else than a feed');
  const linked = linkedFeed(text, url);
  const hint = linked ? `; the feed of this page is ${linked}` : '';
  return new ProviderError('missing', `there is no feed (RSS, Atom, JSON Feed) at this address${hint}`);
}

function isCutJson(text: string): boolean {
  return /^\s*\{[\s\S]{0,500}jsonfeed\.org\/version/.test(text) && !/\}\s*$/.test(text);
}

/** The address that a page names as its feed; undefined if it names none. */
function linkedFeed(page: string, url: string): string | undefined {
  for (const [tag] of page.slice(0, 200_000).matchAll(/<link\b[^<>]{0,2000}>/gi)) {
    const type = /\btype\s*=\s*["']?application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i.test(tag);
    const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i.exec(tag);
    const target = (href?.[1] ?? href?.[2] ?? href?.[3])?.replaceAll('&amp;', '&');
    if (type && /\brel\s*=\s*["']?[^"']*\balternate\b/i.test(tag) && target && URL.canParse(target, url))
      return new URL(target, url).href;
  }
  return undefined;
}
