import { serialize } from 'node:v8';
import { DetectError, parseFeed as parseAnyFeed } from 'feedsmith';
import { decodeText } from '../../../ingestion/parsers/charset.js';
import { declaredEncoding } from '../../../ingestion/parsers/xml/reader.js';
import { digest, feedEntries } from './feed-entry.js';

/** A document as it was loaded, which may be a feed. */
export interface FeedDocument {
  readonly body: Uint8Array;
  /** As the server named it. */
  readonly contentType: string | null;
  readonly url: string;
  /** The address that answered in the end, from which relative ones start. */
  readonly answeredBy: string;
  readonly entriesPerPage: number;
}

/** What a document is; `none`: no feed, though it may be a page that names the address of its feed. */
export type ParsedFeed =
  | {
      readonly kind: 'feed';
      readonly title: string;
      readonly count: number;
      /** A digest of all entries. */
      readonly print: string;
      /** Each a serialized `FeedEntry[]`: hundreds of thousands of entries at once would hold up whoever takes them. */
      readonly pages: readonly Uint8Array[];
    }
  | { readonly kind: 'none'; readonly linked: string | undefined }
  | { readonly kind: 'damaged'; readonly problem: string };

/** Reads a feed of any of the kinds (RSS, Atom, RDF, JSON Feed), cut into pages. Does not throw: what is no feed is told. */
export function parseFeed({ body, contentType, url, answeredBy, entriesPerPage }: FeedDocument): ParsedFeed {
  const text = decode(Buffer.from(body), contentType);
  try {
    const { title, entries } = feedEntries(parseAnyFeed(text), { url, answeredBy });
    const starts = Array.from(
      { length: Math.ceil(entries.length / entriesPerPage) },
      (_, n) => n * entriesPerPage,
    );
    return {
      kind: 'feed',
      title,
      count: entries.length,
      print: digest(entries.map(({ id, version }) => [id, version])),
      pages: starts.map((from) => serialize(entries.slice(from, from + entriesPerPage))),
    };
  } catch (error) {
    if (error instanceof DetectError && !isCutJson(text))
      return { kind: 'none', linked: linkedFeed(text, answeredBy) };
    return { kind: 'damaged', problem: String(error) };
  }
}

/** Decodes a document; bytes that are no text give an empty text, which is no feed. */
function decode(body: Buffer, contentType: string | null): string {
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  try {
    return decodeText(body, named ?? declaredEncoding(body));
  } catch {
    return '';
  }
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
