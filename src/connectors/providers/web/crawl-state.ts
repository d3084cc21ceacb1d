import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { ProviderError } from '../../provider.js';

/** A page as it was last seen, or one that is still to be seen. */
export interface KnownPage {
  /** With its query, below the origin of the site. */
  readonly path: string;
  /** A digest of its content when it was last shown as an item; none: it is no item, or was not read yet. */
  version?: string | undefined;
  /** What to ask with whether it has changed: an ETag, or else a time of Last-Modified. */
  validator?: string | undefined;
  /** When a sitemap said that it was last changed, seconds: when it was read, and in this walk. */
  readLastmod?: number | undefined;
  lastmod?: number | undefined;
  /** In this walk it was not there; the next one forgets it. */
  isGone?: boolean;
}

/** How far a walk over a site has come. */
export interface CrawlState {
  /** Those before `at` have been looked at in this walk, the others are to be. */
  readonly pages: KnownPage[];
  at: number;
  /** A digest of the filters: others begin a new walk. */
  readonly filters: string;
  /** Sitemaps that are to be read, and how many were. */
  sitemaps: string[];
  sitemapsRead: number;
  /** Whether a sitemap names pages of the site; otherwise links are followed. */
  isListed: boolean;
  /** Epoch milliseconds when the last walk began that took nobody's word for pages being unchanged; whether this is one. */
  fullAt: number;
  isFull: boolean;
  /** Epoch milliseconds before which nothing may be asked for. */
  notBefore: number;
  /** The walk has ended. */
  isDone: boolean;
}

const cursorBytesMax = 1024 * 1024;
/** Base 64 takes four bytes for three; the rest of the state has room beside it. */
const packedBytesMax = Math.floor(((cursorBytesMax - 64 * 1024) / 4) * 3);
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** @throws ProviderError expired */
export async function readState(cursor: string): Promise<CrawlState | undefined> {
  if (cursor === '') return undefined;
  try {
    const { pages, ...state } = JSON.parse(cursor) as Omit<CrawlState, 'pages'> & { pages: string };
    return { ...state, pages: await unpack(pages) };
  } catch (error) {
    throw new ProviderError('expired', 'the position in the site cannot be read', { cause: error });
  }
}

/**
 * Writes a cursor of at most 1 MiB. If not everything fits, validators are left out first, which costs
 * requests, and then the last pages: 10,000 addresses fit unless they are hundreds of characters long.
 */
export async function writeState(state: CrawlState): Promise<string> {
  let { pages } = state;
  let packed = await pack(pages);
  if (packed.length > packedBytesMax) {
    pages = pages.map((page) => ({ ...page, validator: undefined }));
    packed = await pack(pages);
  }
  while (packed.length > packedBytesMax) {
    pages = pages.slice(0, Math.floor((pages.length * packedBytesMax * 0.95) / packed.length));
    packed = await pack(pages);
  }
  const at = Math.min(state.at, pages.length);
  return JSON.stringify({ ...state, at, pages: packed.toString('base64') });
}

async function pack(pages: readonly KnownPage[]): Promise<Buffer> {
  const lines = pages.map(({ path, version, validator, readLastmod, lastmod, isGone }) =>
    [path, version, validator, written(readLastmod), written(lastmod), isGone ? '1' : ''].join('\t'),
  );
  return compress(lines.join('\n'), quality);
}

async function unpack(text: string): Promise<KnownPage[]> {
  const lines = (await decompress(Buffer.from(text, 'base64'))).toString();
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const [path = '', version, validator, readLastmod, lastmod, isGone] = line.split('\t');
    return {
      path,
      version: version || undefined,
      validator: validator || undefined,
      readLastmod: readLastmod ? parseInt(readLastmod, 36) : undefined,
      lastmod: lastmod ? parseInt(lastmod, 36) : undefined,
      isGone: isGone === '1',
    };
  });
}

function written(seconds: number | undefined): string {
  return seconds?.toString(36) ?? '';
}
