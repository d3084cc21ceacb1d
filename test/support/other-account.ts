import type { TestServer } from './server.js';

/** The admin key of an account that is not ours. */
export const otherKey = 'other.0123456789abcdef0123456789abcdef';

/** Makes that account and its key. */
export async function addOtherAccount(server: TestServer): Promise<void> {
  const account = '00000000-0000-7000-8000-000000000001';
  await server.sql(`insert into accounts (id, name, created_at) values ($1, 'other', now())`, [account]);
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, created_at)
     select 'other', $1, secret_hash, 'other', '{admin}', created_at from api_keys where prefix = 'test'`,
    [account],
  );
}
