import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded.js';
import type { EmbeddedPostgres } from '../../src/postgres/embedded.js';
import { EmbeddedSocketServer } from '../../src/postgres/embedded-socket.js';
import { backgroundMark, simpleQuery } from '../../src/postgres/wire-messages.js';

/** What a client says first: version 3.0, and who it is. */
const startup = Buffer.from('\0\0\0\x17\0\x03\0\0user\0postgres\0\0', 'latin1');

let embedded: EmbeddedPostgres;
let pool: pg.Pool;
const options = () => ({ host: embedded.socketFolder, user: 'postgres', database: 'postgres' });

beforeAll(async () => {
  embedded = await startEmbeddedPostgres(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'socket-')));
  pool = new pg.Pool({ ...options(), max: 10 });
  await pool.query('create table entries (writer int, step int)');
});
afterAll(async () => {
  await pool.end();
  await embedded.stop();
});

async function transaction(writer: number, end: 'commit' | 'rollback'): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (let step = 0; step < 3; step += 1)
      await client.query('insert into entries values ($1, $2)', [writer, step]);
    await client.query(end);
  } finally {
    client.release();
  }
}

describe('many connections on the one backend', () => {
  test('never meet each other within a query or a transaction', async () => {
    const queries = Array.from({ length: 400 }, async (_, n) => {
      const wide = n % 3 === 0;
      const { rows } = await pool.query(
        wide ? 'select $1::int a, $2::int b, $3::text c' : 'select $1::int a',
        wide ? [n, n + 1, `${n}`] : [n],
      );
      expect(rows).toEqual([wide ? { a: n, b: n + 1, c: `${n}` } : { a: n }]);
    });
    const transactions = Array.from({ length: 40 }, (_, n) => transaction(n, n % 2 ? 'commit' : 'rollback'));
    await Promise.all([...queries, ...transactions]);
    const { rows } = await pool.query(
      'select writer, count(*)::int steps from entries group by writer order by writer',
    );
    expect(rows).toEqual(Array.from({ length: 20 }, (_, n) => ({ writer: 2 * n + 1, steps: 3 })));
  });

  test('let those that run in the background come last', async () => {
    await pool.query('create table turns (nth int generated always as identity, who text)');
    // Whoever has yet to connect may come too late.
    await Promise.all(Array.from({ length: 10 }, () => pool.query('select 1')));
    const holder = await pool.connect();
    await holder.query('begin');
    const insert = (who: string, mark = '') =>
      pool.query(`${mark}insert into turns (who) values ($1)`, [who]);
    const waiting = [
      insert('background', backgroundMark),
      insert('background', backgroundMark),
      insert('somebody'),
      insert('somebody'),
    ];
    // By the time that it has answered these it has heard of all who wait.
    for (let step = 0; step < 5; step += 1) await holder.query('select 1');
    await holder.query('commit');
    holder.release();
    await Promise.all(waiting);
    const { rows } = await pool.query('select who from turns order by nth');
    expect(rows.map(({ who }) => who)).toEqual(['somebody', 'somebody', 'background', 'background']);
  });

  test('but not never', async () => {
    await pool.query('create table shares (who text)');
    const ended = { background: false };
    const background = pool
      .query(`${backgroundMark}insert into shares values ('background')`)
      .then(() => (ended.background = true));
    let asked = 0;
    // Whoever goes on asking without a pause would otherwise keep it waiting for ever.
    while (!ended.background && asked < 1000) {
      await Promise.all([pool.query('select 1'), pool.query('select 2')]);
      asked += 2;
    }
    await background;
    expect(asked).toBeLessThan(1000);
  });

  test('an error ends its own query only', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        pool.query(n % 2 ? 'select 1 / $1::int as q' : 'select $1::int as q', [n % 2 ? 0 : n]),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(
      Array.from({ length: 30 }, (_, n) => (n % 2 ? 'rejected' : 'fulfilled')),
    );
  });

  test('a client that dies in a transaction is rolled back, and the others go on', async () => {
    const client = new pg.Client(options());
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query('insert into entries values (-1, 0)');
    const waiting = pool.query('select count(*)::int as found from entries where writer = -1');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await waiting).rows).toEqual([{ found: 0 }]);
  });

  test('a long statement arrives whole', async () => {
    const text = 'x'.repeat(5_000_000);
    const { rows } = await pool.query('select length($1::text) as length, $1::text as text', [text]);
    expect(rows).toEqual([{ length: text.length, text }]);
  });

  test('an answer is forgotten once it is given', async () => {
    const before = process.memoryUsage.rss();
    // Three million rows, whose messages would take 400 MB if they were kept.
    const query = simpleQuery('select n from generate_series(1, 10000) n');
    const path = join(embedded.socketFolder, '.s.PGSQL.5432');
    await new Promise<void>((resolve, reject) => {
      let answers = 0;
      const socket = connect(path, () => socket.write(startup));
      socket.on('data', (bytes) => {
        // Every answer, that to the startup too, ends with the state of the transaction.
        if (bytes.at(-6) !== 'Z'.charCodeAt(0)) return;
        answers += 1;
        if (answers <= 300) socket.write(query);
        else resolve(void socket.destroy());
      });
      socket.on('error', reject);
    });
    expect((process.memoryUsage.rss() - before) / 1_000_000).toBeLessThan(200);
  });

  test('a client that asks for encryption is told no, one that sends a piece and leaves harms nobody', async () => {
    const path = join(embedded.socketFolder, '.s.PGSQL.5432');
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(path, () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    expect(answer).toBe('N');
    await new Promise<void>((resolve) => {
      const socket = connect(path, () => socket.write(Buffer.from([0, 0, 0]), () => socket.destroy()));
      socket.once('close', () => resolve());
    });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

test('an engine that has ended with its answer is asked nothing more', async () => {
  const error = Buffer.from('SPANIC\0VPANIC\0C53100\0MNo space left on device\0\0');
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(error.length + 4, 1);
  let asked = 0;
  const engine = {
    execProtocolRaw: async () => {
      asked += 1;
      return Buffer.concat([head, error]);
    },
  };
  const path = join(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'socket-')), 's');
  let tell: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (tell = resolve));
  const server = new EmbeddedSocketServer(engine, (failure) => tell(failure));
  await server.listen(path);
  const client = connect(path);
  client.write(startup);
  expect((await failed).message).toBe('PANIC: No space left on device');
  client.write(simpleQuery('select 1'));
  client.end();
  await server.close();
  expect(asked).toBe(1);
});
