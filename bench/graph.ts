// Reads of a large graph over HTTP: subgraphs, and a page of relations beside its bare SQL and JSON.stringify.
// npm run bench:graph [-- items]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import type pg from 'pg';
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer } from './server.js';

const items = Number(process.argv[2] ?? 100_000);
const linksPerItem = 10;
const groups = items * 2;
const pageSize = 5000;
const subgraphs = 300;
const pages = 30;
// Until the server's code is compiled.
const subgraphsWarmUp = 150;
const pagesWarmUp = 30;
const batch = 10_000;
const database = `bench-${Date.now()}`;

/** What src/graph/entity-key.ts makes of an item's id, in SQL. */
const keySql = `(select (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-8' || substr(h, 14, 3) || '-' ||
  to_hex(('x' || substr(h, 17, 1))::bit(4)::int & 3 | 8) || substr(h, 18, 3) || '-' || substr(h, 21, 12))::uuid
  from (select encode(sha256(convert_to('[' || c.id || ',"item","i' || t.n || '"]', 'utf8')), 'hex') as h) d)`;

/** Fills the collection behind the API: what is measured is reading. */
async function fill(server: BenchServer): Promise<{ postgres: pg.Client; store: string }> {
  await server.call('POST', '/context/ingest', {
    database,
    app_knowledge: [{ id: 'first', content: { text: 'first' } }],
  });
  const postgres = await server.connect();
  // Ended with the server when something fails.
  postgres.on('error', () => undefined);
  const { rows } = await postgres.query<{ id: number }>('select id from databases where name = $1', [
    database,
  ]);
  const store = `${rows[0]?.id}_knowledge`;
  const collection = `(select c.id, c.database_id from collections c join databases d on d.id = c.database_id and d.name = '${database}') c`;
  const insert = async (sql: string, count: number) => {
    for (let start = 1; start <= count; start += batch)
      await postgres.query(sql, [start, Math.min(start + batch - 1, count)]);
  };
  await insert(
    `insert into sources (database_id, collection_id, corpus, id, latest, visible, indexing_status, error_code, error_message,
       status_updated_at, attempts, next_attempt_at, queue_at, title, content_bytes, metadata, additional_metadata, large,
       chunk_count, created_at, updated_at)
     select c.database_id, c.id, 'knowledge', 'i' || n, true, true, 'completed', '', '', now(), 0, now(), now(), 'item ' || n,
            100, '{}', '{}', false, 0, now(), now() from ${collection}, generate_series($1::int, $2::int) n`,
    items,
  );
  await insert(
    `insert into item_links_${store} (database_id, collection_id, source_uid, position, stated_at, role, key, predicate, raw_predicate, target)
     select c.database_id, c.id, s.uid, e.n, now() - e.n * interval '1 millisecond', 1, ${keySql}, 'relates_to', 'relates_to',
            jsonb_build_object('id', 'i' || t.n)
       from ${collection}, generate_series($1::int, $2::int) l,
            lateral (select 1 + (l - 1) / ${linksPerItem} as n, 1 + (hashint8(l) & 2147483647) % ${items} as target) e
       join sources s on s.id = 'i' || e.n, lateral (select e.target as n) t where s.database_id = c.database_id`,
    items * linksPerItem,
  );
  await insert(
    `insert into relation_groups_${store} (database_id, collection_id, source_uid, position, stated_at, source_entity, target_entity, source, target, relations)
     select c.database_id, c.id, s.uid, 1795000000000000 + n, now(), gen_random_uuid(), gen_random_uuid(),
            jsonb_build_object('name', 'entity ' || n, 'type', 'THING', 'namespace', '', 'identifier', null, 'provider', ''),
            jsonb_build_object('name', 'entity ' || n + 1, 'type', 'THING', 'namespace', '', 'identifier', null, 'provider', ''),
            jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'predicate', 'is_part_of', 'raw', 'is part of',
              'context', 'entity ' || n || ' is part of what was there before it was', 'confidence', 0.9, 'temporal', null, 'origin', 'byog'))
       from ${collection}, generate_series($1::int, $2::int) n join sources s on s.id = 'i' || 1 + n % ${items} and s.latest
      where s.database_id = c.database_id`,
    groups,
  );
  for (const table of ['sources', `item_links_${store}`, `relation_groups_${store}`])
    await postgres.query(`vacuum (analyze) ${table}`);
  return { postgres, store };
}

async function measureSubgraphs(server: BenchServer): Promise<void> {
  const times: number[] = [];
  const floor: number[] = [];
  let members = 0;
  for (let n = 0; n < subgraphs + subgraphsWarmUp; n += 1) {
    const path = `/context/i${1 + ((n * 7919) % items)}/subgraph?database=${database}&depth=3&max_sources=200`;
    let answer = '';
    const milliseconds = await timed(async () => {
      answer = await server.fetchText(path);
    });
    members += (JSON.parse(answer) as { data: { sources: unknown[] } }).data.sources.length;
    // The least that any call costs: what the machine does besides falls on both.
    const least = await timed(() => server.fetchText(`/databases/status?database=${database}`));
    if (n < subgraphsWarmUp) continue;
    times.push(milliseconds);
    floor.push(least);
  }
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1));
  const mean = (members / (subgraphs + subgraphsWarmUp)).toFixed(0);
  console.log(`subgraph, depth 3, at most 200 sources (${mean} on average): p50 ${p50} ms, p95 ${p95} ms`);
  console.log(`a call that reads one row meanwhile: p50 ${percentile(floor, 0.5).toFixed(1)} ms`);
}

async function measurePages(
  server: BenchServer,
  { postgres, store }: { postgres: pg.Client; store: string },
): Promise<void> {
  const bare = `select g.position, g.stated_at, g.chunk_uuid, g.source_entity, g.target_entity, g.source, g.target, g.relations
     from relation_groups_${store} g join sources s on s.database_id = g.database_id and s.uid = g.source_uid and s.visible
    where g.collection_id = (select min(collection_id) from relation_groups_${store}) and g.position < $1
    order by g.position desc limit ${pageSize + 1}`;
  const times = { api: [] as number[], bare: [] as number[] };
  for (let n = 0; n < pages + pagesWarmUp; n += 1) {
    const cursor = 1_795_000_000_000_000 + groups - n * 100;
    const path = `/context/relations?database=${database}&limit=${pageSize}&cursor=${cursor}`;
    const ways = [
      ['api', () => server.fetchText(path)],
      ['bare', async () => JSON.stringify((await postgres.query(bare, [cursor])).rows)],
    ] as const;
    // Alternating, so that whatever else the machine does falls on both.
    for (const [way, ask] of n % 2 ? ways : [...ways].reverse()) {
      const milliseconds = await timed(ask);
      if (n >= pagesWarmUp) times[way].push(milliseconds);
    }
  }
  const [api, sql] = [percentile(times.api, 0.5), percentile(times.bare, 0.5)];
  console.log(
    `relations, ${pageSize} groups: p50 ${api.toFixed(1)} ms; bare SQL and JSON.stringify ${sql.toFixed(1)} ms`,
  );
  console.log(`ratio at p50: ${(api / sql).toFixed(2)}`);
}

console.log(describeMachine());
const server = await BenchServer.start();
try {
  await server.createDatabase(database);
  const place = await fill(server);
  console.log(`${items} items, ${items * linksPerItem} links, ${groups} groups of relations`);
  await measureSubgraphs(server);
  await measurePages(server, place);
  await place.postgres.end();
} finally {
  await server.stop();
}
process.exit(0);
