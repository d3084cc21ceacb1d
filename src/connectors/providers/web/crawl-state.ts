import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { ProviderError } from '../../provider.js';

/** A page that was seen, or that is still to be visited. */
export interface KnownPage {
  /** The path with its query, below the site's origin. */
  readonly path: string;
  /**
   * A digest of the content when it was last shown as an item. Missing if it is no item, or was not read yet.
   */
  version?: string | undefined;
  /** An ETag, or else a Last-Modified time, with which to ask whether it has changed. */
  validator?: string | undefined;
  /**
   * The `lastmod` of its sitemap, in Unix seconds: when the page was last read (readLastmod), and in this
   * walk (lastmod).
   */
  readLastmod?: number | undefined;
  lastmod?: number | undefined;
  /** Set when the page was not found in this walk; the next walk forgets it. */
  isGone?: boolean;
  /** The path of the page that this one is a copy of, by its own word in this walk. */
  copyOf?: string | undefined;
}

/** How far a walk over a site has come. */
export interface CrawlState {
  /** Those before `at` have been visited in this walk; the others follow. */
  readonly pages: KnownPage[];
  at: number;
  /** A digest of the filters; other filters begin a new walk. */
  readonly filters: string;
  /** The sitemaps of this walk, each once, and how many of them have been read. */
  sitemaps: readonly string[];
  sitemapsRead: number;
  /** Whether a sitemap lists pages of the site; otherwise links are followed. */
  isListed: boolean;
  /**
   * When the last full walk began, in Unix milliseconds, and whether this walk is one. A full walk reads
   * pages even if they are said to be unchanged.
   */
  fullAt: number;
  isFull: boolean;
  /** Nothing may be requested before this time, in Unix milliseconds. */
  notBefore: number;
  /** Whether the walk has ended. */
  isDone: boolean;
}

const cursorBytesMax = 1024 * 1024;
/** Base64 takes four bytes for three, and the rest of the state needs room too. */
const packedBytesMax = Math.floor(((cursorBytesMax - 64 * 1024) / 4) * 3);
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Reads a cursor; undefined for an empty one. @throws ProviderError `expired` when it cannot be read */
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
  const lines = pages.map(({ path, version, validator, readLastmod, lastmod, isGone, copyOf }) =>
    [path, version, validator, written(readLastmod), written(lastmod), isGone ? '1' : '', copyOf].join('\t'),
  );
  return compress(lines.join('\n'), quality);
}

async function unpack(text: string): Promise<KnownPage[]> {
  const lines = (await decompress(Buffer.from(text, 'base64'))).toString();
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const [path = '', version, validator, readLastmod, lastmod, isGone, copyOf] = line.split('\t');
    return {
      path,
      version: version || undefined,
      validator: validator || undefined,
      readLastmod: readLastmod ? parseInt(readLastmod, 36) : undefined,
      lastmod: lastmod ? parseInt(lastmod, 36) : undefined,
      isGone: isGone === '1',
      copyOf: copyOf || undefined,
    };
  });
}

function written(seconds: number | undefined): string {
  return seconds?.toString(36) ?? '';
}
