import type pg from 'pg';

/**
 * Whatever defaults a role or database has: statements are written for these, and answers parsed in these
 * formats. Timeouts would end migrations, index builds and connections that listen; how long a statement may
 * take is STATEMENT_TIMEOUT_MS. No JIT: compiling a statement that looks dear takes half a second, while it
 * runs for milliseconds.
 */
const settings = {
  jit: 'off',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  // Since Postgres 17.
  transaction_timeout: '0',
};

const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
// Without a limit first: under one of a millisecond all together would hardly end in time.
const statements = `set statement_timeout = 0;
  select set_config(name, value, false) from (values ${rows.join(', ')}) wanted (name, value) where current_setting(name, true) is not null`;

/** Makes a new connection to a native Postgres independent of the defaults of its role and database. */
export async function applySessionSettings(client: pg.ClientBase): Promise<void> {
  await client.query(statements);
}
