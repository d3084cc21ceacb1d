import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());
beforeEach(async () => {
  database = await server.database();
});

interface Said {
  readonly [id: string]: readonly [day: string, text: string];
}

async function remember(said: Said, more: Record<string, unknown> = {}): Promise<void> {
  const memories = Object.entries(said).map(([id, [observation_date, text]]) => ({
    id,
    text,
    observation_date,
    ...more,
  }));
  expect((await server.remember(database, memories)).status).toBe(202);
}

async function find(query: string, more: Record<string, unknown> = {}): Promise<any[]> {
  const { status, body } = await server.rest('POST', '/query', {
    json: { database, query, type: 'memory', ...more },
  });
  expect(status).toBe(200);
  return body.data.chunks;
}

const ids = async (query: string, more?: Record<string, unknown>): Promise<string[]> =>
  (await find(query, more)).map(({ id }) => id);

describe.each([false, true])('former memories, infer %s', (infer) => {
  test('what holds comes before what held; a question about the past turns them round', async () => {
    await remember(
      {
        oslo: ['2024-01-10', 'I live in Oslo.'],
        bergen: ['2025-01-10', 'I moved to Bergen.'],
        rome: ['2026-01-10', 'I moved to Rome.'],
        hike: ['2026-02-10', 'The hike before Easter was long.'],
      },
      { infer },
    );
    expect((await ids('Where do I live now?'))[0]).toBe('rome');
    expect((await ids('Where do I live?'))[0]).toBe('rome');
    const before = await ids('Where did I live before?');
    expect(before.indexOf('rome')).toBeGreaterThan(
      Math.max(before.indexOf('bergen'), before.indexOf('oslo')),
    );
    const found = await find('Oslo');
    const layoutOf = (id: string) => found.find((chunk) => chunk.id === id)?.layout;
    expect(layoutOf('oslo')).toMatchObject({ former: ['User lives in Oslo'] });
    expect(layoutOf('rome')).not.toHaveProperty('former');
  });

  test.each([
    ['lives in', 'I live in Munich.', 'I moved to Berlin in 2009.', 'Where do I live?'],
    ['lives in', 'I live in Munich.', 'I moved to Berlin two years ago.', 'Where do I live?'],
    ['lives in', 'I live in Munich.', 'I moved to Berlin as a child.', 'Where do I live?'],
    ['occupation', 'I work as a pilot.', 'I was promoted to cook on 4 May 2011.', 'What is my occupation?'],
  ])(
    'what is told of former years does not end what %s said: %j, then %j',
    async (_, now, then, question) => {
      await remember({ now: ['2026-01-10', now] }, { infer });
      await remember({ then: ['2026-02-10', then] }, { infer });
      expect((await ids(question))[0]).toBe('now');
      const found = await find(question);
      expect(found.find(({ id }) => id === 'now').layout).not.toHaveProperty('former');
      expect(found.find(({ id }) => id === 'then').layout).toHaveProperty('former');
    },
  );

  test('what happened in a former year ends what was said before that', async () => {
    await remember({ before: ['2008-03-01', 'I live in Munich.'] }, { infer });
    await remember({ then: ['2026-02-10', 'I moved to Berlin in 2009.'] }, { infer });
    const found = await find('Where do I live?');
    expect(found[0].id).toBe('then');
    expect(found[1].layout).toMatchObject({ former: ['User lives in Munich'] });
  });

  test('a memory that says more is found by what it says more', async () => {
    await remember(
      {
        lund: ['2025-03-01', 'My dentist is Dr. Lund, phone number 040-555 12 34.'],
        berg: ['2026-03-01', 'My new dentist is Dr. Berg.'],
      },
      { infer },
    );
    expect((await ids('Who is my dentist?'))[0]).toBe('berg');
    expect((await ids("What is Dr. Lund's phone number?"))[0]).toBe('lund');
    expect((await ids('040-555 12 34'))[0]).toBe('lund');
  });

  test('what is said to have changed comes first, though no rule knows it', async () => {
    await remember(
      {
        old: ['2026-03-01', 'The project deadline is 1 May.'],
        new: ['2026-04-01', 'The project deadline has been pushed to 15 May.'],
        party: ['2026-04-02', 'The party is on 3 May.'],
      },
      { infer },
    );
    expect((await ids('When is the project deadline?'))[0]).toBe('new');
    expect((await ids('When was the project deadline originally?'))[0]).toBe('old');
  });
});

describe('a memory that is kept as it was said', () => {
  const inferred: Said = { oslo: ['2024-01-10', 'I live in Oslo.'] };
  const kept: Said = { rome: ['2026-01-10', 'I moved to Rome.'] };

  test('shows no facts, and what it decides about holds again when it is deleted', async () => {
    await remember(inferred, { infer: true });
    await remember(kept);
    const query = `{ memory(database: "${database}", id: "rome") { inferredContent facts { statement } } }`;
    const { body } = await server.graphql(query);
    expect(body.data.memory).toEqual({ inferredContent: null, facts: [] });
    expect((await find('Where do I live?')).map(({ id, layout }) => [id, layout.former])).toEqual([
      ['rome', undefined],
      ['oslo', ['User lives in Oslo']],
    ]);
    expect((await ids('Where do I live?', { max_results: 1 }))[0]).toBe('rome');
    const gone = await server.rest('DELETE', '/context', {
      json: { database, ids: ['rome'], type: 'memory' },
    });
    expect(gone.status).toBe(200);
    expect((await find('Where do I live?')).map(({ id, layout }) => [id, layout.former])).toEqual([
      ['oslo', undefined],
    ]);
  });

  test('hides no fact by saying it again', async () => {
    await remember(inferred, { infer: true });
    await remember({
      again: ['2026-01-10', 'The day was long. I live in Oslo. Much was said of other things.'],
    });
    expect((await ids('Where do I live?')).toSorted()).toEqual(['again', 'oslo']);
  });

  test('decides about nothing that others may read when they may not read it', async () => {
    await remember(inferred);
    await remember(kept, { acl: ['group:x'] });
    expect((await find('Oslo')).find(({ id }) => id === 'oslo').layout).not.toHaveProperty('former');
  });
});

test('another person of the same collection changes nothing', async () => {
  await remember({ anna: ['2025-01-01', 'My bank is Nordea.'] }, { user_name: 'Anna' });
  await remember({ ben: ['2026-01-01', 'My bank is Swedbank now.'] }, { user_name: 'Ben' });
  expect((await ids("What is Anna's bank?"))[0]).toBe('anna');
});

test('the newest of what fits alike comes first with recency_bias, however long ago all of it was', async () => {
  const said = Object.fromEntries(
    [3, 1, 7, 5].map((month) => [
      `run${month}`,
      [`2015-0${month}-12`, 'I ran ten kilometres in the park.'] as const,
    ]),
  );
  await remember(said);
  const found = await find('running in the park', { recency_bias: 0.9 });
  expect(found.map(({ id }) => id)).toEqual(['run7', 'run5', 'run3', 'run1']);
  expect(found[3].relevancy_score).toBeLessThan(0.7 * found[0].relevancy_score);
});

describe('time', () => {
  const said: Said = {
    tap: ['2026-04-28', 'I called the plumber about the tap.'],
    lunch: ['2026-05-12', 'I had lunch with Malin.'],
    wrist: ['2026-05-03', 'Broke my wrist while climbing yesterday.'],
    cello: ['2025-09-14', 'Bought a cello.'],
    trip: ['2026-01-05', 'We are planning a trip to Lisbon in July.'],
  };
  const today = { additional_context: 'Today is 13 May 2026.' };

  test('questions are understood by the day that is named as today', async () => {
    await remember(said);
    expect((await ids('What did I do yesterday?', today))[0]).toBe('lunch');
    expect((await ids('What did I do two weeks ago?', today))[0]).toBe('tap');
    expect((await ids('What did I buy last year?', today))[0]).toBe('cello');
    expect((await ids('What did I buy in September?', today))[0]).toBe('cello');
    expect((await ids('What did I do yesterday? Today is 29 April 2026.'))[0]).toBe('tap');
  });

  test('a question without other words asks for the day, not for whoever words it alike', async () => {
    await remember({ ...said, sighed: ['2026-02-11', 'I sighed: what did I do to deserve this?'] });
    expect((await ids('What did I do yesterday?', today))[0]).toBe('lunch');
    expect((await ids('What did I do two weeks ago?', today))[0]).toBe('tap');
    expect((await ids('What did I do to deserve this?', today))[0]).toBe('sighed');
  });

  test('words of time are words like any other in exact and quoted queries, and in texts', async () => {
    await remember({
      short: ['2026-01-02', 'The plumber came yesterday.'],
      dated: ['2026-05-12', 'The plumber came, and then we all went out for dinner; yesterday he could not.'],
    });
    const query = 'plumber yesterday';
    const text = { ...today, query_by: 'text' };
    expect((await ids(query, today))[0]).toBe('dated');
    expect((await ids(query, { ...text, operator: 'or' }))[0]).toBe('dated');
    expect((await ids(query, { ...text, operator: 'and' }))[0]).toBe('short');
    expect((await ids(`"${query}"`, text))[0]).toBe('short');
    expect((await ids(query.padEnd(1000), text))[0]).toBe('dated');
    expect((await ids(query.padEnd(1001), text))[0]).toBe('short');
  });

  test('a memory is found by the day that it speaks of', async () => {
    await remember(said);
    expect((await ids('What happened on 2 May 2026?'))[0]).toBe('wrist');
    expect((await ids('July 2026', { query_by: 'text' }))[0]).toBe('trip');
  });
});

describe('titles', () => {
  const titleOf = async (memory: Record<string, unknown>): Promise<string> => {
    const { status, body } = await server.remember(database, [{ id: 'm', ...memory }]);
    expect(status).toBe(202);
    return body.data.results[0].title;
  };

  test.each([
    ['a title of blanks is none', { title: ' \n ', text: 'Tea is hot.' }, 'Tea is hot.'],
    ['a heading of Markdown goes without its mark', { text: '## Tea\n\nHot.', is_markdown: true }, 'Tea'],
    ['plain text keeps it', { text: '# 5 is first' }, '# 5 is first'],
    [
      'the first words of a conversation are those of the first turn that says anything',
      {
        user_assistant_pairs: [
          { user: '', assistant: 'Hello!' },
          { user: 'I like tea.', assistant: 'Good.' },
        ],
      },
      'I like tea.',
    ],
  ])('%s', async (_, memory, title) => {
    expect(await titleOf(memory)).toBe(title);
  });
});

describe('what a later memory leaves standing', () => {
  const former = async (id: string, collection?: string): Promise<unknown> => {
    const found = await find('anything', { ids: [id], ...(collection === undefined ? {} : { collection }) });
    return found[0]?.layout.former;
  };

  test('nothing of another user or collection, nothing that speaks of something else', async () => {
    const old = {
      standup: ['2025-03-01', 'We moved our standup to 9.'],
      club: ['2025-03-01', "I'm a member of the chess club."],
      sister: ['2025-03-01', 'My sister lives in Ghent.'],
      nuts: ['2025-03-01', "I'm allergic to nuts."],
    } as const;
    await remember(old, { user_name: 'Eva' });
    await remember({ theirs: ['2025-03-01', "I'm a member of the chess club."] }, { user_name: 'Ida' });
    const elsewhere = { id: 'elsewhere', text: "I'm a member of the chess club.", user_name: 'Eva' };
    await server.remember(database, [{ ...elsewhere, observation_date: '2025-03-01' }], {
      collection: 'other',
    });
    await remember(
      {
        ten: ['2026-06-01', 'We changed our standup to 10.'],
        left: ['2026-06-01', 'I left the chess club.'],
        home: ['2026-06-01', 'I live in Malmö.'],
        cats: ['2026-06-01', "I'm allergic to cats."],
      },
      { user_name: 'Eva' },
    );
    expect(await former('standup')).toEqual(["Eva's standup is 9"]);
    expect(await former('club')).toEqual(['Eva is a member of the chess club']);
    for (const id of ['sister', 'nuts', 'theirs']) expect(await former(id)).toBeUndefined();
    expect(await former('elsewhere', 'other')).toBeUndefined();
  });
});
