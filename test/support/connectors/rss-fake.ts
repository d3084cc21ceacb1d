import { createHash } from 'node:crypto';
import { rss } from '../../../src/connectors/providers/rss.js';
import { DocumentServer } from './document-server.js';
import type { FakedProvider } from './provider-fake.js';

/** A feed that grows at its head, on a server that knows ETags. */
export const fakedRss: FakedProvider = {
  provider: rss,
  manyObjects: 250,
  start: async () => {
    const server = await DocumentServer.start();
    const url = `${server.origin}/feed.xml`;
    const entries = new Map<string, string>();
    let made = 0;
    const publish = () => server.serve('/feed.xml', { body: feedOf(entries), type: 'application/rss+xml' });
    const guidOf = (id: string) => id.slice(id.indexOf(':') + 1);
    publish();
    return {
      baseUrl: undefined,
      credentials: {},
      wrongCredentials: undefined,
      resource: { id: url, type: 'feed' },
      missingResourceId: `${server.origin}/nothing.xml`,
      get requests() {
        return server.log.length;
      },
      add: (count, word) => {
        const guids = Array.from({ length: count }, () => `entry-${(made += 1)}`);
        for (const guid of guids) entries.set(guid, word);
        publish();
        return Promise.resolve(guids.map((guid) => feedEntryId(url, guid)));
      },
      edit: (id, word) => {
        entries.set(guidOf(id), word);
        publish();
        return Promise.resolve();
      },
      remove: (id) => {
        entries.delete(guidOf(id));
        publish();
        return Promise.resolve();
      },
      fail: (failure, times) => server.fail(failure, times),
      close: () => server.close(),
    };
  },
};

/** The native id of an entry. */
export function feedEntryId(url: string, guid: string): string {
  return `${createHash('sha256').update(JSON.stringify(url)).digest('hex').slice(0, 12)}:${guid}`;
}

function feedOf(entries: ReadonlyMap<string, string>): string {
  const now = new Date().toUTCString();
  const items = [...entries].map(
    ([guid, word]) => `<item><guid isPermaLink="false">${guid}</guid><title>About ${guid}</title>
      <description>&lt;p&gt;Seen: a ${word}&lt;/p&gt;</description><pubDate>${now}</pubDate></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Animals</title>${items.reverse().join('')}</channel></rss>`;
}
