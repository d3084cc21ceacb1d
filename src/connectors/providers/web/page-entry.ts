import { createHash } from 'node:crypto';
import { ProviderError } from '../../provider.js';
import type { Entry, Item } from '../../provider.js';
import type { KnownPage } from './crawl-state.js';
import { failureOfDocument } from './document-request.js';
import type { WebAccess } from './document-request.js';
import { readPage } from './read-page.js';
import type { LoadedPage } from './read-page.js';

const idBytesMax = 400;

interface ShownPage {
  readonly access: WebAccess;
  readonly url: string;
  readonly page: KnownPage;
  /** Undefined when the page has not changed. */
  readonly loaded: LoadedPage | undefined;
}

/** The entry of a page. A page that was not loaded now is loaded when it turns out not to be stored yet. */
export function toEntry({ access, url, page, loaded }: ShownPage): Entry {
  const { lastmod, version } = page;
  return {
    id: pageId(url),
    ...(version !== undefined && { version }),
    load: async (signal) => {
      signal.throwIfAborted();
      if (loaded) return toItem(loaded, lastmod);
      const answer = await readPage(access, { url }, signal);
      if (answer.kind === 'failed') throw failureOfDocument(new URL(url).host, answer);
      if (answer.kind === 'void') throw new ProviderError('refused', 'it answers without a page');
      return answer.kind === 'page' ? toItem(answer.page, lastmod) : undefined;
    },
  };
}

/** The id of a page: its URL, or a digest of one that is too long. */
function pageId(url: string): string {
  return Buffer.byteLength(url) <= idBytesMax
    ? url
    : `${new URL(url).origin}/#${createHash('sha256').update(url).digest('hex')}`;
}

function toItem(page: LoadedPage, lastmod: number | undefined): Item {
  const { url, title, body, filename, contentType, language, modifiedAt } = page;
  const timestamp =
    modifiedAt ?? (lastmod === undefined ? undefined : new Date(lastmod * 1000).toISOString());
  return {
    kind: 'knowledge_base',
    ...(title && { title }),
    url,
    ...(timestamp && { timestamp }),
    fields: { ...(title && { title }), ...(timestamp && { updated_at: timestamp }), url },
    file: { filename, ...(contentType && { contentType }), open: () => Promise.resolve(body) },
    native: {
      host: new URL(url).host.slice(0, 100),
      content_type: contentType.slice(0, 100),
      ...(language && { language: language.slice(0, 35) }),
    },
  };
}
