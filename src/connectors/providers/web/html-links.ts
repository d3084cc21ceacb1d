import { tagEnd } from '../../../ingestion/parsers/html/tag-end.js';
import { readRobotsTag } from './robots.js';
import type { RobotsTag } from './robots.js';

const charactersMax = 5_000_000;
const unread = /<!--[\s\S]*?(?:-->|$)|<(script|style|template|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const tag = /<(a|area|base|link|meta|html)\b/gi;
/** Elements whose address leads to another page; of `meta` that of a refresh, by which many start pages only send on. */
const linking: ReadonlySet<string> = new Set(['a', 'area', 'meta']);
// The look-behind: a long name without a value is read once, not once from each of its characters.
const attribute = /(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** The links of a page, and its directives for robots. */
export interface PageLinks extends RobotsTag {
  /** Absolute addresses, without those that are not to be followed. */
  readonly links: readonly string[];
  readonly canonical: string | undefined;
  readonly language: string | undefined;
  /** Roughly the visible text: it changes when the page does, but not with tokens in scripts and forms. */
  readonly visible: string;
}

/** Reads the tags of a page in one pass, without building a tree. */
export function readHtmlLinks(html: string, url: string): PageLinks {
  const source = html.slice(0, charactersMax).replace(unread, ' ');
  const links: string[] = [];
  const robots: string[] = [];
  let base = url;
  let canonical: string | undefined;
  let language: string | undefined;
  for (const { name, written } of tagsOf(source)) {
    const { rel = '', content = '', lang, name: meta = '', ...given } = attributesOf(written);
    const href =
      given.href ?? (/^refresh$/i.test(given['http-equiv'] ?? '') ? refreshed(content) : undefined);
    const target = href !== undefined && URL.canParse(href, base) ? new URL(href, base).href : undefined;
    const rels = rel.toLowerCase().split(/\s+/);
    const kind = name.toLowerCase();
    if (kind === 'html') language ??= lang;
    else if (kind === 'meta' && /^(?:robots|contexture)$/i.test(meta)) robots.push(content);
    else if (target === undefined) continue;
    else if (kind === 'base' && base === url) base = target;
    else if (kind === 'link' && rels.includes('canonical')) canonical ??= target;
    else if (linking.has(kind) && !rels.includes('nofollow')) links.push(target);
  }
  const visible = source.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  return { ...readRobotsTag(robots), links, canonical, language, visible };
}

/** The tags with addresses or directives, and the attributes that are written in each. */
function* tagsOf(source: string): Generator<{ name: string; written: string }> {
  tag.lastIndex = 0;
  for (let found = tag.exec(source); found; found = tag.exec(source)) {
    const [start, name = ''] = found;
    const end = tagEnd(source, found.index);
    if (end < 0) return;
    yield { name, written: source.slice(found.index + start.length, end) };
    tag.lastIndex = end;
  }
}

/** The address in `0; url=/docs/`, which may stand in quotation marks. */
function refreshed(content: string): string | undefined {
  return /^[\d.\s]*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i.exec(content)?.[1];
}

function attributesOf(written: string): Partial<Record<string, string>> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of written.matchAll(attribute)) {
    const value = (double ?? single ?? bare ?? '').replace(/&(?:amp|#38|#x26);/gi, '&').trim();
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(found);
}
