import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import { invalidInput } from '../../errors.js';
import { boundedNumber, checkCount } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { counted } from '../../lib/counted.js';
import { LIMITS } from '../../limits.js';
import type { Corpus } from '../../postgres/stores.js';
import { readReaders } from '../../sources/acl.js';
import { readCorpora } from '../../sources/read-corpus.js';
import { withHeadings } from '../chunking/chunk-headings.js';
import { findReadableChunks } from './content.queries.js';
import type { ChunksArgs, SourceChunk, SourceChunkList } from './content.types.js';
import type { ItemFinder } from './item-finder.js';

interface ChunksOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly items: ItemFinder;
}

/** The chunks of an item, those with some ids, or both. */
interface WantedChunks {
  readonly id: string | null;
  /** The ids in the form in which Postgres writes them, each with how the caller wrote it. */
  readonly chunkIds: ReadonlyMap<string, string> | null;
  readonly limit: number;
}

/** Reads chunks as they are indexed. */
export class ChunksService {
  constructor(private readonly options: ChunksOptions) {}

  /**
   * Chunks by item in the order of its text, or by id in the order of the ids. @throws AppError
   * INVALID_INPUT; SOURCE_NOT_FOUND, MEMORY_NOT_FOUND when the item does not exist
   */
  async list(caller: Caller, args: ChunksArgs): Promise<SourceChunkList> {
    const wanted = readWanted(args);
    const corpora = await this.corporaOf(caller, args, wanted);
    const found = await this.find(caller, args, { wanted, corpora });
    const { chunkIds, limit } = wanted;
    const chunks = found.slice(0, limit);
    const seen = new Set(found.map(({ chunkUuid }) => chunkUuid));
    return {
      chunks,
      type: onlyCorpus(corpora) ?? onlyCorpus(found.map(({ sourceType }) => sourceType)),
      isTruncated: found.length > limit,
      missingChunkIds: [...(chunkIds ?? [])].flatMap(([id, given]) => (seen.has(id) ? [] : [given])),
      message: counted(chunks.length, 'chunk'),
    };
  }

  /** The corpus of the item, or those that are asked for where chunks are wanted by their ids alone. */
  private async corporaOf(
    caller: Caller,
    args: ChunksArgs,
    { id }: WantedChunks,
  ): Promise<readonly Corpus[]> {
    if (id === null) return readCorpora(args.type);
    const { scope } = await this.options.items.find(caller, { ...args, id });
    return [scope.corpus];
  }

  /** All wanted chunks that there are; of an item one more than the limit, if it has more. */
  private async find(
    caller: Caller,
    args: ChunksArgs,
    { wanted, corpora }: { wanted: WantedChunks; corpora: readonly Corpus[] },
  ): Promise<SourceChunk[]> {
    const { postgres, clock, items } = this.options;
    const { id, chunkIds, limit } = wanted;
    const readers = readReaders(caller, args.acl);
    const collection = collectionName(args.collection);
    const found: SourceChunk[] = [];
    for (const scope of await items.findScopes(caller, args, corpora)) {
      const rows = await findReadableChunks(postgres.manager, scope, {
        id,
        chunkIds: chunkIds && [...chunkIds.keys()].filter((each) => isUuid(each)),
        readers,
        now: clock.now(),
        limit: chunkIds?.size ?? limit + 1,
      });
      for (const { content, ...row } of rows) {
        const chunkContent = withHeadings({ ...row, content });
        found.push({ ...row, chunkContent, sourceType: scope.corpus, collection });
      }
    }
    return chunkIds ? inOrderOf([...chunkIds.keys()], found) : found;
  }
}

/** @throws AppError INVALID_INPUT naming the argument and its bound */
function readWanted({ id = null, chunkIds = null, limit }: ChunksArgs): WantedChunks {
  if (id === null && chunkIds === null) throw invalidInput('id', 'or chunk_ids is required', ['chunk_ids']);
  const ids = readChunkIds(chunkIds);
  const asked = limit ?? ids?.size ?? LIMITS.chunksDefault;
  return { id, chunkIds: ids, limit: boundedNumber(asked, 'limit', LIMITS.chunksMax) };
}

function readChunkIds(given: readonly string[] | null): WantedChunks['chunkIds'] {
  if (given === null) return null;
  checkCount(given.length, 'chunk_ids', { noun: 'ids', min: 1, max: LIMITS.chunksMax });
  return new Map(given.map((id) => [isUuid(id) ? id.toLowerCase() : id, id]));
}

function inOrderOf(ids: readonly string[], chunks: readonly SourceChunk[]): SourceChunk[] {
  const rank = new Map(ids.map((id, index) => [id, index]));
  return [...chunks].sort((a, b) => (rank.get(a.chunkUuid) ?? 0) - (rank.get(b.chunkUuid) ?? 0));
}

function onlyCorpus(corpora: readonly Corpus[]): Corpus | null {
  const [corpus = null, ...others] = new Set(corpora);
  return others.length === 0 ? corpus : null;
}
