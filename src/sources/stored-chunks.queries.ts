import type { EntityManager } from 'typeorm';
import { query } from '../postgres/query.js';
import { storeTable } from '../postgres/stores.js';
import type { Store } from '../postgres/stores.js';
import type { JsonObject } from './source.types.js';

interface StoredChunk {
  readonly position: number;
  readonly content: string;
  readonly layout: JsonObject;
}

const chunksAtOnce = 200;

/** The chunks of a version in order, a few at a time: an item may hold more text than should be in memory. */
export async function* readChunks(
  manager: EntityManager,
  store: Store,
  uid: string,
): AsyncGenerator<readonly StoredChunk[]> {
  const sql = `select position, content, layout from ${storeTable('chunks', store)}
      where source_uid = $1 and position > $2 order by position limit $3`;
  for (let after = -1; ;) {
    const some = await query<StoredChunk>(manager, sql, [uid, after, chunksAtOnce]);
    if (some.length > 0) yield some;
    if (some.length < chunksAtOnce) return;
    after = some.at(-1)?.position ?? after;
  }
}
