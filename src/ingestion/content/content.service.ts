import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { AppError, invalidInput } from '../../errors.js';
import { boundedNumber } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { counted } from '../../lib/counted.js';
import { LIMITS } from '../../limits.js';
import { errorCodeOf } from '../../postgres/query.js';
import type { Corpus } from '../../postgres/stores.js';
import { mayReadSql, readReaders } from '../../sources/acl.js';
import { findFacts } from '../../sources/facts.queries.js';
import { findShown } from '../../sources/lists/shown-items.queries.js';
import type { ShownOriginal } from '../../sources/lists/shown-items.queries.js';
import { readCorpora } from '../../sources/read-corpus.js';
import type { SourceScope } from '../../sources/sources.queries.js';
import { readChunks } from '../../sources/stored-chunks.queries.js';
import { cutOf } from '../../storage/byte-range.js';
import type { ByteRange } from '../../storage/byte-range.js';
import type { OpenedFile, Originals } from '../../storage/originals.js';
import { StorageFailure } from '../../storage/storage-failure.js';
import { withHeadings } from '../chunking/chunk-headings.js';
import { ChunkJoiner } from '../chunking/join-chunks.js';
import { inferredContent } from '../memories/memory.service.js';
import { mediaTypeOf } from '../parsers/parsers.js';
import { writtenMemory } from '../preparation/memory-text.js';
import { digestOfAcl } from './content-links.js';
import type { ContentLinks } from './content-links.js';
import { findOriginal, findReadableChunks } from './content.queries.js';
import type { Original } from './content.queries.js';
import { ContentMode } from './content.types.js';
import type {
  ChunksArgs,
  SourceChunk,
  SourceChunkList,
  SourceContent,
  SourceContentArgs,
} from './content.types.js';

interface ContentOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
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

/** Reads items: their text, chunks and originals. */
export class ContentService {
  constructor(private readonly options: ContentOptions) {}

  /**
   * The content of an item; links begin with `baseUrl`. @throws AppError SOURCE_NOT_FOUND, MEMORY_NOT_FOUND
   */
  async inspect(caller: Caller, args: SourceContentArgs, baseUrl: string): Promise<SourceContent> {
    const mode = args.mode ?? ContentMode.content;
    const seconds = readSeconds(args.expirySeconds);
    const { scope, item } = await this.findItem(caller, args);
    const { databaseId } = scope;
    const wantsText = mode === ContentMode.content || mode === ContentMode.both;
    const wantsUrl = mode === ContentMode.url || mode === ContentMode.both;
    const bytes = mode === ContentMode.original ? await this.bytesOf(item) : null;
    if (bytes === undefined) throw await this.originalMissing(caller, args);
    const isPending = wantsText && !item.memory && !item.visible;
    return {
      id: item.id,
      type: scope.corpus,
      title: item.title,
      content: wantsText && !isPending ? await this.textOf(databaseId, item) : null,
      contentBase64: bytes?.toString('base64') ?? null,
      inferredContent: await this.inferredOf(databaseId, item),
      presignedUrl: wantsUrl ? await this.linkTo(item, { caller, databaseId, seconds, baseUrl }) : null,
      contentType: contentTypeOf(item),
      sizeBytes: bytes?.length ?? item.contentBytes,
      message: isPending ? `not searchable yet: ${item.indexingStatus}` : 'found',
    };
  }

  /**
   * Chunks by item, or by id. @throws AppError SOURCE_NOT_FOUND, MEMORY_NOT_FOUND when the item does not
   * exist
   */
  async chunks(caller: Caller, args: ChunksArgs): Promise<SourceChunkList> {
    const { id = null, chunkIds = null } = args;
    if (id === null && chunkIds === null) throw invalidInput('id', 'or chunk_ids is required', ['chunk_ids']);
    const wanted = readChunkIds(chunkIds);
    const limit = boundedNumber(
      args.limit ?? wanted?.size ?? LIMITS.chunksDefault,
      'limit',
      LIMITS.chunksMax,
    );
    const readers = readReaders(caller, args.acl);
    const corpora =
      id === null ? readCorpora(args.type) : [(await this.findItem(caller, { ...args, id })).scope.corpus];
    const found: SourceChunk[] = [];
    for (const scope of await this.findScopes(caller, args, corpora)) {
      const rows = await findReadableChunks(this.options.postgres.manager, scope, {
        id,
        chunkIds: wanted ? [...wanted.keys()].filter((each) => isUuid(each)) : null,
        readers,
        now: this.options.clock.now(),
        limit: wanted?.size ?? limit + 1,
      });
      found.push(
        ...rows.map(({ content, ...row }) => ({
          ...row,
          chunkContent: withHeadings({ ...row, content }),
          sourceType: scope.corpus,
          collection: collectionName(args.collection),
        })),
      );
    }
    const seen = new Set(found.map(({ chunkUuid }) => chunkUuid));
    const rank = new Map([...(wanted?.keys() ?? [])].map((each, index) => [each, index]));
    if (wanted) found.sort((a, b) => (rank.get(a.chunkUuid) ?? 0) - (rank.get(b.chunkUuid) ?? 0));
    const chunks = found.slice(0, limit);
    return {
      chunks,
      type: onlyCorpus(corpora) ?? onlyCorpus(found.map(({ sourceType }) => sourceType)),
      isTruncated: found.length > limit,
      missingChunkIds: [...(wanted ?? [])].flatMap(([each, given]) => (seen.has(each) ? [] : [given])),
      message: counted(chunks.length, 'chunk'),
    };
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

  private async findItem(
    caller: Caller,
    { type, id, acl, ...place }: Pick<SourceContentArgs, 'database' | 'collection' | 'type' | 'id' | 'acl'>,
  ): Promise<{ scope: SourceScope; item: ShownOriginal }> {
    const corpora = readCorpora(type);
    const readers = readReaders(caller, acl);
    for (const scope of await this.findScopes(caller, place, corpora)) {
      const [item] = await findShown(this.options.postgres.manager, scope, {
        ids: [id],
        now: this.options.clock.now(),
        condition: (alias, add) => mayReadSql(`${alias}.acl`, readers, add),
      });
      if (item) return { scope, item };
    }
    throw notFound(id, type);
  }

  /** Empty while no write has made the collection. */
  private async findScopes(
    caller: Caller,
    args: Pick<ChunksArgs, 'database' | 'collection'>,
    corpora: readonly Corpus[],
  ): Promise<SourceScope[]> {
    const { collections } = this.options;
    const name = collectionName(args.collection);
    const { database, collectionId } = await collections.findReadyCollection(caller, args.database, name);
    if (collectionId === undefined) return [];
    return corpora.map((corpus) => ({ databaseId: database.id, collectionId, corpus }));
  }

  private async textOf(databaseId: number, { uid, corpus, memory }: ShownOriginal): Promise<string> {
    if (memory) return writtenMemory(memory);
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

  /** @throws AppError when the item, and with it its file, was deleted after it had been found */
  private async originalMissing(caller: Caller, args: SourceContentArgs): Promise<AppError> {
    const { item } = await this.findItem(caller, args);
    return new AppError(
      item.corpus === 'memory' ? 'MEMORY_NOT_FOUND' : 'SOURCE_NOT_FOUND',
      `the original file of "${item.id}" is missing from the storage${item.visible ? '; mode content has what was read from it' : ''}`,
    );
  }
}

function notFound(id: string, type: string | null | undefined): AppError {
  return type === 'memory'
    ? new AppError('MEMORY_NOT_FOUND', `there is no memory "${id}"`)
    : new AppError('SOURCE_NOT_FOUND', `there is no source "${id}"`);
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

function onlyCorpus(corpora: readonly Corpus[]): Corpus | null {
  const [corpus = null, ...others] = new Set(corpora);
  return others.length === 0 ? corpus : null;
}

function readSeconds(given: number | null | undefined): number {
  const { contentUrlSecondsMin: min, contentUrlSecondsMax: max } = LIMITS;
  const seconds = given ?? LIMITS.contentUrlSecondsDefault;
  if (seconds < min || seconds > max)
    throw invalidInput('expiry_seconds', `must be ${min} to ${max}, not ${seconds}`);
  return seconds;
}

/** The ids in the form in which Postgres writes them, each with how the caller wrote it. */
function readChunkIds(given: readonly string[] | null): ReadonlyMap<string, string> | null {
  if (given === null) return null;
  if (given.length < 1 || given.length > LIMITS.chunksMax)
    throw invalidInput('chunk_ids', `has ${given.length} ids; it must be 1 to ${LIMITS.chunksMax}`);
  return new Map(given.map((id) => [isUuid(id) ? id.toLowerCase() : id, id]));
}
