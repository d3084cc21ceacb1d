import { deserialize } from 'node:v8';
import { ProviderError } from '../../provider.js';
import { failureOfDocument, requestDocument } from '../web/document-request.js';
import type { WebAccess } from '../web/document-request.js';
import type { FeedEntry } from './feed-entry.js';
import type { ParsedFeed } from './parse-feed.js';

/** How many entries are shown, and taken out of a feed, at a time. */
export const entriesPerPage = 100;
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
  readonly count: number;
  readonly validators: Validators;
  /** A digest of all entries. */
  readonly print: string;
  /** The entries of a page, counted from 0. */
  entriesOf(page: number): readonly FeedEntry[];
}

interface FeedRequest extends WebAccess {
  readonly url: string;
  readonly known: Validators;
  /** Whether it has been a feed before; then any other answer is a temporary failure. */
  readonly wasFeed: boolean;
}

/** Loads a feed; undefined when it has not changed since the validators were given. @throws ProviderError */
export async function readFeed(request: FeedRequest, signal: AbortSignal): Promise<Feed | undefined> {
  const { network, documents, url, known } = request;
  const headers = {
    accept: accepted,
    ...(known.etag && { 'if-none-match': known.etag }),
    ...(known.modified && { 'if-modified-since': known.modified }),
  };
  const wanted = { url, headers, redirect: 'follow', bytesMax: feedBytesMax } as const;
  const answer = await requestDocument(network, wanted, signal);
  if (answer.status === 304) return undefined;
  if (answer.status !== 200)
    throw failureOfDocument(new URL(url).host, {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
    });
  if (!answer.body) throw new ProviderError('refused', 'the feed is larger than 20 MB');
  const contentType = answer.headers.get('content-type');
  const document = { body: answer.body, contentType, url, answeredBy: answer.url, entriesPerPage };
  const { title, count, print, pages } = requireFeed(
    await documents.read('parseFeed', document, signal),
    request,
  );
  return {
    url,
    title,
    count,
    print,
    validators: {
      etag: answer.headers.get('etag') ?? undefined,
      modified: answer.headers.get('last-modified') ?? undefined,
    },
    entriesOf: (page) => (pages[page] ? (deserialize(pages[page]) as FeedEntry[]) : []),
  };
}

/** @throws ProviderError when the document is no feed, or a damaged one */
function requireFeed(parsed: ParsedFeed, { wasFeed }: FeedRequest): ParsedFeed & { kind: 'feed' } {
  if (parsed.kind === 'feed') return parsed;
  if (parsed.kind === 'damaged')
    throw new ProviderError('unavailable', 'the feed is damaged, or was cut off on its way', {
      cause: parsed.problem,
    });
  // If it was one before, the site is probably out of order; otherwise the address is wrong.
  if (wasFeed) throw new ProviderError('unavailable', 'the address answers with something else than a feed');
  const hint = parsed.linked ? `; the feed of this page is ${parsed.linked}` : '';
  throw new ProviderError('missing', `there is no feed (RSS, Atom, JSON Feed) at this address${hint}`);
}
