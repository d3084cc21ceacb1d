import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ChatServer } from '../support/chat-server.js';
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

const memoryQuery = `query ($database: String!, $id: String!, $collection: String) {
  memory(database: $database, id: $id, collection: $collection) {
    id title collection text userName observationDate infer inferredContent indexingStatus expiresAt metadata
    userAssistantPairs { user assistant }
    facts {
      kind subject attribute value statement evidence confidence observedAt current
      supersededBy { id statement observedAt } repeatedBy { id statement }
    }
  }
}`;

async function memoryOf(id: string, collection?: string): Promise<any> {
  const answer = await server.graphql(memoryQuery, { database, id, collection });
  expect(answer.body.errors).toBeUndefined();
  return answer.body.data.memory;
}

async function infer(
  id: string,
  text: string,
  more: Record<string, unknown> = {},
  fields: Record<string, unknown> = {},
): Promise<void> {
  server.clock.advance(1);
  const memory = { id, text, infer: true, user_name: 'Anna', ...more };
  const answer = await server.remember(database, [memory], fields);
  expect(answer.status).toBe(202);
  expect(answer.body.data.results).toMatchObject([{ id, infer: true, status: 'queued' }]);
}

async function find(query: string, more: Record<string, unknown> = {}): Promise<any[]> {
  const answer = await server.rest('POST', '/query', {
    json: { database, query, type: 'memory', max_results: 50, ...more },
  });
  expect(answer.status).toBe(200);
  return answer.body.data.chunks;
}

const contents = (chunks: { chunk_content: string }[]) => chunks.map((chunk) => chunk.chunk_content);

async function relationsOf(id: string): Promise<string[]> {
  const answer = await server.rest('GET', `/context/relations?database=${database}&type=memory&id=${id}`);
  expect(answer.status).toBe(200);
  return answer.body.data.relations.flatMap(({ source, target, relations }: any) =>
    relations.map((relation: any) => `${source.name} ${relation.canonical_predicate} ${target.name}`),
  );
}

describe('a memory with infer: true', () => {
  test('has its facts in its graph; without, where the user lives and works', async () => {
    await infer('a', 'I love sushi but I hate olives.');
    expect((await relationsOf('a')).sort()).toEqual(['Anna dislikes olives', 'Anna likes sushi']);
    const text = 'I moved from Oslo to Fredrikstad. I love sushi.';
    await server.remember(database, [{ id: 'b', text, user_name: 'Anna' }]);
    expect(await relationsOf('b')).toEqual(['Anna lives_in Fredrikstad']);
  });

  test('is found by its facts and by what is none, each once', async () => {
    await infer('a', 'I prefer window seats. The hotel in Lisbon had a pool.', {
      observation_date: '2026-03-01',
      metadata: {},
    });
    const chunks = await find('window seats Lisbon pool');
    expect(contents(chunks).sort()).toEqual([
      'Anna prefers window seats ("I prefer window seats.")',
      'The hotel in Lisbon had a pool.',
    ]);
    expect(chunks.find((chunk) => chunk.chunk_content.startsWith('Anna')).layout).toMatchObject({
      inferred: true,
      kind: 'preference',
      position: 0,
    });
    expect(await memoryOf('a')).toMatchObject({
      id: 'a',
      collection: 'default',
      text: 'I prefer window seats. The hotel in Lisbon had a pool.',
      userName: 'Anna',
      observationDate: '2026-03-01',
      infer: true,
      indexingStatus: 'completed',
      expiresAt: null,
      inferredContent: 'Anna prefers window seats',
      facts: [
        {
          kind: 'preference',
          subject: 'Anna',
          value: 'window seats',
          evidence: 'I prefer window seats.',
          observedAt: '2026-03-01T00:00:00.000Z',
          current: true,
          supersededBy: null,
          repeatedBy: null,
        },
      ],
    });
  });

  test('of a conversation: facts of the user, not of the assistant', async () => {
    server.clock.advance(1);
    await server.remember(database, [
      {
        id: 'talk',
        infer: true,
        user_assistant_pairs: [
          { user: "I'm vegetarian.", assistant: 'I like steak. Noted!' },
          { user: 'Is the soup vegan?', assistant: 'I live in a data centre.' },
        ],
      },
    ]);
    const memory = await memoryOf('talk');
    expect(memory.inferredContent).toBe('User is vegetarian');
    expect(memory.userAssistantPairs).toHaveLength(2);
    expect(contents(await find('steak soup data centre')).join('\n')).toContain('I like steak. Noted!');
  });

  test('without any fact is stored like any other', async () => {
    await infer('none', 'The weather was nice.');
    expect(await memoryOf('none')).toMatchObject({ inferredContent: '', facts: [] });
    expect(contents(await find('weather'))).toEqual(['The weather was nice.']);
  });

  test('infer: false extracts nothing', async () => {
    await server.remember(database, [{ id: 'verbatim', text: 'I prefer window seats.' }]);
    expect(await memoryOf('verbatim')).toMatchObject({ infer: false, inferredContent: null, facts: [] });
    expect(contents(await find('window seats'))).toEqual(['I prefer window seats.']);
  });
});

describe('contradictions and repetitions', () => {
  test('a later fact supersedes, visibly; the older item stays', async () => {
    await infer('old', 'I prefer window seats. I live in Oslo. I have worked for Brella since 2019.');
    await infer('new', 'I now prefer aisle seats. I now work for Norvik.');
    const old = await memoryOf('old');
    expect(old.inferredContent.split('\n')).toEqual([
      'Anna prefers window seats (superseded)',
      'Anna lives in Oslo',
      'Anna works for Brella (superseded)',
    ]);
    expect(old.facts).toMatchObject([
      {
        current: false,
        supersededBy: { id: 'new', statement: 'Anna prefers aisle seats' },
        repeatedBy: null,
      },
      { current: true, supersededBy: null },
      { current: false, supersededBy: { id: 'new', statement: 'Anna works for Norvik' } },
    ]);
    expect(contents(await find('which seats does Anna prefer'))).toContain(
      'Anna prefers aisle seats ("I now prefer aisle seats.")',
    );
    const found = await find('window seats');
    expect(found.slice(0, 2).map(({ id }) => id)).toEqual(['new', 'old']);
    expect(found[1].layout.former).toEqual(['Anna prefers window seats']);
    const { body } = await server.rest('GET', `/context/relations?database=${database}&type=memory`);
    const times = body.data.relations.map(({ target, relations }: any) => [
      target.name,
      relations[0].temporal_details,
    ]);
    expect(Object.fromEntries(times)).toEqual({
      'window seats': 'former',
      Oslo: null,
      Brella: 'former, since 2019',
      'aisle seats': null,
      Norvik: null,
    });
    expect(contents(await find('Oslo')).join()).toContain('Anna lives in Oslo');
  });

  test('what holds for some days takes the place of nothing, and is kept as it was said', async () => {
    await infer('old', 'My time zone is CET. I like coffee.');
    await infer('new', "I'm in Japan until Sunday, so my time zone is JST. I don't like coffee today.");
    expect((await memoryOf('old')).facts).toMatchObject([{ current: true }, { current: true }]);
    expect(contents(await find('JST'))[0]).toBe(
      "I'm in Japan until Sunday, so my time zone is JST. I don't like coffee today.",
    );
  });

  test('what is said of one sister, or of weekends, ends nothing about another, or of the week', async () => {
    await infer('old', 'My sister Eva works at Bosch. I live in Oslo.');
    await infer('new', 'My sister Ida works at Siemens. I live in Bergen on weekends.');
    const current = (await memoryOf('old')).facts.filter((fact: any) => fact.current);
    expect(current.map(({ statement }: any) => statement)).toEqual([
      "Anna's sister is called Eva",
      "Anna's sister works at Bosch",
      'Anna lives in Oslo',
    ]);
  });

  test('an assistant that only says it has understood is not found in place of what it understood', async () => {
    const user_assistant_pairs = [
      { user: 'I prefer window seats.', assistant: "Got it, I'll remember that." },
    ];
    await infer('talk', '', { text: undefined, user_assistant_pairs });
    expect(contents(await find('what do I prefer to remember'))).toEqual([
      'Anna prefers window seats ("I prefer window seats.")',
    ]);
  });

  test('the same again is found once, and says where', async () => {
    await infer('first', 'My favourite colour is blue.');
    await infer('second', 'My favorite color is Blue!');
    expect((await memoryOf('first')).facts).toMatchObject([
      { current: false, supersededBy: null, repeatedBy: { id: 'second' } },
    ]);
    expect((await find('favourite colour')).map((chunk) => chunk.id)).toEqual(['second']);
  });

  test('replacing the later item revives the older fact', async () => {
    await infer('old', 'I like sushi.');
    await infer('new', 'I no longer like sushi.');
    expect((await memoryOf('old')).facts[0].supersededBy).toMatchObject({ id: 'new' });
    expect((await find('sushi')).map((chunk) => chunk.id)).toEqual(['new', 'old']);
    await infer('new', 'The weather was nice.');
    expect((await memoryOf('old')).facts[0]).toMatchObject({ current: true, supersededBy: null });
    expect(contents(await find('sushi'))).toContain('Anna likes sushi ("I like sushi.")');
    expect(await server.sql('select statement from facts where statement like $1', ['%no longer%'])).toEqual(
      [],
    );
  });

  test('an expired item decides about nothing', async () => {
    await infer('old', 'I like herring.');
    await infer('new', 'I hate herring.');
    await server.sql(`update sources set expires_at = '2000-01-01' where id = 'new'`);
    expect((await memoryOf('old')).facts[0]).toMatchObject({ current: true });
    expect(await memoryOf('new')).toBeNull();
  });

  test('a denial concerns only what it denies', async () => {
    await infer('home', 'I live in Berlin.');
    await infer('denial', 'I no longer live in Oslo.');
    expect((await memoryOf('home')).facts[0]).toMatchObject({ current: true });
  });

  test('the observation date decides, not the order of arrival', async () => {
    await infer('now', 'I live in Berlin.', { observation_date: '2026-05-01' });
    await infer('then', 'I live in Oslo.', { observation_date: '2020-05-01' });
    expect((await memoryOf('now')).facts[0]).toMatchObject({ current: true });
    expect((await memoryOf('then')).facts[0].supersededBy).toMatchObject({ id: 'now' });
  });

  test('neither another collection, another user nor another access list has a say', async () => {
    await infer('a', 'I like tripe.');
    await infer('b', 'I hate tripe.', {}, { collection: 'other' });
    await infer('c', 'I hate tripe.', { user_name: 'Bob' });
    await infer('d', 'I hate tripe.', { acl: ['bob'] });
    expect((await memoryOf('a')).facts[0]).toMatchObject({ current: true });
    expect((await memoryOf('b', 'other')).facts[0]).toMatchObject({ current: true });
  });

  test('in one text the last word counts', async () => {
    await infer('one', 'I like tea. Actually, I no longer like tea.');
    expect((await memoryOf('one')).inferredContent).toBe(
      'Anna likes tea (superseded)\nAnna no longer likes tea',
    );
  });
});

describe('memory(...)', () => {
  test('unknown, of another collection or hidden: null', async () => {
    await infer('hidden', 'I like tea.', { acl: [] });
    expect(await memoryOf('hidden')).toBeNull();
    expect(await memoryOf('unknown')).toBeNull();
    expect(await memoryOf('hidden', 'elsewhere')).toBeNull();
  });

  test('before it is indexed it shows what waits', async () => {
    const memories = [{ id: 'fresh', text: 'I like tea.', infer: true }];
    await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
    expect(await memoryOf('fresh')).toMatchObject({
      text: 'I like tea.',
      indexingStatus: 'queued',
      inferredContent: null,
      facts: [],
    });
    await server.idle();
    expect(await memoryOf('fresh')).toMatchObject({ inferredContent: 'User likes tea' });
  });
});

test('a file with infer: true', async () => {
  const answer = await server.upload(
    database,
    { 'notes.md': '# Minutes\n\nWe decided to use Postgres for billing.\n\nThe room was cold.\n' },
    { document_metadata: JSON.stringify([{ id: 'minutes', infer: true }]) },
  );
  expect(answer.status).toBe(202);
  await server.idle();
  const found = await server.rest('POST', '/query', {
    json: { database, query: 'Postgres billing cold room' },
  });
  // A file stays searchable word by word; its facts stand beside it.
  expect(contents(found.body.data.chunks).join('\n')).toContain('We decided to use Postgres for billing.');
  const facts = await server.sql<{ statement: string }>(
    `select f.statement from facts f join databases d on d.id = f.database_id where d.name = $1`,
    [database],
  );
  expect(facts.map(({ statement }) => statement)).toContain(
    'User and others decided to use Postgres for billing',
  );
  expect(contents(found.body.data.chunks).join('\n')).toContain('The room was cold.');
});

test('a deleted database leaves no fact behind', async () => {
  await infer('a', 'I like quince.');
  await server.rest('DELETE', '/databases', { json: { database } });
  await server.idle();
  expect(await server.sql(`select 1 from facts where statement like '%quince%'`)).toEqual([]);
});

describe('with a language model', () => {
  const chat = new ChatServer();
  const own = { server: undefined as TestServer | undefined };
  const statusOf = async (name: string, id: string) => {
    const answer = await own.server?.rest('GET', `/context/status?database=${name}&ids=${id}`);
    return answer?.body.data.statuses[0];
  };
  beforeAll(async () => {
    await chat.listen();
    own.server = await TestServer.start({ environment: { LLM_URL: chat.url, LLM_MODEL: 'toy' } });
  });
  afterAll(async () => {
    await own.server?.stop();
    await chat.close();
  });

  test('it extracts, narrowed by custom_instructions; while it is down items wait, and none is lost', async () => {
    const started = own.server as TestServer;
    const name = await started.database();
    const fact = {
      kind: 'preference',
      subject: 'Anna',
      attribute: 'favorite cake',
      value: 'plum cake',
      // With an escape that is none, as models write them.
      statement: "Anna's favorite cake\u0000 is plum cake.",
      evidence: 'Nothing beats plum cake.',
      confidence: 0.9,
      single_valued: true,
      negated: false,
    };
    chat.reply = () => ({ status: 500 });
    const text = 'Nothing beats plum cake. It rained.';
    await started.remember(name, [
      { id: 'cake', text, infer: true, user_name: 'Anna', custom_instructions: 'Only food.' },
    ]);
    expect(await statusOf(name, 'cake')).toMatchObject({
      indexing_status: 'processing',
      error_code: 'E5001',
    });
    chat.reply = () => ({ content: JSON.stringify({ facts: [fact] }) });
    started.clock.advance(300);
    await started.idle();
    expect(await statusOf(name, 'cake')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect(chat.asked.at(-1)?.body.messages[0].content).toContain('Only food.');
    const answer = await started.graphql(memoryQuery, { database: name, id: 'cake' });
    expect(answer.body.data.memory).toMatchObject({
      inferredContent: "Anna's favorite cake is plum cake.",
      facts: [
        {
          attribute: 'favorite cake',
          evidence: 'Nothing beats plum cake.',
          confidence: 0.9,
          current: true,
        },
      ],
    });
    const found = await started.rest('POST', '/query', {
      json: { database: name, query: 'cake rained', type: 'memory' },
    });
    expect(contents(found.body.data.chunks).sort()).toEqual([
      'Anna\'s favorite cake is plum cake. ("Nothing beats plum cake.")',
      'It rained.',
    ]);
  });
});
