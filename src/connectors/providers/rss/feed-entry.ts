import { createHash } from 'node:crypto';
import type { AnyFeed, AtomFeed, JsonFeed, RdfFeed, RssFeed } from 'feedsmith';
import { clip } from '../../../lib/characters.js';
import { cleanText } from '../../../lib/clean-text.js';
import { readIsoTime } from '../../../lib/iso-time.js';
import { firstWordsOfHtml, looksLikeHtml } from '../../../text/html-text.js';

/** An entry of a feed, whatever the feed's format. */
export interface FeedEntry {
  /** The id of the item, made of the feed and the entry's own id. */
  readonly id: string;
  /** A digest of the content. */
  readonly version: string;
  readonly content: FeedEntryContent;
}

/** The content of an entry. Times are ISO 8601 in UTC, addresses absolute. */
export interface FeedEntryContent {
  readonly title: string | undefined;
  /** HTML or plain text. */
  readonly body: string | undefined;
  readonly authors: readonly string[];
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly url: string | undefined;
  readonly categories: readonly string[];
  readonly enclosures: readonly FeedEnclosure[];
}

/** A file that an entry links. */
export interface FeedEnclosure {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly title: string | undefined;
}

/** The part of a feed or an entry in XML that may name the address from which its own ones start. */
interface Based {
  readonly xml?: { readonly base?: string | undefined } | undefined;
}

/** An entry with the values that its format gives. */
interface RawEntry {
  /** Its `xml:base`. */
  readonly base?: string | undefined;
  readonly guid?: string | undefined;
  readonly link?: string | undefined;
  /** HTML or plain text. */
  readonly title?: string | undefined;
  /** Candidates; the first that is not blank counts. */
  readonly bodies: readonly (string | undefined)[];
  readonly authors: readonly (string | undefined)[];
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly categories: readonly (string | undefined)[];
  readonly enclosures: readonly Partial<FeedEnclosure>[];
}

const guidBytesMax = 256;
/** A limit for titles and names. */
export const valueCharactersMax = 1000;
const urlCharactersMax = 4096;
const attachmentsMax = 200;
const anyTag = /<\/?[a-z][^<>]*>/i;
const anyEntity = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i;

/**
 * The title of a feed, and its entries in their order. Their ids are made of its `url`; relative addresses are resolved against
 * the one that answered, unless the feed itself names a base (`xml:base`) or, as RSS, its site.
 */
export function feedEntries(
  parsed: AnyFeed,
  { url, answeredBy }: { url: string; answeredBy: string },
): { title: string; entries: FeedEntry[] } {
  const raw = rawEntries(parsed);
  const base = baseOf(parsed, answeredBy);
  const guids = raw.map((entry) => entry.guid ?? entry.link);
  const [seen, repeated] = [new Set<string | undefined>(), new Set<string | undefined>()];
  for (const guid of guids) (seen.has(guid) ? repeated : seen).add(guid);
  const entries = new Map<string, FeedEntry>();
  for (const each of raw) {
    const content = contentOf(each, absolute(each.base, base) ?? base);
    const guid = each.guid ?? each.link;
    // Some feeds give all of their entries one guid.
    const own = guid === undefined || repeated.has(guid) ? digest([guid, content.url, content.title]) : guid;
    const id = nativeId(url, own);
    if (!entries.has(id)) entries.set(id, { id, version: digest(content), content });
  }
  const { title } = parsed.feed;
  return {
    title: inOneLine(typeof title === 'string' ? title : title?.value) ?? '',
    entries: [...entries.values()],
  };
}

function baseOf(parsed: AnyFeed, feedUrl: string): string {
  const site = parsed.format === 'rss' ? parsed.feed.link : undefined;
  const { xml } = parsed.feed as Based;
  return absolute(xml?.base ?? site, feedUrl) ?? feedUrl;
}

/** The id of an item. The feed is a part of it, because feeds may use the same guids. */
function nativeId(feedUrl: string, guid: string): string {
  const fits = Buffer.byteLength(guid) <= guidBytesMax && !guid.includes('\u0000');
  return `${digest(feedUrl).slice(0, 12)}:${fits ? guid : digest(guid)}`;
}

/** A short SHA-256 digest of a value's JSON. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}

function contentOf(raw: RawEntry, base: string): FeedEntryContent {
  return {
    title: shown(raw.title),
    body: raw.bodies.map(readBody).find((body) => body !== undefined),
    authors: listOf(raw.authors),
    createdAt: readTime(raw.created),
    updatedAt: readTime(raw.updated),
    url: absolute(raw.link, base),
    categories: listOf(raw.categories),
    enclosures: raw.enclosures
      .flatMap((each) => {
        const url = absolute(each.url, base);
        const { contentType, sizeBytes, title } = each;
        return url ? [{ url, contentType, sizeBytes: readSize(sizeBytes), title: shown(title) }] : [];
      })
      .slice(0, attachmentsMax),
  };
}

/**
 * The body of an entry. Text with tags or entities is HTML; it is wrapped if necessary, since the pipeline
 * recognises HTML by its first element.
 */
function readBody(text: string | undefined): string | undefined {
  const body = cleanText(text ?? '');
  if (!/\S/.test(body)) return undefined;
  const isHtml = anyTag.test(body) || anyEntity.test(body);
  return isHtml && !looksLikeHtml(body) ? `<div>${body}</div>` : body;
}

function inOneLine(text: string | undefined): string | undefined {
  const line = cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const plain = anyTag.test(line) || anyEntity.test(line) ? firstWordsOfHtml(line) : line;
  return plain === '' ? undefined : plain;
}

function shown(text: string | undefined): string | undefined {
  return clip(inOneLine(text) ?? '', valueCharactersMax) || undefined;
}

/** Cuts a text to so many bytes of UTF-8, at the end of a character. */
export function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  return bytes.length > bytesMax
    ? bytes
        .subarray(0, bytesMax)
        .toString()
        .replace(/\ufffd$/, '')
    : text;
}

function listOf(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => shown(value) ?? []))];
}

function absolute(url: string | undefined, base: string): string | undefined {
  const link = url?.trim();
  if (!link || !URL.canParse(link, base)) return undefined;
  const { href, protocol } = new URL(link, base);
  return /^https?:$/.test(protocol) && href.length <= urlCharactersMax ? href : undefined;
}

function readSize(bytes: number | undefined): number | undefined {
  return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/**
 * A time in ISO 8601 or in the form of mails, as ISO 8601 in UTC. Without a time zone, or with an unknown
 * one, it is taken for UTC. Undefined when it is no time.
 */
function readTime(text: string | undefined): string | undefined {
  const given = text?.trim() ?? '';
  const iso = readIsoTime(given);
  if (iso) return iso.toISOString();
  if (!/^(?:[a-z]+,?\s+)?\d{1,2}[\s-][a-z]{3}/i.test(given)) return undefined;
  const hasZone = /(?:[+-]\d{2}:?\d{2}|\b(?:GMT|UTC?|[ECMP][SD]T))$/i.test(given);
  const time = new Date(hasZone ? given : `${given.replace(/(?<!\s)\s+[a-z]{1,5}$/i, '')} GMT`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function rawEntries(parsed: AnyFeed): RawEntry[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map(fromRss);
    case 'rdf':
      return (parsed.feed.items ?? []).map(fromRdf);
    case 'atom':
      return (parsed.feed.entries ?? []).map((entry) => fromAtom(entry, parsed.feed.authors));
    case 'json':
      return (parsed.feed.items ?? []).map((item) => fromJson(item, parsed.feed.authors));
  }
}

function fromRss(item: RssFeed.Item<string>): RawEntry {
  const { guid, dc, dcterms } = item;
  const { xml } = item as Based;
  const permalink =
    guid?.isPermaLink !== false && /^https?:/.test(guid?.value ?? '') ? guid?.value : undefined;
  const alternate = item.atom?.links?.find(({ rel }) => (rel ?? 'alternate') === 'alternate')?.href;
  return {
    base: xml?.base,
    guid: guid?.value,
    link: item.link ?? permalink ?? alternate,
    title: item.title ?? dc?.titles?.[0],
    bodies: [item.content?.encoded, item.description, dc?.descriptions?.[0], item.itunes?.summary],
    authors: dc?.creators ?? item.authors?.map(rssAuthor) ?? [item.itunes?.author],
    created: item.pubDate ?? dc?.dates?.[0] ?? dcterms?.created?.[0],
    updated: dcterms?.modified?.[0] ?? item.atom?.updated,
    categories: [...(item.categories?.map(({ name }) => name) ?? []), ...(dc?.subjects ?? [])],
    enclosures: (item.enclosures ?? []).map(({ url, type, length }) => ({
      url: url ?? '',
      contentType: type,
      sizeBytes: length,
    })),
  };
}

/** The name of a person given in the standard form `address (name)`. */
function rssAuthor({ name, email }: RssFeed.Person): string | undefined {
  return /^[^\s@]+@\S+\s+\((.+)\)$/.exec(name ?? '')?.[1] ?? name ?? email;
}

function fromRdf(item: RdfFeed.Item<string>): RawEntry {
  const { dc, dcterms } = item;
  return {
    guid: item.rdf?.about,
    link: item.link,
    title: item.title,
    bodies: [item.content?.encoded, item.description, dc?.descriptions?.[0]],
    authors: dc?.creators ?? [],
    created: dc?.dates?.[0] ?? dcterms?.created?.[0],
    updated: dcterms?.modified?.[0],
    categories: dc?.subjects ?? [],
    enclosures: [],
  };
}

function fromAtom(entry: AtomFeed.Entry<string>, feedAuthors: AtomFeed.Person[] | undefined): RawEntry {
  const { links = [], content, authors, dc } = entry;
  const isText = /^(?:text|html|xhtml|text\/.*|application\/xhtml\+xml)$/i.test(content?.type ?? 'text');
  const people = authors ?? entry.source?.authors ?? feedAuthors;
  return {
    base: (entry as Based).xml?.base,
    guid: entry.id,
    link: links.find(({ rel }) => (rel ?? 'alternate') === 'alternate')?.href ?? content?.src,
    title: entry.title?.value,
    bodies: [isText ? content?.value : undefined, entry.summary?.value],
    authors: people?.map(({ name, email }) => name ?? email) ?? dc?.creators ?? [],
    created: entry.published ?? entry.updated,
    updated: entry.updated,
    categories: (entry.categories ?? []).map(({ label, term }) => label ?? term),
    enclosures: links
      .filter(({ rel }) => rel === 'enclosure')
      .map(({ href, type, length, title }) => ({
        url: href ?? '',
        contentType: type,
        sizeBytes: length,
        title,
      })),
  };
}

function fromJson(item: JsonFeed.Item<string>, feedAuthors: JsonFeed.Author[] | undefined): RawEntry {
  return {
    guid: item.id,
    link: item.url ?? item.external_url,
    title: item.title,
    bodies: [item.content_html, item.content_text, item.summary],
    authors: (item.authors ?? feedAuthors ?? []).map(({ name }) => name),
    created: item.date_published,
    updated: item.date_modified,
    categories: item.tags ?? [],
    enclosures: (item.attachments ?? []).map(({ url, mime_type, size_in_bytes, title }) => ({
      url: url ?? '',
      contentType: mime_type,
      sizeBytes: size_in_bytes,
      title,
    })),
  };
}
