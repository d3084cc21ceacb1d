import type { DataSource } from 'typeorm';
import type { Clock } from '../lib/clock.js';
import { query, queryOne } from '../postgres/query.js';
import type { Originals } from '../storage/originals.js';

interface OwnerOptions {
  readonly postgres: DataSource;
  readonly originals: Originals;
  readonly clock: Clock;
}

const mark = 'originals-folder';

/** Whether the stored files are this database's; the first to ask owns them. */
export async function ownsOriginals({
  postgres,
  originals,
}: Pick<OwnerOptions, 'postgres' | 'originals'>): Promise<boolean> {
  const owner = await findOwner(postgres);
  if (owner === undefined) return false;
  await originals.claim(owner);
  return (await originals.owner()) === owner;
}

/**
 * Whether this process stores files where all processes of its database do. The database remembers that a folder was
 * claimed for it: from then on an empty one is another.
 */
export async function sharesOriginals(options: OwnerOptions): Promise<boolean> {
  const { postgres, originals, clock } = options;
  if (originals.isShared) return true;
  const isClaimed = await queryOne(postgres.manager, 'select 1 from secrets where name = $1', [mark]);
  if (isClaimed && (await originals.owner()) === undefined) return false;
  if (!(await ownsOriginals(options))) return false;
  await query(
    postgres.manager,
    `insert into secrets (name, value, created_at) values ($1, '', $2) on conflict (name) do nothing`,
    [mark, clock.now()],
  );
  return true;
}

// The first account stands for the database: it moves with a dump, and no other database has it.
async function findOwner(postgres: DataSource): Promise<string | undefined> {
  const first = await queryOne<{ id: string }>(
    postgres.manager,
    'select id from accounts order by created_at, id limit 1',
  );
  return first?.id;
}
