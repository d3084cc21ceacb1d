import { web } from '../../../src/connectors/providers/web.js';
import { DocumentServer } from './document-server.js';
import type { FakedProvider } from './provider-fake.js';

/** A site without a sitemap, whose start page is a list of links and not to be indexed. */
export const fakedWeb: FakedProvider = {
  provider: web,
  manyObjects: 100,
  start: async () => {
    const server = await DocumentServer.start();
    const paths = new Set<string>();
    let made = 0;
    const publish = () =>
      server.serve(
        '/',
        `<html><head><title>Animals</title><meta name="robots" content="noindex"></head><body>
        ${[...paths].map((path) => `<a href="${path}">${path}</a>`).join('\n')}</body></html>`,
      );
    const write = (path: string, word: string) => server.serve(path, pageOf(path, `Seen: a ${word}`));
    const pathOf = (id: string) => new URL(id).pathname;
    publish();
    return {
      baseUrl: undefined,
      credentials: {},
      wrongCredentials: undefined,
      resource: { id: `${server.origin}/`, type: 'site' },
      missingResourceId: `${server.origin}/nothing`,
      get requests() {
        return server.log.length;
      },
      add: (count, word) => {
        const added = Array.from({ length: count }, () => `/page-${(made += 1)}`);
        for (const path of added) {
          paths.add(path);
          write(path, word);
        }
        publish();
        return Promise.resolve(added.map((path) => `${server.origin}${path}`));
      },
      edit: (id, word) => Promise.resolve(write(pathOf(id), word)),
      remove: (id) => {
        // The link to it stays, as it does on most sites.
        server.documents.delete(pathOf(id));
        return Promise.resolve();
      },
      fail: (failure, times) => server.fail(failure, times),
      close: () => server.close(),
    };
  },
};

/** A page of HTML; `head` and `more` stand in its head and body. */
export function pageOf(title: string, more: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><p>${more}</p></main></body></html>`;
}
