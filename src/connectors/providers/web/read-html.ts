import { createHash } from 'node:crypto';
import { decodeText } from '../../../ingestion/parsers/charset.js';
import { declaredCharset } from '../../../ingestion/parsers/html.js';
import { titleOfLargeHtml } from '../../../ingestion/parsers/html/large-html.js';
import { readHtmlLinks } from './html-links.js';
import type { PageLinks } from './html-links.js';

const titleCharactersMax = 1000;

interface HtmlDocument {
  readonly url: string;
  /** As the server named it. */
  readonly charset: string | undefined;
  readonly bytes: Uint8Array;
}

/** What a page of HTML says. */
export interface HtmlPage extends Omit<PageLinks, 'visible'> {
  readonly title: string | undefined;
  /** A digest of the title and the visible text. */
  readonly version: string;
  /** The page as UTF-8, unless it is that already. */
  readonly utf8: Uint8Array | undefined;
}

/** Reads the title and the links of a page; undefined for bytes that are no text. */
export function readHtml({ url, charset, bytes }: HtmlDocument): HtmlPage | undefined {
  const text = textOf(bytes, charset);
  if (text === undefined) return undefined;
  const { visible, ...said } = readHtmlLinks(text, url);
  const title = titleOfLargeHtml(text).slice(0, titleCharactersMax).toWellFormed();
  // The pipeline does not know the charset that the server named.
  const isAsSent = charset === undefined || /^utf-?8$/i.test(charset);
  return {
    ...said,
    title: title || undefined,
    version: createHash('sha256').update(`${title}\n${visible}`).digest('base64url').slice(0, 11),
    utf8: isAsSent ? undefined : Buffer.from(text),
  };
}

function textOf(bytes: Uint8Array, charset: string | undefined): string | undefined {
  try {
    return decodeText(bytes, charset ?? declaredCharset(bytes));
  } catch {
    return undefined;
  }
}
