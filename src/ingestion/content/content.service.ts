import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { AppError, invalidInput } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import { errorCodeOf } from '../../postgres/query.js';
import { findFacts } from '../../sources/facts.queries.js';
import type { ShownOriginal } from '../../sources/lists/shown-items.queries.js';
import { readChunks } from '../../sources/stored-chunks.queries.js';
import { cutOf } from '../../storage/byte-range.js';
import type { ByteRange } from '../../storage/byte-range.js';
import type { OpenedFile, Originals } from '../../storage/originals.js';
import { StorageFailure } from '../../storage/storage-failure.js';
import { ChunkJoiner } from '../chunking/join-chunks.js';
import { inferredContent } from '../memories/memory.service.js';
import { mediaTypeOf } from '../parsers/parsers.js';
import { writtenMemory } from '../preparation/memory-text.js';
import { digestOfAcl } from './content-links.js';
import type { ContentLinks } from './content-links.js';
import { findOriginal, isStanding } from './content.queries.js';
import type { Original } from './content.queries.js';
import { ContentMode } from './content.types.js';
import type { SourceContent, SourceContentArgs } from './content.types.js';
import type { ItemFinder } from './item-finder.js';

interface ContentOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly items: ItemFinder;
  readonly originals: Originals;
  readonly contentLinks: ContentLinks;
}

/** Which part of an original is asked for, and the ETag it must still have. */
export interface AskedBytes {
  readonly range?: ByteRange | undefined;
  readonly ifRange?: string | undefined;
}

/** An original that is ready to be sent. */
export interface OpenedOriginal extends OpenedFile {
  readonly filename: string;
  readonly contentType: string;
  /** The ETag of its bytes; undefined where they are generated anew each time. */
  readonly etag: string | undefined;
}

/** What was read of a version. */
interface StoredContent {
  readonly text: string | null;
  readonly bytes: Buffer | null;
}

const nothing: StoredContent = { text: null, bytes: null };

/** Reads items: their text and originals. */
export class ContentService {
  constructor(private readonly options: ContentOptions) {}

  /**
   * The content of an item; links begin with `baseUrl`. @throws AppError SOURCE_NOT_FOUND, MEMORY_NOT_FOUND
   */
  async inspect(caller: Caller, args: SourceContentArgs, baseUrl: string): Promise<SourceContent> {
    const mode = args.mode ?? ContentMode.content;
    const seconds = readSeconds(args.expirySeconds);
    const wantsUrl = mode === ContentMode.url || mode === ContentMode.both;
    for (;;) {
      const { scope, item } = await this.options.items.find(caller, args);
      const { databaseId } = scope;
      const stored = await this.read(databaseId, item, mode);
      if (!stored) continue;
      const { text, bytes } = stored;
      return {
        id: item.id,
        type: scope.corpus,
        title: item.title,
        content: text,
        contentBase64: bytes?.toString('base64') ?? null,
        inferredContent: await this.inferredOf(databaseId, item),
        presignedUrl: wantsUrl ? await this.linkTo(item, { caller, databaseId, seconds, baseUrl }) : null,
        contentType: contentTypeOf(item),
        sizeBytes: bytes?.length ?? item.contentBytes,
        message: wantsText(mode) && text === null ? `not searchable yet: ${item.indexingStatus}` : 'found',
      };
    }
  }

  /** Opens what a link leads to; undefined when it is not valid any more. @throws UnsatisfiableRange */
  async open(token: string, { range, ifRange }: AskedBytes): Promise<OpenedOriginal | undefined> {
    const link = await this.options.contentLinks.read(token);
    if (!link) return undefined;
    const now = this.options.clock.now();
    const original = await findOriginal(this.options.postgres.manager, { ...link, now });
    if (!original || digestOfAcl(original.acl) !== link.aclDigest) return undefined;
    const shown = { filename: filenameOf(original), contentType: contentTypeOf(original) };
    const etag = original.storageKey === null ? undefined : `"${link.uid}"`;
    // If the file has changed, a part of it must not be appended to the beginning that the caller has.
    const cutBy = ifRange === undefined || ifRange === etag ? range : undefined;
    const file =
      original.storageKey === null
        ? openBytes(jsonOf(original), cutBy)
        : await this.options.originals.open(original.storageKey, cutBy);
    return file && { ...shown, ...file, etag };
  }

  /**
   * What is stored of a version, as far as a mode asks for it; the text is null while there is none. Undefined when the
   * version was replaced or deleted meanwhile, so that a part of it may have been gone. @throws AppError when its file is missing
   */
  private async read(
    databaseId: number,
    item: ShownOriginal,
    mode: ContentMode,
  ): Promise<StoredContent | undefined> {
    if (mode === ContentMode.original) {
      const bytes = await this.bytesOf(item);
      if (bytes) return { ...nothing, bytes };
      if (await this.isStanding(databaseId, item)) throw originalMissing(item);
      return undefined;
    }
    if (!wantsText(mode)) return nothing;
    if (item.memory) return { ...nothing, text: writtenMemory(item.memory) };
    if (!item.visible) return nothing;
    const text = await this.textOf(databaseId, item);
    return (await this.isStanding(databaseId, item)) ? { ...nothing, text } : undefined;
  }

  private isStanding(databaseId: number, { uid }: ShownOriginal): Promise<boolean> {
    return isStanding(this.options.postgres.manager, { databaseId, uid });
  }

  private async textOf(databaseId: number, { uid, corpus }: ShownOriginal): Promise<string> {
    const joiner = new ChunkJoiner();
    const { manager } = this.options.postgres;
    for await (const chunks of readChunks(manager, { databaseId, corpus }, uid))
      for (const { content, layout } of chunks) joiner.add(content, layout);
    return joiner.text;
  }

  private async inferredOf(databaseId: number, item: ShownOriginal): Promise<string | null> {
    if (!item.infer || !item.visible) return null;
    const uids = [item.uid];
    const now = this.options.clock.now();
    return inferredContent(await findFacts(this.options.postgres.manager, { databaseId, uids, now }));
  }

  private async linkTo(
    { uid, acl }: ShownOriginal,
    {
      caller,
      databaseId,
      seconds,
      baseUrl,
    }: { caller: Caller; databaseId: number; seconds: number; baseUrl: string },
  ): Promise<string> {
    const token = await this.options.contentLinks.sign({
      accountId: caller.accountId,
      databaseId,
      uid,
      expiresAtSeconds: Math.floor(this.options.clock.now().getTime() / 1000) + seconds,
      aclDigest: digestOfAcl(acl),
    });
    return `${baseUrl}/content/${token}`;
  }

  /** Undefined when the file does not exist. */
  private async bytesOf(item: ShownOriginal): Promise<Buffer | undefined> {
    if (item.storageKey === null) return jsonOf(item);
    const file = await this.options.originals.open(item.storageKey);
    return (
      file &&
      buffer(file.stream).catch((error: unknown) => {
        if (errorCodeOf(error) === 'ENOENT') return undefined;
        throw new StorageFailure(error);
      })
    );
  }
}

function wantsText(mode: ContentMode): boolean {
  return mode === ContentMode.content || mode === ContentMode.both;
}

function originalMissing({ id, corpus, visible }: ShownOriginal): AppError {
  return new AppError(
    corpus === 'memory' ? 'MEMORY_NOT_FOUND' : 'SOURCE_NOT_FOUND',
    `the original file of "${id}" is missing from the storage${visible ? '; mode content has what was read from it' : ''}`,
  );
}

function openBytes(bytes: Buffer, range: ByteRange | undefined): OpenedFile {
  const cut = range && cutOf(range, bytes.length);
  const sent = cut ? bytes.subarray(cut.first, cut.last + 1) : bytes;
  return { sizeBytes: bytes.length, cut, stream: Readable.from([sent]) };
}

function jsonOf({ memory, app }: Pick<Original, 'memory' | 'app'>): Buffer {
  return Buffer.from(JSON.stringify(memory ?? app));
}

function contentTypeOf({
  storageKey,
  filename,
  contentType,
}: Pick<Original, 'storageKey' | 'filename' | 'contentType'>): string {
  if (storageKey === null) return 'application/json';
  return mediaTypeOf(filename ?? '', contentType);
}

function filenameOf({ filename, title, storageKey }: Original): string {
  return storageKey === null ? `${title}.json` : filename || title;
}

function readSeconds(given: number | null | undefined): number {
  const { contentUrlSecondsMin: min, contentUrlSecondsMax: max } = LIMITS;
  const seconds = given ?? LIMITS.contentUrlSecondsDefault;
  if (seconds < min || seconds > max)
    throw invalidInput('expiry_seconds', `must be ${min} to ${max}, not ${seconds}`);
  return seconds;
}
