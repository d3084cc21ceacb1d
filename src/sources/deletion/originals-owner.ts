import type { DataSource, EntityManager } from 'typeorm';
import type { Clock } from '../../lib/clock.js';
import { query, queryOne } from '../../postgres/query.js';
import type { Originals } from '../../storage/originals.js';

interface OwnerOptions {
  readonly postgres: DataSource;
  readonly originals: Originals;
  readonly clock: Clock;
}

const mark = 'originals-folder';

/** Whether the stored files belong to this database; the first database to ask owns them. */
export async function ownsOriginals({
  postgres,
  originals,
}: Pick<OwnerOptions, 'postgres' | 'originals'>): Promise<boolean> {
  const owner = await findOwner(postgres.manager);
  if (owner === undefined) return false;
  await originals.claim(owner);
  return (await originals.owner()) === owner;
}

/**
 * Where this process stores files: with the other processes of its database (`shared`), where another
 * database does (`foreign`), or apart from where its database does.
 */
export type OriginalsPlace = 'shared' | 'foreign' | 'apart';

/**
 * Once a folder has been claimed the database remembers that, so that an empty folder is recognised as
 * another one. Of two processes that start together the second waits for the first one's row.
 */
export async function placeOfOriginals({
  postgres,
  originals,
  clock,
}: OwnerOptions): Promise<OriginalsPlace> {
  if (originals.isShared) return 'shared';
  return postgres.transaction(async (manager) => {
    const marked = await query(
      manager,
      `insert into secrets (name, value, created_at) values ($1, '', $2) on conflict (name) do nothing returning 1`,
      [mark, clock.now()],
    );
    const isFirst = marked.length > 0;
    const owner = await findOwner(manager);
    if (isFirst && owner !== undefined) await originals.claim(owner);
    if (owner !== undefined && (await originals.owner()) === owner) return 'shared';
    if (!isFirst) return 'apart';
    await query(manager, 'delete from secrets where name = $1', [mark]);
    return 'foreign';
  });
}

// The first account stands for the database: it moves along in a dump, and no other database has it.
async function findOwner(manager: EntityManager): Promise<string | undefined> {
  const first = await queryOne<{ id: string }>(
    manager,
    'select id from accounts order by created_at, id limit 1',
  );
  return first?.id;
}
