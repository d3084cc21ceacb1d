import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

/** Messages and mails in a database of their own. */
async function databaseOf(items: Record<string, unknown>[]): Promise<string> {
  const database = await server.database();
  const json = { database, app_knowledge: items };
  expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
  await server.idle();
  return database;
}
const message = (id: string, body: string, more: Record<string, unknown> = {}) => {
  const { minute = 0, ...fields } = more;
  const timestamp = `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`;
  return { id, kind: 'message', provider: 'chat', timestamp, fields: { body, ...fields } };
};
const ask = async (database: string, body: Record<string, unknown>): Promise<any[]> => {
  const json = { database, graph_context: false, ...body };
  return (await server.rest('POST', '/query', { json })).body.data.chunks;
};
const idsOf = (chunks: { id: string }[]) => chunks.map(({ id }) => id);

/** Many messages that have one word in common with what is asked. */
const crowd = (word: string) =>
  Array.from({ length: 40 }, (_, n) => message(`crowd${n}`, `${word} of day ${n}`));

describe('conversations', () => {
  test('what stands around a hit in its thread is found too, the nearest first', async () => {
    const thread = (id: string, minute: number, body: string) =>
      message(id, body, { minute, thread_id: 'T1' });
    const database = await databaseOf([
      thread('far', 0, 'Good morning, everyone!'),
      thread('before', 8, 'Hold on.'),
      thread('asked', 9, 'Where do we keep the wireframes of the signup?'),
      thread('answer', 10, 'In the blue folder.'),
      message('elsewhere', 'In the blue drawer.', { minute: 9, thread_id: 'T2' }),
      ...crowd('signup'),
    ]);
    const query = { query: 'where are the wireframes of the signup', max_results: 20 };
    const found = idsOf(await ask(database, query));
    expect(found[0]).toBe('asked');
    expect(found).toEqual(expect.arrayContaining(['answer', 'before']));
    expect(found.indexOf('before')).toBeLessThan(found.includes('far') ? found.indexOf('far') : 20);
    expect(found).not.toContain('elsewhere');
    const without = idsOf(await ask(database, { ...query, query_apps: false }));
    expect(without[0]).toBe('asked');
    expect(without).not.toContain('answer');
    for (const alone of [{ alpha: 0 }, { query_by: 'text' }])
      expect(idsOf(await ask(database, { ...query, ...alone }))).not.toContain('answer');
  });

  test('where only meaning finds something, what stands around a hit does not come before the best', async () => {
    const thread = (id: string, thread_id: string, bodies: readonly string[]) =>
      bodies.map((body, minute) => message(`${id}${minute}`, body, { minute, thread_id }));
    const database = await databaseOf([
      { id: 'pay', kind: 'custom', content: { text: 'Wages are transferred on the 25th of every month.' } },
      ...thread('lunch', 'T1', ['Lunch today at the thai place?', 'Sure, at noon.', 'Dessert is on me.']),
      ...thread('printer', 'T2', ['Printer is jammed again.', 'Fixed it.', 'Thanks!']),
    ]);
    const found = await ask(database, { query: 'salary' });
    expect(found[0].id).toBe('pay');
    expect(found.filter((chunk) => chunk.relevancy_score >= found[0].relevancy_score)).toHaveLength(1);
  });

  test('replies and comments belong to what they answer, both ways', async () => {
    const mail = (id: string, body: string, fields: Record<string, unknown> = {}) => ({
      id,
      kind: 'email',
      provider: 'mail',
      external_id: id,
      fields: { subject: 'Hello', body, ...fields },
    });
    const database = await databaseOf([
      mail('question', 'Which vendor supplies the turbines?'),
      mail('reply', 'Brown and sons do.', { reply_to_id: 'question' }),
      mail('other', 'Green and sons do not.', { reply_to_id: 'something-else' }),
      ...crowd('vendor'),
    ]);
    const asked = await ask(database, { query: 'vendor of turbines', max_results: 20 });
    expect(idsOf(asked)).toContain('reply');
    expect(idsOf(asked)).not.toContain('other');
    expect(idsOf(await ask(database, { query: 'brown and sons', max_results: 20 }))).toContain('question');
  });

  test('what may not be read does not show, and takes nobody its place', async () => {
    const thread = (id: string, minute: number, body: string, acl?: string[]) => ({
      ...message(id, body, { minute, thread_id: 'T1' }),
      ...(acl ? { acl } : {}),
    });
    const secrets = Array.from({ length: 12 }, (_, n) =>
      thread(`secret${n}`, 10 + n, 'Quite secret.', ['ann']),
    );
    const database = await databaseOf([
      thread('asked', 9, 'Where do we keep the wireframes?'),
      ...secrets,
      thread('answer', 40, 'In the blue folder.'),
      ...crowd('keep'),
    ]);
    const query = { query: 'keep the wireframes', max_results: 20 };
    const found = idsOf(await ask(database, { ...query, acl: ['bob'] }));
    expect(found).toContain('answer');
    expect(found.filter((id) => id.startsWith('secret'))).toEqual([]);
    const filtered = await ask(database, { ...query, ids: ['asked', 'crowd1'] });
    expect(idsOf(filtered).toSorted()).toEqual(['asked', 'crowd1']);
    expect(idsOf(await ask(database, { ...query, acl: ['ann'] }))).toContain('secret0');
  });
});

describe('people and titles', () => {
  test('a message by someone comes before those that speak of them', async () => {
    const database = await databaseOf([
      message('about1', 'Ann Berg knows about budgets: the budget of Ann Berg', { author: 'Bo Lund' }),
      message('about2', 'The budget of Ann Berg, says Ann Berg', { author: 'Bo Lund' }),
      message('by', 'No comment on a budget today, little can be said', { author: 'Ann Berg' }),
    ]);
    for (const query of ['what does Ann Berg say about the budget', 'budget according to ann']) {
      expect(idsOf(await ask(database, { query }))[0]).toBe('by');
      expect(idsOf(await ask(database, { query, query_apps: false }))[0]).not.toBe('by');
    }
  });

  test('by e-mail address', async () => {
    const database = await databaseOf([
      message('about', 'ask ann@acme.test about the budget, ann@acme.test knows', { author: 'Bo Lund' }),
      message('by', 'No comment on the budget today', { author: 'Ann Berg <ann@acme.test>' }),
    ]);
    const [first] = await ask(database, { query: 'budget mails from ann@acme.test' });
    expect(first.id).toBe('by');
  });

  test('a title that has the words of the query comes before texts that have them', async () => {
    const page = (id: string, title: string, body: string) => ({
      id,
      title,
      kind: 'knowledge_base',
      provider: 'wiki',
      fields: { title, body },
    });
    const words = 'travel policy, '.repeat(6);
    const database = await databaseOf([
      page('text', 'Notes', `${words} and so on`),
      page(
        'titled',
        'Travel policy',
        `What to do on the way. ${'Trains are better than planes. '.repeat(30)}`,
      ),
    ]);
    const query = 'what is the travel policy';
    expect(idsOf(await ask(database, { query }))[0]).toBe('titled');
    expect(idsOf(await ask(database, { query, query_apps: false }))[0]).toBe('text');
  });
});

describe('kinds and states', () => {
  const ticket = (id: string, title: string, status: string, type = 'issue') => {
    const fields = { title, description: 'Please have a look at it.', status };
    return { id, kind: 'ticket', provider: 'github', type, fields };
  };
  test('that a query names put such items before texts that say the words, not before what holds more of the others', async () => {
    const database = await databaseOf([
      ticket('shut', 'Login fails on phones', 'closed'),
      ticket('open', 'Login fails on tablets', 'open'),
      ticket('merged', 'Login retries', 'merged', 'pull_request'),
      message('talk', 'Are the closed issues of login open tickets or merged pull requests? Closed issues!'),
      message('pump', 'The login of the pump room has a closed lid; issues of the magazine lie there.'),
      ...crowd('garden'),
    ]);
    const first = async (query: string) => (await ask(database, { query }))[0].id;
    expect(await first('closed issues about login')).toBe('shut');
    expect(await first('open tickets about login')).toBe('open');
    expect(await first('merged pull requests for login')).toBe('merged');
    expect(await first('closed issues about login of the pump room')).toBe('pump');
    expect(await first('login issues')).not.toBe('merged');
  });
});

describe('lists of a kind', () => {
  const dated = (id: string, month: string, text: string, more: Record<string, unknown>) => {
    const timestamp = `2025-${month}-10T10:00:00Z`;
    return {
      id,
      provider: 'desk',
      timestamp,
      ...more,
      fields: { ...(more['fields'] as object), ...textOf(more, text) },
    };
  };
  const textOf = ({ kind }: Record<string, unknown>, text: string) =>
    kind === 'ticket' ? { title: text, description: text, status: 'Open' } : { subject: text, body: text };
  const ticket = (id: string, month: string, text: string, assignee: string) =>
    dated(id, month, text, { kind: 'ticket', type: 'task', fields: { assignee } });
  const mail = (id: string, month: string, text: string, from: string) =>
    dated(id, month, text, { kind: 'email', fields: { from } });

  test('of somebody, or of a time, come before all that only says such words', async () => {
    const database = await databaseOf([
      ticket('t1', '02', 'The label printer is out of ribbons', 'Ann Berg'),
      ticket('t2', '03', 'Freezer doors do not close', 'Bo Lund'),
      ticket('t3', '03', 'Scanners lose the network', 'Bo Lund'),
      mail('e1', '03', 'Offer for new shelves', 'Ann Berg <ann@acme.test>'),
      mail('e2', '02', 'Invoice for gloves', 'Bo Lund <bo@acme.test>'),
      message(
        'said',
        'Ann Berg, tickets assigned to Ann Berg and mails by Ann Berg of March 2025: look at them',
        {
          author: 'Ann Berg',
        },
      ),
      ...crowd('garden'),
    ]);
    const firstOf = async (query: string, many: number) =>
      idsOf(await ask(database, { query }))
        .slice(0, many)
        .toSorted();
    expect(await firstOf('tickets assigned to Ann Berg', 1)).toEqual(['t1']);
    expect(await firstOf('Which tickets are assigned to Bo Lund?', 2)).toEqual(['t2', 't3']);
    expect(await firstOf('mails by Ann Berg', 1)).toEqual(['e1']);
    expect(await firstOf('tickets of March 2025', 2)).toEqual(['t2', 't3']);
    expect(await firstOf('mails from February 2025', 1)).toEqual(['e2']);
    // What asks for more than a list is answered by what says it.
    expect(await firstOf('who said to look at the tickets and mails of March', 1)).toEqual(['said']);
  });
});

describe('what answers by itself stays first', () => {
  const page = (id: string, title: string, body: string) => ({
    id,
    kind: 'knowledge_base',
    provider: 'wiki',
    fields: { title, body },
  });
  const first = async (database: string, query: string) => (await ask(database, { query }))[0].id;

  test('before titles with parts of a code, or with a few words of many', async () => {
    const database = await databaseOf([
      page('patch', 'Patch notes', 'We patched CVE-2021-44228 on Friday.'),
      page('other-code', 'CVE-2021-45046', 'Bulletin.'),
      page('another', 'CVE-2021-1111 overview', 'Other bulletin.'),
      page('policy', 'Rules', 'Travel expense policy: trains first.'),
      ...[1, 2, 3, 4, 5].map((n) => page(`claim${n}`, `Travel expense claim ${n}`, 'Please pay the taxi.')),
      ...crowd('garden'),
    ]);
    expect(await first(database, 'CVE-2021-44228')).toBe('patch');
    expect(await first(database, 'travel expense policy')).toBe('policy');
  });

  test('before messages by people whose first names are words of the query', async () => {
    const database = await databaseOf([
      message('bill', 'The phone bill for March is 45 euros.', { author: 'Ann Berg' }),
      message('by-bill', 'The March phone list hangs there.', { author: 'Bill Gray' }),
      ...crowd('garden'),
    ]);
    expect(await first(database, 'phone bill for March')).toBe('bill');
    expect(await first(database, 'phone list of March by bill')).toBe('by-bill');
  });

  test('before what merely belongs to who is named, unless that is what is asked for', async () => {
    const by = (author: string, id: string, body: string) => message(id, body, { author });
    const database = await databaseOf([
      by('Bo Lund', 'told', 'Ines keeps the spare keys of the archive in the blue drawer.'),
      by('Ines Roth', 'own1', 'Does the archive need spare keys at all?'),
      by('Ines Roth', 'own2', 'The archive has no spare keys.'),
      by('Ines Roth', 'own3', 'Who has keys of the archive to spare?'),
      ...crowd('garden'),
    ]);
    for (const query of [
      'Ines spare keys archive drawer',
      'blue drawer of Ines with the keys of the archive',
    ])
      expect(await first(database, query)).toBe('told');
    for (const query of [
      'messages from Ines about spare keys of the archive',
      'What did Ines say about the spare keys of the archive?',
      'spare keys of the archive, according to Ines',
      'spare keys of the archive by Ines Roth',
    ])
      expect(await first(database, query)).toMatch(/^own/);
  });

  test('before vague messages that stand in one thread', async () => {
    const database = await databaseOf([
      message('exact', 'The wifi password of the guest network is swordfish.'),
      message('vague', 'Did anybody see the guest list?', { thread_id: 'T1' }),
      message('vaguer', 'The network was slow, says the guest.', { thread_id: 'T1', minute: 1 }),
      ...crowd('garden'),
    ]);
    expect(await first(database, 'guest wifi password')).toBe('exact');
  });
});

test('a store without app items, and a query that wants none, make no further statements', async () => {
  const database = await server.database();
  await server.remember(database, [{ id: 'm', text: 'The budget.' }]);
  const statements: string[] = [];
  const { dataSource } = server.running.app.postgres;
  const logger = { logQuery: (sql: string) => statements.push(sql) };
  Object.assign(dataSource, { logger: { ...dataSource.logger, ...logger } });
  const count = async (name: string, body: Record<string, unknown>) => {
    statements.length = 0;
    await ask(name, body);
    return statements.filter((sql) => sql.includes('app_kind is not null')).length;
  };
  const apps = await databaseOf([message('a', 'The budget.')]);
  expect(await count(database, { query: 'budget', type: 'memory' })).toBe(0);
  expect(await count(apps, { query: 'budget', query_apps: false })).toBe(0);
  expect(await count(apps, { query: 'budget' })).toBe(1);
});

test('GraphQL shows the ranks of these lanes', async () => {
  const database = await databaseOf([
    message('asked', 'Where are the wireframes?', { thread_id: 'T1' }),
    message('answer', 'In the blue folder.', { thread_id: 'T1', minute: 1 }),
  ]);
  const lanes = async (apps: boolean) => {
    const answer = await server.graphql(
      `query ($database: String!, $apps: Boolean) {
        search(database: $database, query: "wireframes where", queryApps: $apps, graphContext: false) {
          chunks { id lanes { app around } }
        }
      }`,
      { database, apps },
    );
    return answer.body.data.search.chunks.map((chunk: any) => [chunk.id, chunk.lanes]);
  };
  expect(await lanes(true)).toEqual([
    ['asked', { app: null, around: 2 }],
    ['answer', { app: null, around: 1 }],
  ]);
  const none = { app: null, around: null };
  expect(await lanes(false)).toEqual([
    ['asked', none],
    ['answer', none],
  ]);
});
