import type { EntityManager } from 'typeorm';
import { keyIdBytes } from '../lib/secret-box.js';
import type { SecretBox } from '../lib/secret-box.js';
import { query } from './query.js';

/** A column of sealed secrets. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column that names the row. */
  readonly id: string;
  /** What the secret of a row is sealed for. */
  readonly contextOf: (id: string) => string;
}

/**
 * Seals anew what older keys have sealed, so that these may be left out from then on. @throws UnopenableSecretError
 * when a secret was changed
 */
export async function resealColumn(
  manager: EntityManager,
  secretBox: SecretBox,
  { table, column, id, contextOf }: SealedColumn,
): Promise<void> {
  const older = secretBox.olderKeyIds;
  if (older.length === 0) return;
  const rows = await query<{ id: string; sealed: Buffer }>(
    manager,
    `select ${id}::text as id, ${column} as sealed from ${table}
      where substring(${column} from 1 for ${keyIdBytes}) = any($1::bytea[])`,
    [older],
  );
  for (const row of rows) {
    const context = contextOf(row.id);
    // Does not overwrite what somebody has entered meanwhile.
    await query(manager, `update ${table} set ${column} = $2 where ${id} = $1 and ${column} = $3`, [
      row.id,
      secretBox.seal(secretBox.open(row.sealed, context), context),
      row.sealed,
    ]);
  }
}
