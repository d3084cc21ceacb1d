import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { Numbers } from '../support/number-embedder.js';
import { TestServer } from '../support/server.js';

// More than sketches nominate.
const items = 1300;
const dimensions = 16;
const lookAgainSeconds = 2;

const forms = [
  ['as it is', {}],
  ['as sketches of its vectors, its words in the thread', { wholeVectorsMax: 0, wordsHereMax: 0 }],
  ['as it is, until there is more', { wordsHereMax: items }],
] as const;

describe.each(forms)('searches of a store that is in memory %s', (_form, resident) => {
  const isSketched = 'wholeVectorsMax' in resident;
  const embedder = new Numbers(dimensions);
  let server: TestServer;
  let database: string;
  let table: string;
  /** The number that an item's text says. */
  const numbers = new Map<string, number>();

  beforeAll(async () => {
    server = await TestServer.start({ embedder, resident });
    database = await server.database();
    table = `chunk_vectors_${await server.databaseId(database)}_memory`;
    await remember(Array.from({ length: items }, (_, n) => [`i${n}`, n] as const));
    await becomesResident();
  });
  afterAll(async () => server.stop());

  async function remember(entries: (readonly [id: string, number: number])[]): Promise<void> {
    for (let from = 0; from < entries.length; from += 100) {
      const memories = entries
        .slice(from, from + 100)
        .map(([id, number]) => ({ id, text: `number ${number}`, metadata: { odd: number % 2 } }));
      await server.remember(database, memories);
    }
    for (const [id, number] of entries) numbers.set(id, number);
  }

  async function becomesResident(): Promise<void> {
    server.clock.advance(lookAgainSeconds);
    await search(1);
    await searchByWords(1);
    await server.running.app.services.resident.settled();
  }

  async function search(number: number, more: object = {}): Promise<string[]> {
    const { body } = await server.rest('POST', '/query', {
      json: { database, type: 'memory', query: `number ${number}`, alpha: 1, max_results: 20, ...more },
    });
    return body.data.chunks.map(({ id }: { id: string }) => id);
  }

  /** What a scan would find. */
  function nearest(
    number: number,
    { wanted = () => true, limit = 20 }: { wanted?: (number: number) => boolean; limit?: number } = {},
  ): string[] {
    const asked = embedder.vectorOf(number);
    const score = (other: number) =>
      embedder.vectorOf(other).reduce((sum, value, n) => sum + value * (asked[n] ?? 0), 0);
    return [...numbers]
      .filter(([, other]) => wanted(other))
      .sort(([, a], [, b]) => score(b) - score(a))
      .slice(0, limit)
      .map(([id]) => id);
  }

  /** By words alone; the number is the only word that chunks differ in. */
  const searchByWords = (number: number, more: object = {}) =>
    search(number, { alpha: 0, query_by: 'text', ...more });

  test('answer by words from there', async () => {
    const chunks = table.replace('chunk_vectors', 'chunks');
    // Without terms Postgres would find nothing.
    await server.sql(`create table kept as select * from ${chunks}`);
    await server.sql(`update ${chunks} set terms = '{}'`);
    for (const number of [0, 300, 599]) expect((await searchByWords(number))[0]).toBe(`i${number}`);
    expect(await searchByWords(300)).toHaveLength(20);
    // The context steers, it does not answer.
    expect(await searchByWords(300, { query: '300', additional_context: '17' })).toEqual(['i300']);
    await server.sql(`update ${chunks} c set terms = k.terms from kept k where k.id = c.id`);
    await server.sql('drop table kept');
  });

  test('answer by meaning from there', async () => {
    await server.sql(`create table kept as select * from ${table}`);
    const farthest = nearest(300, { limit: items }).at(-1);
    // A scan by Postgres would rank by age when every stored vector is the same, and find one that became the nearest.
    // Sketches nominate, and Postgres ranks by what it has.
    const changed = isSketched ? `where source_uid = (select uid from sources where id = '${farthest}')` : '';
    await server.sql(
      `update ${table} set embedding = (select embedding from kept
         where source_uid = (select uid from sources where id = 'i300')) ${changed}`,
    );
    expect(await search(300)).toEqual(nearest(300));
    if (!isSketched) expect(await search(17)).toEqual(nearest(17));
    await server.sql(
      `update ${table} v set embedding = k.embedding from kept k where k.chunk_id = v.chunk_id`,
    );
    await server.sql('drop table kept');
  });

  test('find what came later, at once and when it is in memory too', async () => {
    await remember([
      ['later', 6001],
      ['latest', 6002],
    ]);
    for (let round = 0; round < 2; round += 1) {
      expect((await search(6001))[0]).toBe('later');
      expect(await search(6002)).toEqual(nearest(6002));
      expect((await searchByWords(6001))[0]).toBe('later');
      expect((await searchByWords(6002))[0]).toBe('latest');
      expect((await searchByWords(300))[0]).toBe('i300');
      await becomesResident();
    }
  });

  test('find what a misspelt word was meant for, also where that is not in memory yet', async () => {
    const otters = { id: 'otters', text: 'number 6050 of the otters' };
    const misspelt = (query: string) => searchByWords(0, { query });
    expect(await misspelt('otterrs')).toEqual([]);
    await server.remember(database, [otters]);
    numbers.set('otters', 6050);
    for (let round = 0; round < 2; round += 1) {
      expect(await misspelt('otterrs')).toEqual(['otters']);
      expect(await misspelt('ottterrs')).toEqual([]);
      await becomesResident();
    }
  });

  test('find a new version and not the one before, while that is there and when it is gone', async () => {
    await remember([['i7', 6007]]);
    for (let round = 0; round < 2; round += 1) {
      expect(await search(6007)).toEqual(nearest(6007));
      expect(await search(7)).toEqual(nearest(7));
      expect((await searchByWords(6007))[0]).toBe('i7');
      // No chunk says 7 any more.
      expect(await searchByWords(7, { query: '7' })).toEqual([]);
      await becomesResident();
    }
  });

  test('do not find what is deleted, and find as many as are wanted', async () => {
    // More than sketches nominate.
    const gone = nearest(300, { limit: 300 });
    const { status } = await server.rest('DELETE', '/context', {
      json: { database, type: 'memory', ids: gone },
    });
    expect(status).toBe(200);
    for (const id of gone) numbers.delete(id);
    expect(await search(300)).toEqual(nearest(300));
    await server.idle();
    for (let round = 0; round < 3; round += 1) {
      expect(await search(300)).toEqual(nearest(300));
      const byWords = await searchByWords(300);
      expect(byWords).toHaveLength(20);
      expect(byWords.filter((id) => gone.includes(id))).toEqual([]);
      await becomesResident();
    }
  });

  test('filter exactly', async () => {
    const found = await search(300, { metadata_filters: { odd: [1] } });
    expect(found).toEqual(nearest(300, { wanted: (number) => number % 2 === 1 }));
    expect((await searchByWords(301, { metadata_filters: { odd: [1] } }))[0]).toBe('i301');
    expect(await searchByWords(301, { metadata_filters: { odd: [0] } })).not.toContain('i301');
  });

  test('leave out what has expired, what nobody may read, and other collections', async () => {
    const memories = [
      { id: 'expiring', text: 'number 2001', expiry_time: 3600 },
      { id: 'hidden', text: 'number 2002', acl: [] },
    ];
    await server.remember(database, memories);
    await server.remember(database, [{ id: 'elsewhere', text: 'number 2003' }], { collection: 'other' });
    await becomesResident();
    expect((await search(2001))[0]).toBe('expiring');
    expect(await search(2002)).not.toContain('hidden');
    const json = { database, type: 'memory', query: 'number 2002' };
    const { body } = await server.rest('POST', '/query', { json });
    // Not even by the place that it would take.
    expect(body.data.chunks[0].lanes).toMatchObject({ dense: 1 });
    expect(await search(2003)).not.toContain('elsewhere');
    expect(await search(2003, { collection: 'other' })).toEqual(['elsewhere']);
    expect(await searchByWords(2003, { collection: 'other' })).toEqual(['elsewhere']);
    server.clock.advance(3601);
    expect(await search(2001)).toEqual(nearest(2001));
    expect(await searchByWords(2001)).not.toContain('expiring');
    await server.rest('DELETE', '/databases/collections', { json: { database, collection: 'other' } });
    expect(await search(2003, { collection: 'other' })).toEqual([]);
    await server.remember(database, [{ id: 'again', text: 'number 2004' }], { collection: 'other' });
    expect(await search(2003, { collection: 'other' })).toEqual(['again']);
  });

  // Transactions side by side are a native server's.
  const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;
  onNative('wait for a chunk whose number is lower and that comes later', async () => {
    const other = await connect();
    try {
      await other.query('begin');
      await other.query('select from databases where name = $1 for share', [database]);
      const { rows } = await other.query<{ id: string }>("select nextval('chunk_ids') as id");
      await remember([['after', 6100]]);
      await becomesResident();
      expect((await search(6100))[0]).toBe('after');
      // The chunk of "after" once more, under the number that was taken before.
      const [chunk] = await server.sql<{ id: string }>(`select max(chunk_id) as id from ${table}`);
      await other.query(`update ${table} set chunk_id = $1 where chunk_id = $2`, [rows[0]?.id, chunk?.id]);
      await other.query(`update ${table.replace('chunk_vectors', 'chunks')} set id = $1 where id = $2`, [
        rows[0]?.id,
        chunk?.id,
      ]);
      await other.query('commit');
      expect((await search(6100))[0]).toBe('after');
      expect((await searchByWords(6100))[0]).toBe('after');
      await becomesResident();
      expect((await search(6100))[0]).toBe('after');
      expect((await searchByWords(6100))[0]).toBe('after');
    } finally {
      await other.end();
    }
  });

  onNative('wait for one that is written by the last transaction that has begun', async () => {
    const [first, second] = [await connect(), await connect()];
    const rename = async (client: pg.Client, from: number) => {
      const { rows } = await client.query<{ id: number }>(
        `update ${table} set chunk_id = nextval('chunk_ids') where chunk_id = $1 returning chunk_id::float8 as id`,
        [from],
      );
      await client.query(`update ${table.replace('chunk_vectors', 'chunks')} set id = $2 where id = $1`, [
        from,
        rows[0]?.id,
      ]);
    };
    try {
      await remember([
        ['one', 6201],
        ['two', 6202],
      ]);
      await becomesResident();
      const [chunk] = await server.sql<{ two: number }>(`select max(chunk_id)::float8 as two from ${table}`);
      const two = chunk?.two ?? 0;
      for (const client of [first, second]) await client.query('begin; select pg_current_xact_id()');
      await rename(second, two - 1);
      await rename(first, two);
      await first.query('commit');
      await becomesResident();
      await second.query('commit');
      for (let round = 0; round < 2; round += 1) {
        for (const [id, number] of [
          ['one', 6201],
          ['two', 6202],
        ] as const) {
          expect((await search(number))[0]).toBe(id);
          expect((await searchByWords(number))[0]).toBe(id);
        }
        await becomesResident();
      }
    } finally {
      await first.end();
      await second.end();
    }
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    return client;
  }
});
