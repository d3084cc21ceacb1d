import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EditedItems, keyOf } from '../support/edited-items.js';
import type { Answer } from '../support/server.js';

const items = new EditedItems();
const { edit, search, versions } = items;
beforeAll(items.start);
beforeEach(items.reset);
afterAll(items.stop);

const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

describe('while an item is being replaced', () => {
  const replace = async (id: string, text: string, metadata: Record<string, unknown> = {}) => {
    const json = {
      database: items.database,
      app_knowledge: [{ id, title: 'note', content: { text }, metadata }],
    };
    const answer = await items.server.rest('POST', '/context/ingest', { json });
    expect(answer.status).toBe(202);
  };

  test('an edit reaches the version that is seen and the one to come', async () => {
    await edit({ acl: ['group:a'] });
    await replace('a', 'otters dive', { team: 'new' });
    expect(await versions()).toHaveLength(2);
    const answer = await edit({
      database_metadata: { level: 7 },
      additional_metadata: { k: 1 },
      acl: ['group:b'],
    });
    expect(answer.body.data).toMatchObject({ updated: true, chunk_rows_matched: 1 });
    const of = async (acl: string) => search({ acl: [acl] });
    expect(await of('group:b')).toMatchObject([
      {
        chunk_content: 'otters swim',
        metadata: { team: 'river', level: 7 },
        additional_metadata: { lang: 'en', k: 1 },
      },
    ]);
    expect(await of('group:a')).toEqual([]);
    await items.server.idle();
    const [after, ...more] = await of('group:b');
    expect(more).toEqual([]);
    expect(after).toMatchObject({ metadata: { team: 'new', level: 7 }, additional_metadata: { k: 1 } });
    expect(after.chunk_content).toContain('otters dive');
    expect(await of('group:a')).toEqual([]);
  });

  test('only who may read both of its versions may edit it', async () => {
    const send = async (id: string, acl: string[]) => {
      const json = { database: items.database, app_knowledge: [{ id, content: { text: 'otters' }, acl }] };
      expect((await items.server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    };
    const mine = ['ann@example.com'];
    await send('given-up', mine);
    await send('taken', ['bob']);
    await items.server.idle();
    await send('given-up', ['bob']);
    await send('taken', mine);
    const change = { additional_metadata: { k: 1 } };
    for (const id of ['given-up', 'taken'])
      await items.expectRefused(
        () => edit(change, { id, key: keyOf('annkey') }),
        [404, 'SOURCE_NOT_FOUND'],
        new RegExp(id),
      );
  });

  test('an item that is not searchable yet can be edited', async () => {
    await replace('fresh', 'otters sleep', { team: 'x' });
    const { data } = (await edit({ database_metadata: { topic: 'naps' }, acl: ['ann'] }, { id: 'fresh' }))
      .body;
    expect(data).toMatchObject({
      updated: true,
      vector_synced: true,
      vector_rows_synced: 0,
      chunk_rows_matched: 0,
    });
    await items.server.idle();
    expect(await search({ ids: ['fresh'], acl: ['bob'] })).toEqual([]);
    const [chunk] = await search({ ids: ['fresh'], acl: ['ann'], query: 'naps' });
    expect(chunk).toMatchObject({ metadata: { team: 'x', topic: 'naps' }, lanes: { metadata: 1 } });
  });

  test('no accepted edit is lost, and readers see whole versions only', async () => {
    // Of every version text and generation belong together; edits write keys that no ingest writes.
    const generations = 8;
    const id = 'busy';
    await replace(id, 'otters generation 0', { level: 0 });
    await items.server.idle();
    let done = false;
    const seen = new Set<number>();
    const torn: unknown[] = [];
    const readers = Array.from({ length: 2 }, async () => {
      while (!done) {
        const chunks = await search({ ids: [id] });
        const [chunk] = chunks;
        const said = Number(/generation (\d+)/.exec(chunk?.chunk_content)?.[1]);
        if (chunks.length !== 1 || said !== chunk.metadata.level) torn.push(chunks);
        seen.add(said);
      }
    });
    try {
      for (let generation = 1; generation <= generations; generation += 1) {
        await replace(id, `otters generation ${generation}`, { level: generation });
        // Some while the old version stands, some while indexing runs, some after it.
        const edits = Array.from({ length: 6 }, async (_, n) =>
          edit(
            { additional_metadata: { [`e${n}`]: generation }, database_metadata: { ratio: generation } },
            { id },
          ),
        );
        const answers = await Promise.all([...edits, items.server.idle()]);
        for (const answer of answers.slice(0, -1)) expect((answer as Answer).status).toBe(200);
        // The queue passes by what an edit holds at that moment.
        await items.server.idle();
        const [chunk] = await search({ ids: [id] });
        const all = Object.fromEntries(edits.map((_, n) => [`e${n}`, generation]));
        expect([chunk.metadata, chunk.additional_metadata]).toEqual([
          { level: generation, ratio: generation },
          all,
        ]);
      }
    } finally {
      done = true;
    }
    await Promise.all(readers);
    expect(torn).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('edits and ingests at the same moment: an edit that came after an ingest is on its version', async () => {
    const id = 'race';
    await replace(id, 'otters', { level: 0 });
    await items.server.idle();
    for (let round = 1; round <= 8; round += 1) {
      // The edit may wait for the ingest's lock, or the other way round; either order is a whole one.
      const [, answer] = await Promise.all([
        replace(id, `otters ${round}`, { level: round }),
        edit({ acl: [`round:${round}`] }, { id }),
        replace(id, `otters ${round}`, { level: round }),
      ]);
      expect(answer.status).toBe(200);
      // An access list is handed on from version to version, so it is there whoever came first.
      const acls = await items.server.sql<{ acl: string[] }>(
        `select s.acl from sources s join databases d on d.id = s.database_id
          where d.name = $1 and s.id = $2 and (latest or visible)`,
        [items.database, id],
      );
      expect(acls.map(({ acl }) => acl)).toEqual(acls.map(() => [`round:${round}`]));
      await items.server.idle();
      expect(await search({ ids: [id], acl: [`round:${round}`] })).toMatchObject([
        { metadata: { level: round } },
      ]);
    }
  });

  onNative('an edit that had to wait for an ingest is on the version that this has made', async () => {
    const { dataSource } = items.server.running.app.postgres;
    const waiting = async (count: number) => {
      const locked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await items.server.sql(locked)).length < count);
    };
    const answers: Promise<unknown>[] = [];
    await dataSource.transaction(async (manager) => {
      await manager.query(`select 1 from sources where id = 'a' for update`);
      answers.push(replace('a', 'otters dive', { team: 'new' }));
      await waiting(1);
      answers.push(edit({ acl: ['late'], database_metadata: { level: 5 } }));
      await waiting(2);
    });
    await Promise.all(answers);
    expect(await versions()).toMatchObject([
      { metadata: { team: 'river', level: 5 }, acl: ['late'] },
      { metadata: { team: 'new', level: 5 }, acl: ['late'] },
    ]);
  });
});
