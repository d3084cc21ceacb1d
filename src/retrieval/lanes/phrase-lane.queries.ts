import type { DataSource } from 'typeorm';
import { prepared } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import { versionSql } from '../../sources/sources.queries.js';

/**
 * The texts in which a phrase may stand, by chunk id: the text of the chunk, the title of its item, the
 * item's key in its application, and each heading.
 */
export async function findPhraseTexts(
  postgres: DataSource,
  store: Store,
  chunkIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await query<{
    id: string;
    title: string;
    key: string | null;
    headings: unknown;
    content: string;
  }>(
    postgres.manager,
    prepared(`select c.id, s.title, s.app_external_id as key, c.layout -> 'headings' as headings, c.content
       from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where c.id = any($1::bigint[])`),
    [chunkIds],
  );
  return new Map(
    rows.map(({ id, title, key, headings, content }) => [
      id,
      [content, title, key ?? '', ...(Array.isArray(headings) ? (headings as string[]) : [])],
    ]),
  );
}
