import { ChildPool } from '../../lib/child-pool.js';
import { ChildDied } from '../../lib/child-process.js';
import { ProviderError } from '../provider.js';
import type { DOCUMENT_FUNCTIONS } from './document-functions.js';

type Functions = typeof DOCUMENT_FUNCTIONS;

const childrenMax = 2;
const idleMs = 60_000;
const residentMebibytesMax = 512;
const residentMebibytesKept = 220;
const heapMebibytesMax = 360;
/** Far longer than any honest document of 50 MB takes. */
const readMsMax = 60_000;

/**
 * Reads documents of strangers (feeds, sitemaps, pages) in child processes: one of 20 MB that is made for it takes many seconds and a
 * gigabyte, in which the server would answer nobody.
 */
export class DocumentReaders {
  private readonly children = new ChildPool({
    module: new URL('./document-child.js', import.meta.url),
    childrenMax,
    residentMebibytesMax,
    residentMebibytesKept,
    heapMebibytesMax,
    idleMs,
  });

  /** @throws ProviderError when the document takes too long or too much memory; the signal's reason */
  async read<Name extends keyof Functions>(
    name: Name,
    input: Parameters<Functions[Name]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    try {
      const limits = { limitMs: readMsMax, longestMs: readMsMax, signal };
      return (await this.children.run({ name, input }, limits)) as Awaited<ReturnType<Functions[Name]>>;
    } catch (error) {
      if (!(error instanceof ChildDied)) throw error;
      const isTooMuch = error.death === 'memory' || error.death === 'time';
      throw new ProviderError(
        isTooMuch ? 'refused' : 'unavailable',
        isTooMuch
          ? `reading the document takes too much ${error.death}`
          : 'the process that read the document ended',
        { cause: error },
      );
    }
  }

  /** Ends whatever is being read. */
  close(): void {
    this.children.close();
  }
}
