import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { Graphs, groupsOf, suppliedGraph, triplets } from '../support/graphs.js';

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

/** Runs a statement in each connection of the server. */
async function inAllSessions(statement: string): Promise<void> {
  const { pool } = graphs.server.running.app.postgres;
  const clients: pg.PoolClient[] = [];
  while (pool.idleCount > 0) clients.push(await pool.connect());
  for (const client of clients) {
    await client.query(statement);
    client.release();
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('auxiliary relations', () => {
  const collection = 'structure';
  const auxiliary = async (id: string, more: Record<string, unknown> = {}) =>
    triplets((await graphs.relations({ collection, id, ...more })).auxiliary_relations).sort();
  beforeAll(async () => {
    await graphs.items.store(
      [
        {
          id: 'mail',
          kind: 'email',
          provider: 'gmail',
          external_id: 'm1',
          title: 'A mail',
          fields: {
            body: 'hello',
            from: 'Ann <ann@example.com>',
            to: ['bob@example.com'],
            thread_id: 't',
            reply_to_id: 'm0',
          },
          attachments: [{ title: 'plan.pdf' }],
          comments: [{ author: 'Cid', body: 'well said' }],
          relations: [{ predicate: 'Based On', target: { id: 'gone' } }],
        },
        {
          id: 'answer',
          kind: 'email',
          provider: 'gmail',
          external_id: 'm2',
          title: 'Re: A mail',
          timestamp: '2030-01-01T00:00:00Z',
          fields: { body: 'hi', from: 'bob@example.com', thread_id: 't', reply_to_id: 'm1', parent_id: 'm1' },
        },
      ],
      {
        collection,
        graph_payload: {
          mail: suppliedGraph([
            ['hello', 'greets', 'all'],
            ['all', 'greet', 'hello'],
          ]),
        },
      },
    );
  });

  test('are people, comments, attachments and links, both sides of a hierarchy', async () => {
    expect(await auxiliary('mail')).toEqual([
      'A mail based_on gone',
      'A mail commented_by Cid',
      'A mail has_attachment plan.pdf',
      'A mail parent_of Re: A mail',
      'A mail reply_to m0',
      'A mail sent_by Ann',
      'A mail sent_to bob@example.com',
      'Re: A mail child_of A mail',
      'Re: A mail reply_to A mail',
      'well said comment_on A mail',
    ]);
    expect(await auxiliary('answer')).toEqual([
      'A mail parent_of Re: A mail',
      'Re: A mail child_of A mail',
      'Re: A mail reply_to A mail',
      'Re: A mail same_thread A mail',
      'Re: A mail sent_by bob@example.com',
    ]);
  });

  test('of several items with one key a link leads to that which is asked for, as in its subgraph', async () => {
    const item = (id: string, key: string) => ({
      ...{ id, kind: 'custom', provider: 'jira', external_id: key, title: id, content: { text: id } },
    });
    const depends = { predicate: 'depends_on', target: { provider: 'jira', external_id: 'E1' } };
    await graphs.items.store(
      [item('X1', 'E1'), item('X2', 'E1'), { ...item('Y', 'E9'), relations: [depends] }],
      {
        collection: 'twins',
      },
    );
    for (const id of ['X1', 'X2']) {
      expect(await auxiliary(id, { collection: 'twins' })).toEqual([`Y depends_on ${id}`]);
      const { relations } = await graphs.subgraph(id, { collection: 'twins', depth: 1 });
      expect(triplets(relations)).toEqual([`Y depends_on ${id}`]);
    }
    expect(await auxiliary('Y', { collection: 'twins' })).toEqual(['Y depends_on X1']);
  });

  test('have the documented shape', async () => {
    const { auxiliary_relations: groups } = await graphs.relations({ collection, id: 'mail' });
    const find = (predicate: string) =>
      groups.find(({ relations: [relation] }: any) => relation.canonical_predicate === predicate);
    expect(find('sent_by')).toEqual({
      source: {
        name: 'A mail',
        type: 'SOURCE',
        namespace: 'sources',
        entity_id: 'mail',
        identifier: 'm1',
        provider: 'gmail',
        hydration: 'resolved',
      },
      target: {
        name: 'Ann',
        type: 'ACTOR',
        namespace: 'actors',
        entity_id: expect.stringMatching(uuid),
        identifier: 'ann@example.com',
        provider: 'gmail',
      },
      relations: [
        expect.objectContaining({ canonical_predicate: 'sent_by', context: '', chunk_id: '', confidence: 1 }),
      ],
      chunk_id: '',
      truncated: false,
    });
    expect(find('based_on').target).toMatchObject({ entity_id: 'gone', name: 'gone', hydration: 'stub' });
    expect(find('based_on').relations[0]).toMatchObject({ raw_predicate: 'Based On' });
    expect(find('parent_of').relations[0].synthesized).toBe(true);
    expect(find('reply_to').relations[0]).not.toHaveProperty('synthesized');
  });

  test('are one group for two ends, however often and by whom they are told of', async () => {
    const place = { collection: 'told-twice' };
    const ticket = (n: number, fields: Record<string, unknown>, relations: unknown[]) => ({
      id: `t${n}`,
      kind: 'ticket',
      provider: 'jira',
      external_id: `J-${n}`,
      title: `ticket ${n}`,
      fields: { description: 'a zebra', thread_id: 'T', ...fields },
      relations,
      timestamp: `2026-01-0${n}T00:00:00Z`,
    });
    const linked = { predicate: 'linked_to', target: { id: 't1' } };
    await graphs.items.store(
      [
        ticket(1, {}, [{ predicate: 'parent_of', target: { id: 't2' } }]),
        ticket(2, { parent_id: 'J-1', linked_issue_ids: ['J-1'], assignee: 'Ann', reporter: 'Ann' }, [
          linked,
        ]),
      ],
      place,
    );
    const between = ['ticket 1 > ticket 2: parent_of', 'ticket 2 > ticket 1: child_of,linked_to,same_thread'];
    const person = 'ticket 2 > Ann: assigned_to,reported_by';
    for (const asked of [place, { ...place, id: 't2' }]) {
      const { auxiliary_relations: groups } = await graphs.relations(asked);
      expect(groupsOf(groups).sort()).toEqual([...between, person].sort());
      // What one of them says itself goes before what follows from the other.
      expect(groups.flatMap((group: any) => group.relations.filter((each: any) => each.synthesized))).toEqual(
        [],
      );
      const ids = groups.flatMap((group: any) => group.relations.map((each: any) => each.relationship_id));
      expect(new Set(ids).size).toBe(ids.length);
    }
    const subgraph = await graphs.subgraph('t2', place);
    expect(groupsOf(subgraph.relations).sort()).toEqual(between);
    expect(groupsOf(subgraph.auxiliary_relations)).toEqual([person]);
    const { graph_context: context } = await graphs.items.ask('zebra', { ...place, ids: ['t1', 't2'] });
    const pairs = context.chunk_relations.map((group: any) =>
      [group.source_chunk_ids, group.source.name, group.target.name].join(),
    );
    expect(pairs.length).toBeGreaterThan(2);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  test('of comments and attachments without an id stand beside those whose id is a number', async () => {
    const place = { collection: 'numbered' };
    await graphs.items.store(
      {
        id: 'numbered',
        title: 'numbered',
        kind: 'message',
        fields: { body: 'hello' },
        comments: [{ body: 'one' }, { id: '1', body: 'two' }, { body: 'three' }],
        attachments: [{ title: 'a.pdf' }, { id: '1', title: 'b.pdf' }],
      },
      place,
    );
    const { auxiliary_relations: groups } = await graphs.relations(place);
    expect(triplets(groups).sort()).toEqual([
      'numbered has_attachment a.pdf',
      'numbered has_attachment b.pdf',
      'one comment_on numbered',
      'three comment_on numbered',
      'two comment_on numbered',
    ]);
  });

  test('do not count against the limit, and stand on one page each', async () => {
    expect(await auxiliary('mail', { limit: 1 })).toEqual(await auxiliary('mail'));
    const pages: string[] = [];
    for (let cursor: number | null = null; ;) {
      const page: any = await graphs.relations({
        collection,
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.relations).toHaveLength(1);
      pages.push(...triplets(page.auxiliary_relations));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    const all = triplets((await graphs.relations({ collection })).auxiliary_relations);
    expect(pages.sort()).toEqual(all.sort());
    expect(all).toHaveLength(12);
  });

  test('stand in the same order however Postgres finds them', async () => {
    const linked = (n: number) => ({
      id: `linked-${n}`,
      title: `linked ${n}`,
      kind: 'message',
      // Stored oldest last.
      timestamp: `2026-01-${String(28 - n).padStart(2, '0')}T00:00:00Z`,
      fields: { body: 'hello', author: `person ${n % 4}`, mentions: ['ann', 'bob'], thread_id: 'T' },
      relations: { ids: ['linked-0'] },
    });
    const place = 'ordered';
    await graphs.items.store(
      Array.from({ length: 20 }, (_, n) => linked(n)),
      { collection: place },
    );
    const asked = [{ collection: place }, { collection: place, id: 'linked-0' }];
    const shown = () =>
      Promise.all(asked.map(async (each) => triplets((await graphs.relations(each)).auxiliary_relations)));
    const usual = await shown();
    for (const way of ['nestloop', 'hashjoin', 'mergejoin']) {
      await inAllSessions(`set enable_${way} = off`);
      expect(await shown()).toEqual(usual);
      await inAllSessions(`set enable_${way} = on`);
    }
  });

  test('of a thread lead from each member to the earliest', async () => {
    const place = 'threads';
    await graphs.items.store(
      [3, 1, 2].map((n) => ({
        id: `message-${n}`,
        kind: 'message',
        provider: 'slack',
        timestamp: `2026-01-0${n}T00:00:00Z`,
        title: `message ${n}`,
        fields: { body: 'hello', thread_id: 'T' },
      })),
      { collection: place },
    );
    const { auxiliary_relations: groups } = await graphs.relations({ collection: place });
    expect(triplets(groups).sort()).toEqual([
      'message 2 same_thread message 1',
      'message 3 same_thread message 1',
    ]);
  });

  test('are clipped, and say so', async () => {
    await graphs.items.store(
      {
        id: 'busy',
        kind: 'message',
        fields: {
          body: 'hello',
          mentions: Array.from({ length: 1000 }, (_, n) => `person ${n}`),
          author: 'one more',
        },
      },
      { collection: 'busy' },
    );
    for (const place of [{ collection: 'busy' }, { collection: 'busy', id: 'busy' }]) {
      const { auxiliary_relations: groups, auxiliary_truncated: truncated } = await graphs.relations(place);
      expect([groups.length, truncated]).toEqual([1000, true]);
    }
  });

  test('are not said to be clipped where all of them are shown', async () => {
    const many = (predicate: (n: number) => string, target: (n: number) => string) =>
      Array.from({ length: 500 }, (_, n) => ({ predicate: predicate(n), target: { id: target(n) } }));
    const item = (id: string, relations: unknown[], more: Record<string, unknown> = {}) => ({
      id,
      title: id,
      content: { text: id },
      relations,
      ...more,
    });
    const shown = async (collection: string) => {
      const { auxiliary_relations: groups, auxiliary_truncated: truncated } = await graphs.relations({
        collection,
      });
      return [groups.length, truncated];
    };
    // Each link is two groups: who is above and who is below.
    const parent = many(
      () => 'parent_of',
      (n) => `child ${n}`,
    );
    await graphs.items.store(item('parent', parent), { collection: 'two-sided' });
    expect(await shown('two-sided')).toEqual([1000, false]);
    const person = { kind: 'message', fields: { body: 'hello', author: 'one more' } };
    await graphs.items.store(item('parent', parent, person), { collection: 'two-sided' });
    expect(await shown('two-sided')).toEqual([1000, true]);
    // What is linked to itself makes no group.
    const selves = ['a', 'b', 'c'].map((id) =>
      item(
        id,
        many(
          (n) => `p${n}`,
          () => id,
        ),
      ),
    );
    await graphs.items.store([item('z', [{ target: { id: 'a' } }]), ...selves], { collection: 'selves' });
    expect(await shown('selves')).toEqual([1, false]);
  });
});
