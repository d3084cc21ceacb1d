import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const warning = 40;
const lines: Line[] = [];
let server: TestServer;
let database: string;
let chunks: string;
beforeAll(async () => {
  server = await TestServer.start({ log: (line) => lines.push(JSON.parse(line) as Line) });
  database = await server.database();
  chunks = `chunks_${await server.databaseId(database)}_memory`;
  await server.sql(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no room' using errcode = tg_argv[0]; end $$`,
  );
});
beforeEach(() => void (lines.length = 0));
afterAll(async () => server.stop());

/** Remembers items while chunks cannot be stored, and lets time pass until all tries are used up. */
async function rememberInVain(state: string, ids: readonly string[]): Promise<void> {
  await server.sql(`create trigger fail before insert on ${chunks} execute function fail('${state}')`);
  await server.remember(
    database,
    ids.map((id) => ({ id, text: 'words' })),
  );
  for (let pause = 0; pause < 10; pause += 1) {
    server.clock.advance(301);
    await server.idle();
  }
  await server.sql(`drop trigger fail on ${chunks}`);
}
const told = (level: number) =>
  lines
    .filter((line) => line.level >= level && /indexing|items wait/.test(line.msg))
    .map(({ msg, attempts, errorCode, dependency, reason }) =>
      JSON.parse(JSON.stringify({ msg, attempts, errorCode, dependency, reason })),
    );

test('an item at fault is an error in the log once, when its last try has failed', async () => {
  await rememberInVain('P0001', ['poison']);
  expect(await server.statusOf(database, 'poison')).toMatchObject({ indexing_status: 'errored' });
  const reason = expect.stringContaining('no room');
  const tries = [1, 2, 3, 4, 5, 6, 7];
  expect(told(warning)).toEqual([
    ...tries.map((attempts) => ({
      msg: 'indexing will be tried again',
      attempts,
      errorCode: 'E6001',
      reason,
    })),
    { msg: 'indexing failed', attempts: 8, errorCode: 'E6001', reason },
  ]);
  const errors = lines.filter(({ level, msg }) => level > warning && /indexing/.test(msg));
  expect(errors).toEqual([
    expect.objectContaining({ id: 'poison', collection: 'default', corpus: 'memory' }),
  ]);
});

test('an outage is a warning that names the dependency and why, and no error', async () => {
  await rememberInVain('53100', ['waits-1', 'waits-2', 'waits-3']);
  expect(await server.statusOf(database, 'waits-1')).toMatchObject({ indexing_status: 'processing' });
  const warnings = told(warning);
  expect(warnings.length).toBeGreaterThan(0);
  for (const each of warnings)
    expect(each).toEqual({
      msg: 'fails; items wait',
      dependency: 'storage',
      reason: expect.stringContaining('no room'),
    });
});

test('a database whose model this server does not run is a warning once, and once more when that happens again', async () => {
  const move = async (model: string) =>
    server.sql(`update databases set embedding_model = $1 where name = $2`, [model, database]);
  const [kept] = await server.sql<{ model: string }>(
    'select embedding_model as model from databases where name = $1',
    [database],
  );
  // What the test before took away is tried again.
  server.clock.advance(301);
  const waits = () => lines.filter(({ level, msg }) => level === warning && msg === 'indexing waits');
  for (const round of [1, 2]) {
    await move('another-model');
    await server.remember(database, [{ id: `first-${round}`, text: 'words' }]);
    await server.remember(database, [{ id: `second-${round}`, text: 'words' }]);
    expect(waits()).toHaveLength(round);
    await move(kept?.model ?? '');
    server.clock.advance(301);
    await server.idle();
    for (const id of [`first-${round}`, `second-${round}`])
      expect(await server.statusOf(database, id)).toMatchObject({ indexing_status: 'completed' });
  }
});
