import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Graphs, suppliedGraph, triplets } from '../support/graphs.js';

let graphs: Graphs;
let table: string;
beforeAll(async () => {
  graphs = await Graphs.start();
  table = `relation_groups_${await graphs.server.databaseId(graphs.database)}_memory`;
});
afterAll(async () => graphs.server.stop());

const remember = (memories: readonly Record<string, unknown>[], graph_payload: Record<string, unknown>) =>
  graphs.server.remember(graphs.database, [...memories], { graph_payload });
const graphOf = (name: string, count: number) =>
  suppliedGraph(Array.from({ length: count }, (_, n) => [name, 'knows', `${name} ${n}`] as const));
const countOf = async (id: string) =>
  triplets((await graphs.relations({ type: 'memory', id })).relations).length;

/** Puts groups of another writer at the first free places of a moment, just before a writer stores its own there. */
async function whileAnotherStores(date: string, count: number, write: () => Promise<unknown>): Promise<void> {
  const first = Date.parse(date) * 1000;
  await graphs.server.sql('create sequence writes');
  await graphs.server.sql(`create function another() returns trigger language plpgsql as $$ begin
    if nextval('writes') = 1 then
      insert into ${table} (database_id, collection_id, source_uid, position, stated_at, source_entity, target_entity,
          source, target, relations)
        select c.database_id, c.id, 0, ${first} + n, now(), gen_random_uuid(), gen_random_uuid(), '{}', '{}', '[]'
          from collections c, generate_series(0, ${count - 1}) as n;
    end if;
    return null; end $$`);
  await graphs.server.sql(
    `create trigger another before insert on ${table} for each statement execute function another()`,
  );
  try {
    await write();
  } finally {
    await graphs.server.sql(`drop trigger another on ${table}`);
    await graphs.server.sql('drop function another()');
    await graphs.server.sql('drop sequence writes');
  }
}

test('of two who store relations of one moment at once, neither loses any', async () => {
  await remember([{ id: 'first', text: 'makes the collection' }], {});
  await whileAnotherStores('2024-01-01', 5, () =>
    remember([{ id: 'shared', text: 'one', observation_date: '2024-01-01' }], { shared: graphOf('Ada', 8) }),
  );
  expect(await countOf('shared')).toBe(8);
});

test('relations of moments that share positions are all kept', async () => {
  // Far from today two moments a millisecond apart are two positions apart.
  const app_knowledge = ['00.000', '00.001'].map((seconds, n) => ({
    id: `far${n}`,
    provider: 'chat',
    kind: 'message',
    timestamp: `2400-01-01T00:00:${seconds}Z`,
    fields: { body: 'far from today' },
  }));
  const graph_payload = { far0: graphOf('Bea', 6), far1: graphOf('Cy', 6) };
  await graphs.items.store(app_knowledge, { graph_payload });
  const { relations } = await graphs.relations();
  expect(triplets(relations)).toHaveLength(12);
});
