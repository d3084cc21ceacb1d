import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Embedder } from '../inference/embedder.js';
import { currentSignal } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import { dayMs } from '../lib/units.js';
import { query } from '../postgres/query.js';

interface EmbeddingCacheOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
}

/** A text to embed, and the database that it belongs to. */
export interface DatabaseText {
  readonly databaseId: number;
  readonly text: string;
}

const unusedDaysMax = 30;
const rowsMax = 500;

/**
 * Remembers vectors by what they were made of, for each database separately: text that is ingested again
 * unchanged is not embedded again. Only for embedders for which looking up is cheaper.
 */
export class EmbeddingCache {
  constructor(private readonly options: EmbeddingCacheOptions) {}

  /** One vector per text, in the same order; equal texts are embedded once. */
  async embed(texts: readonly DatabaseText[], embedder: Embedder): Promise<Float32Array[]> {
    const signal = currentSignal();
    if (!embedder.cached)
      return embedder.embedDocuments(
        texts.map(({ text }) => text),
        signal,
      );
    const digests = texts.map(({ text }) => digestOf(embedder, text));
    const known = new Map<string, Float32Array>();
    for (const databaseId of new Set(texts.map((text) => text.databaseId))) {
      const own = digests.filter((_, index) => texts[index]?.databaseId === databaseId);
      for (const [digest, vector] of await this.find(databaseId, own))
        known.set(`${databaseId} ${digest}`, vector);
    }
    const keys = texts.map(({ databaseId }, index) => `${databaseId} ${digests[index] ?? ''}`);
    const missing = [...new Set(keys.filter((key) => !known.has(key)))].map((key) => keys.indexOf(key));
    const made = await embedder.embedDocuments(
      missing.map((index) => texts[index]?.text ?? ''),
      signal,
    );
    const rows = missing.flatMap((index, n) => {
      const vector = made[n];
      if (!vector) return [];
      known.set(keys[index] ?? '', vector);
      return [{ databaseId: texts[index]?.databaseId ?? 0, digest: digests[index] ?? '', vector }];
    });
    await this.store(rows);
    return keys.flatMap((key) => known.get(key) ?? []);
  }

  /** Removes some vectors that no text has asked for in a long time; false when none are left. */
  async deleteUnused(): Promise<boolean> {
    const before = new Date(this.options.clock.now().getTime() - unusedDaysMax * dayMs);
    const gone = await query(
      this.options.postgres.manager,
      `delete from embedding_cache e using
         (select database_id, digest from embedding_cache where used_at < $1 order by used_at limit $2) old
        where e.database_id = old.database_id and e.digest = old.digest returning 1`,
      [before, rowsMax],
    );
    return gone.length > 0;
  }

  private async find(databaseId: number, digests: readonly string[]): Promise<Map<string, Float32Array>> {
    const { postgres, clock } = this.options;
    const now = clock.now();
    const rows = await query<{ digest: string; vector: Buffer; usedAt: Date }>(
      postgres.manager,
      `select encode(digest, 'hex') as digest, vector, used_at as "usedAt" from embedding_cache
        where database_id = $1 and digest = any(array(select decode(d, 'hex') from unnest($2::text[]) as d))`,
      [databaseId, [...new Set(digests)]],
    );
    const yesterday = now.getTime() - dayMs;
    const stale = rows.filter(({ usedAt }) => usedAt.getTime() < yesterday);
    if (stale.length > 0) {
      await query(
        postgres.manager,
        `update embedding_cache set used_at = $3
          where database_id = $1 and digest = any(array(select decode(d, 'hex') from unnest($2::text[]) as d))`,
        [databaseId, stale.map(({ digest }) => digest), now],
      );
    }
    return new Map(rows.map(({ digest, vector }) => [digest, fromBytes(vector)]));
  }

  private async store(
    rows: readonly { databaseId: number; digest: string; vector: Float32Array }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    // In the order of the key, so that writers of the same texts do not deadlock.
    await query(
      this.options.postgres.manager,
      `insert into embedding_cache (database_id, digest, vector, used_at)
       select n.id, decode(n.digest, 'hex'), n.vector, $4
         from unnest($1::int[], $2::text[], $3::bytea[]) as n(id, digest, vector)
         join databases d on d.id = n.id and d.status = 'ready'
        order by n.id, n.digest
       on conflict do nothing`,
      [
        rows.map((row) => row.databaseId),
        rows.map((row) => row.digest),
        rows.map((row) => Buffer.from(row.vector.buffer, row.vector.byteOffset, row.vector.byteLength)),
        this.options.clock.now(),
      ],
    );
  }
}

/** Removes some of the cache of a database that is being deleted; false when nothing is left. */
export async function deleteEmbeddingsOf(postgres: DataSource, databaseId: number): Promise<boolean> {
  const gone = await query(
    postgres.manager,
    `delete from embedding_cache where database_id = $1 and digest in
       (select digest from embedding_cache where database_id = $1 limit $2) returning 1`,
    [databaseId, rowsMax],
  );
  return gone.length > 0;
}

// With the length, because providers serve vectors of several lengths under one model name.
function digestOf({ model, dimensions }: Embedder, text: string): string {
  return createHash('sha256').update(`${model}\0${dimensions}\0${text}`).digest('hex');
}

// Copied, because a buffer of pg may begin at any byte.
function fromBytes(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
