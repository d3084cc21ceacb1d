import { z } from 'zod';
import { clip } from '../../lib/characters.js';
import { readCursor } from '../cursor.js';
import type {
  Connection,
  DiscoveredResource,
  Entry,
  Item,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../provider.js';
import { filled } from './item-fields.js';
import { PublicSession } from './public-session.js';
import { cutToBytes, digest, valueCharactersMax } from './rss/feed-entry.js';
import type { FeedEntry, FeedEntryContent } from './rss/feed-entry.js';
import { entriesPerPage, readFeed } from './rss/read-feed.js';
import type { Feed, Validators } from './rss/read-feed.js';
import { readDocumentUrl } from './web/document-request.js';

/** A limit for one native value; all of an item share 1 KiB. */
const nativeBytesMax = 200;

const words = z.array(z.string().trim().min(1).max(200)).min(1).max(100);
const filters = z.strictObject({
  include: words
    .optional()
    .describe('Only entries with one of these in the title or a category, in any case'),
  exclude: words.optional().describe('No entries with one of these in the title or a category, in any case'),
});
const credentials = z.strictObject({});

export const rss: Provider<z.infer<typeof credentials>> = {
  id: 'rss',
  name: 'RSS',
  category: 'web',
  authTypes: ['none'],
  resourceType: 'feed',
  supportsAcl: false,
  indexedObjectTypes: ['entry'],
  searchableFields: ['title', 'body', 'created_by'],
  filterableFields: ['feed_title', 'categories'],
  credentials,
  filters,
  setupGuide: `Any public feed can be read: RSS, Atom or JSON Feed. The credentials are \`{}\`.

Add each feed as a resource whose \`resource_id\` is its URL, for example \`https://example.com/feed.xml\`. Feeds are not listed
by \`discover\`. For the address of a page, the error names the feed that the page links, if it does.

Entries that fall out of the feed later stay.`,
  open: (connection) => new RssSession(connection),
};

/** The cursor. Without `at`, the whole feed has been shown. */
interface FeedCursor extends Validators {
  readonly print: string;
  /** A digest of the filters that were in force. */
  readonly filters: string;
  /** How many entries of the feed have been shown. */
  readonly at?: number;
}

class RssSession extends PublicSession implements Session {
  /** The feed whose pages are being read. */
  private current: Feed | undefined;

  constructor(private readonly connection: Connection<z.infer<typeof credentials>>) {
    super();
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const feed = await this.load({ id: resourceId, filters: {} }, undefined, signal);
    const name = feed?.title || new URL(resourceId).host;
    return { id: resourceId, name, type: 'feed', metadata: { entries: feed?.count ?? 0 } };
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const last = readCursor<FeedCursor>(cursor);
    const filtered = digest(resource.filters);
    const isSame = last?.filters === filtered;
    const isUnderWay = last?.at !== undefined;
    const feed = await this.load(resource, last, signal);
    if (!feed || (last && isSame && !isUnderWay && feed.print === last.print)) {
      const validators = feed?.validators ?? {};
      return { entries: [], cursor: JSON.stringify({ ...last, ...validators }), more: false };
    }
    // A feed that has changed in between is shown from the start; entries that are known are not loaded
    // again.
    const from = isSame && feed.print === last.print ? (last.at ?? 0) : 0;
    const to = from + entriesPerPage;
    const more = to < feed.count;
    this.current = more ? feed : undefined;
    const next: FeedCursor = { ...feed.validators, print: feed.print, filters: filtered };
    return {
      entries: feed
        .entriesOf(from / entriesPerPage)
        .filter(({ content }) => belongs(content, resource))
        .map((entry) => toEntry(entry, feed)),
      cursor: JSON.stringify(more ? { ...next, at: to } : next),
      more,
    };
  }

  close(): Promise<void> {
    this.current = undefined;
    return Promise.resolve();
  }

  /** Loads the feed; undefined if it has not changed since all of it was shown. */
  private load(
    { id, filters: given }: Pick<ResourceScope, 'id' | 'filters'>,
    last: FeedCursor | undefined,
    signal: AbortSignal,
  ): Promise<Feed | undefined> {
    const url = readDocumentUrl(id, 'feed').href;
    const { current } = this;
    const isUnderWay = last?.at !== undefined;
    if (isUnderWay && current?.url === url && current.print === last.print) return Promise.resolve(current);
    const isKnown = last !== undefined && !isUnderWay && last.filters === digest(given);
    const known = isKnown ? { etag: last.etag, modified: last.modified } : {};
    const { network, documents } = this.connection;
    return readFeed({ network, documents, url, known, wasFeed: last !== undefined }, signal);
  }
}

/** Whether an entry passes filters and date. Entries without a date are always new enough. */
function belongs(
  { title, categories, createdAt, updatedAt }: FeedEntryContent,
  resource: ResourceScope,
): boolean {
  const { include, exclude } = filters.parse(resource.filters);
  const times = [createdAt, updatedAt].flatMap((time) => (time ? Date.parse(time) : []));
  if (times.length > 0 && Math.max(...times) < resource.oldest.getTime()) return false;
  const named = [title ?? '', ...categories].join('\n').toLowerCase();
  const names = (word: string) => named.includes(word.toLowerCase());
  return (include?.some(names) ?? true) && !exclude?.some(names);
}

function toEntry({ id, version, content }: FeedEntry, feed: Feed): Entry {
  return { id, version, load: () => Promise.resolve(toItem(content, feed)) };
}

function toItem(content: FeedEntryContent, feed: Feed): Item | undefined {
  const { title, body, authors, createdAt, updatedAt, url, categories, enclosures } = content;
  if (title === undefined && body === undefined) return undefined;
  const timestamp = createdAt ?? updatedAt;
  const [category] = categories;
  const native = {
    feed_title: cutToBytes(feed.title, nativeBytesMax),
    categories: cutToBytes(categories.join(', '), nativeBytesMax),
  };
  return {
    kind: 'knowledge_base',
    ...(title && { title }),
    ...(url && { url }),
    ...(category && { type: category }),
    ...(timestamp && { timestamp }),
    fields: {
      ...(title && { title }),
      ...(body && { body }),
      ...(authors.length > 0 && { created_by: clip(authors.join(', '), valueCharactersMax) }),
      ...(createdAt && { created_at: createdAt }),
      ...(updatedAt && { updated_at: updatedAt }),
      ...(url && { url }),
    },
    ...(enclosures.length > 0 && {
      attachments: enclosures.map((each) => ({
        url: each.url,
        title: each.title ?? null,
        contentType: each.contentType ?? null,
        sizeBytes: each.sizeBytes ?? null,
      })),
    }),
    native: filled(native),
  };
}
