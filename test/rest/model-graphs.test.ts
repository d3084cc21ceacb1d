import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ChatServer } from '../support/chat-server.js';
import type { Asked } from '../support/chat-server.js';
import { suppliedGraph, triplets } from '../support/graphs.js';
import { TestServer } from '../support/server.js';
import { allStatuses } from '../support/webhook-account.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

// Rules and model read it differently, so that what is shown tells who found it.
const text = 'Anna Berg works for Volvo.';
const byRules = ['Anna Berg works_for Volvo'];
const byModel = ['Anna Berg admires Volvo'];
const entity = (name: string, type: string) => ({ name, type, identifier: null, aliases: [] });
const admiration = {
  source: 'Anna Berg',
  predicate: 'admires',
  target: 'Volvo',
  evidence: text,
  temporal_details: null,
  confidence: 0.9,
};
const answerOf = (entities: unknown[], relations: unknown[]) => ({
  content: JSON.stringify({ entities, relations }),
});
const good = () => answerOf([entity('Anna Berg', 'PERSON'), entity('Volvo', 'ORGANIZATION')], [admiration]);
/** The probe is answered, as a model does that chokes on one item. */
const exceptProbe = (reply: ChatServer['reply']) => (asked: Asked, index: number) =>
  asked.body.messages[1].content === '{}' ? { content: '{}' } : reply(asked, index);

const holdHours = 2;
const chat = new ChatServer();
let server: TestServer;
let receiver: WebhookReceiver;
let database: string;
beforeAll(async () => {
  await chat.listen();
  server = await TestServer.start({
    environment: {
      LLM_URL: chat.url,
      LLM_MODEL: 'toy',
      INDEXING_HOLD_HOURS: String(holdHours),
      WEBHOOK_ALLOW_PRIVATE: '1',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await chat.close();
});
beforeEach(async () => {
  chat.asked = [];
  chat.reply = good;
  receiver = await new WebhookReceiver().listen();
  database = await server.database();
  await server.sql('delete from webhooks');
  await server.rest('POST', '/webhooks/indexing', { json: { url: receiver.url } });
});
afterEach(async () => {
  // What a test leaves waiting is no part of the next.
  chat.reply = good;
  server.clock.advance(600);
  await server.idle();
  await receiver.close();
});

const remember = (id: string, more: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) =>
  server.remember(database, [{ id, text, ...more }], fields);
const statusOf = (id: string) => server.statusOf(database, id);
const shown = async (id: string) => {
  const answer = await server.rest('GET', `/context/relations?database=${database}&type=memory&ids=${id}`);
  expect(answer.status).toBe(200);
  return triplets(answer.body.data.relations);
};
const found = async (query: string) => {
  const json = { database, query, type: 'memory' };
  return (await server.rest('POST', '/query', { json })).body.data.chunks.map((chunk: any) => chunk.id);
};
const after = async (seconds: number) => {
  server.clock.advance(seconds);
  await server.idle();
};
const told = (id: string) =>
  receiver.received
    .filter(({ body }) => body.id === id)
    .map(({ body }) => [body.indexing_status, body.sequence]);
const toldOnce = allStatuses.map((status, index) => [status, index + 1]);

describe('with a language model', () => {
  test('an item has the graph that the model found, and each step of it is told once', async () => {
    await remember('a', { infer: false });
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect(await shown('a')).toEqual(byModel);
    expect(chat.asked).toHaveLength(1);
    await after(5);
    expect(told('a')).toEqual(toldOnce);
  });

  test('custom_instructions narrow it', async () => {
    await remember('a', { infer: true, custom_instructions: 'Only admiration.' });
    const asked = chat.asked.filter(({ body }) => body.messages[0].content.includes('graph of entities'));
    expect(asked).not.toEqual([]);
    for (const { body } of asked) expect(body.messages[0].content).toContain('Only admiration.');
  });

  test('an item that brings its graph is completed without a question', async () => {
    const graph_payload = { a: suppliedGraph([['Anna', 'knows', 'Bert']]) };
    await remember('a', {}, { graph_payload });
    expect((await statusOf('a')).indexing_status).toBe('completed');
    expect(await shown('a')).toEqual(['Anna knows Bert']);
    expect(chat.asked).toEqual([]);
  });

  test('it is not asked about what a mail repeats', async () => {
    const body = `${text}\n\n-----Original Message-----\nFrom: Bo\nSent: Monday\nTo: Cy\nSubject: Saab\n\nCarl Lind works for Saab.`;
    const app_knowledge = [{ id: 'mail', kind: 'email', fields: { subject: 'Re: Saab', body } }];
    await server.rest('POST', '/context/ingest', { json: { database, app_knowledge } });
    await server.idle();
    const asked = JSON.stringify(chat.asked);
    expect(asked).toContain(text);
    expect(asked).not.toContain('Carl Lind');
  });

  test('an item too long for it keeps what the rules found behind what it was shown', async () => {
    const long = `${text} ${'Plums ripen. '.repeat(20_000)} Carl Lind works for Saab.`;
    await remember('a', { text: long });
    expect((await statusOf('a')).indexing_status).toBe('completed');
    expect((await shown('a')).sort()).toEqual([...byModel, 'Carl Lind works_for Saab']);
  });

  test.each([
    ['nonsense', { content: 'plums' }],
    ['a refusal', { status: 404 }],
  ])('rules stand where it answers %s', async (_, reply) => {
    chat.reply = () => reply;
    await remember('a');
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect(await shown('a')).toEqual(byRules);
  });
});

test('the graph of the rules stands until the one that the model found is stored as a whole', async () => {
  const groups = `relation_groups_${await server.databaseId(database)}_memory`;
  await server.sql(
    `alter table ${groups} add constraint no_admiration check (relations::text not like '%admires%')`,
  );
  await remember('a');
  expect((await statusOf('a')).indexing_status).toBe('graph_creation');
  expect(chat.asked).not.toEqual([]);
  expect(await shown('a')).toEqual(byRules);
  await server.sql(`alter table ${groups} drop constraint no_admiration`);
  await after(600);
  expect((await statusOf('a')).indexing_status).toBe('completed');
  expect(await shown('a')).toEqual(byModel);
});

describe('while the model is down', () => {
  beforeEach(async () => {
    chat.reply = () => ({ status: 500 });
    await remember('a');
  });

  test('an item is found, with the graph of the rules, and says what it waits for', async () => {
    expect(await statusOf('a')).toMatchObject({
      indexing_status: 'graph_creation',
      error_code: 'E5001',
      success: true,
    });
    expect(await found('Berg Volvo')).toEqual(['a']);
    expect(await shown('a')).toEqual(byRules);
  });

  test('no try is used up, and it is completed when the model is back', async () => {
    for (let round = 0; round < 10; round += 1) await after(61);
    expect((await statusOf('a')).indexing_status).toBe('graph_creation');
    chat.reply = good;
    await after(61);
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect(await shown('a')).toEqual(byModel);
    await after(5);
    expect(told('a')).toEqual(toldOnce);
  });

  test('items that come meanwhile are found too, and wait', async () => {
    await remember('b', { text: 'Carl Lind works for Saab.' });
    expect(await statusOf('b')).toMatchObject({ indexing_status: 'graph_creation', error_code: 'E5001' });
    expect(await found('Lind Saab')).toContain('b');
  });

  test('for too long, the rules have found its graph', async () => {
    await after(holdHours * 3600 + 1);
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect(await shown('a')).toEqual(byRules);
    await after(5);
    expect(told('a')).toEqual(toldOnce);
  });

  test('an item can be deleted, and nothing of it is left', async () => {
    const json = { database, type: 'memory', ids: ['a'] };
    expect((await server.rest('DELETE', '/context', { json })).body.data.deleted_count).toBe(1);
    chat.reply = good;
    chat.asked = [];
    await after(61);
    expect(await shown('a')).toEqual([]);
    expect(chat.asked.filter(({ body }) => body.messages[1].content.includes('Berg'))).toEqual([]);
  });
});

test('an item that the model never answers is completed by rules after its tries', async () => {
  chat.reply = exceptProbe(() => ({ status: 500 }));
  await remember('a');
  expect(await statusOf('a')).toMatchObject({ indexing_status: 'graph_creation', error_code: 'E5001' });
  for (let attempt = 1; attempt < 8; attempt += 1) await after(400);
  expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
  expect(await shown('a')).toEqual(byRules);
});

describe('while the model thinks', () => {
  /** Stores an item and returns when the model is asked about it: the rest goes on when it is answered. */
  const asking = async (): Promise<{ answered: () => Promise<void> }> => {
    let heard: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (heard = resolve));
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    chat.reply = () => {
      heard();
      return isAnswered.then(good);
    };
    const remembered = remember('a');
    await isAsked;
    return {
      answered: async () => {
        chat.reply = good;
        answer();
        await remembered;
      },
    };
  };

  test('the item is found; then it is completed', async () => {
    const { answered } = await asking();
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'graph_creation', error_code: '' });
    expect(await found('Berg Volvo')).toEqual(['a']);
    expect(await shown('a')).toEqual(byRules);
    await answered();
    expect((await statusOf('a')).indexing_status).toBe('completed');
    expect(await shown('a')).toEqual(byModel);
  });

  test('a new version takes its place; what is answered of the old one is dropped', async () => {
    const { answered } = await asking();
    const json = { database, type: 'memory', memories: [{ id: 'a', text: 'Pears ripen.' }], upsert: true };
    expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    const later = new Date(server.clock.now().getTime() + 60_000);
    await server.sql(`update sources set next_attempt_at = $1 where id = 'a' and latest`, [later]);
    await answered();
    expect((await statusOf('a')).indexing_status).toBe('queued');
    expect(await shown('a')).toEqual(byRules);
    await after(65);
    expect((await statusOf('a')).indexing_status).toBe('completed');
    expect(await found('pears')).toEqual(['a']);
    expect(await shown('a')).toEqual([]);
  });

  test('its worker dies: another one asks again', async () => {
    const { answered } = await asking();
    // Another one has taken it over, and died in the middle of storing.
    await server.sql(
      `update sources set lease_token = gen_random_uuid(), lease_until = $1 where id = 'a' and latest`,
      [server.clock.now()],
    );
    await answered();
    await after(31);
    expect((await statusOf('a')).indexing_status).toBe('completed');
    expect(await shown('a')).toEqual(byModel);
    await after(5);
    expect(told('a')).toEqual(toldOnce);
  });
});
