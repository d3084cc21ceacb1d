import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { endSilentConnection } from '../../src/postgres/watched-client.js';
import { backgroundMark } from '../../src/postgres/wire-messages.js';

/** A connection over which a statement is sent, and no answer ever comes. */
class SilentClient extends EventEmitter {
  ended = false;
  readonly connection = {
    stream: {
      destroy: () => {
        this.ended = true;
        this.emit('destroyed');
      },
    },
  };
  query = () => undefined;

  constructor(readonly sql: string) {
    super();
    const client = this as unknown as pg.PoolClient;
    endSilentConnection(client, () => 1);
    void client.query(sql);
  }
}

test('a statement that is not answered ends its connection, work on whole tables does not', async () => {
  const whole = [
    'vacuum (analyze) sources',
    'create unique index a on b (c)',
    'reindex table a',
    'checkpoint',
  ];
  const patient = whole.flatMap((sql) => [new SilentClient(sql), new SilentClient(backgroundMark + sql)]);
  const others = ['select 1', `${backgroundMark}select 1`].map((sql) => new SilentClient(sql));
  await Promise.all(others.map((client) => once(client, 'destroyed')));
  expect(patient.filter(({ ended }) => ended).map(({ sql }) => sql)).toEqual([]);
});
