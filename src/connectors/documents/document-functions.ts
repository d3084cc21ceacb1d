import { parseFeed } from '../providers/rss/parse-feed.js';
import { readHtml } from '../providers/web/read-html.js';
import { parseSitemap } from '../providers/web/parse-sitemap.js';

/** What reads documents of strangers; it runs in child processes only. */
export const DOCUMENT_FUNCTIONS = { parseFeed, parseSitemap, readHtml };
