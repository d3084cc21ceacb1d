import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

const message = (thread_id: string, minute: number, author: string, body: string, acl?: string[]) => ({
  id: `${thread_id}-${minute}`,
  kind: 'message',
  provider: 'chat',
  timestamp: `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`,
  fields: { body, author, thread_id },
  metadata: { place: `${thread_id}-${minute}` },
  ...(acl && { acl }),
});
const ask = async (query: string, body: Record<string, unknown> = {}): Promise<any> => {
  const json = { database, query, ...body };
  return (await server.rest('POST', '/query', { json })).body.data;
};
const found = async (query: string, body: Record<string, unknown> = {}): Promise<string[]> =>
  (await ask(query, body)).chunks.map(({ id }: { id: string }) => id);
/** The items of the neighbours of the first hit. */
const besides = async (query: string, num_related_chunks: number, body: Record<string, unknown> = {}) => {
  const { chunks, additional_context: context } = await ask(query, {
    num_related_chunks,
    max_results: 1,
    query_apps: false,
    ...body,
  });
  return chunks[0].extra_context_ids.map((id: string) => context[id].id);
};

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const items = [
    message('code', 0, 'Luc Berg', 'Does anybody know the door code of the Utrecht office?'),
    message('code', 1, 'Luc Berg', 'I am standing outside.'),
    message('code', 2, 'Ann Roth', 'Front or back?'),
    message('code', 3, 'Ann Roth', '4471, then the star.'),
    message('code', 4, 'Luc Berg', 'Thanks!'),
    message('ribbons', 0, 'Luc Berg', 'where do we keep the spare ribbons for the printer'),
    message('ribbons', 1, 'Bo Lund', 'Not for your eyes.', ['bo']),
    message('ribbons', 2, 'Ann Roth', 'Grey cupboard behind Halima.'),
    ...Array.from({ length: 30 }, (_, n) =>
      message(`other${n}`, 0, 'Bo Lund', `The office of party ${n} has spare code.`),
    ),
  ];
  const json = { database, app_knowledge: items };
  expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
  await server.idle();
});
afterAll(async () => server.stop());

describe('what answers a message that asks what the query asks', () => {
  test('comes right behind it, whatever its words: by another author, and not asked back', async () => {
    for (const mode of ['fast', 'auto', 'thinking'])
      expect((await found('What is the door code of the Utrecht office?', { mode })).slice(0, 2)).toEqual([
        'code-0',
        'code-3',
      ]);
    const [question, answer] = (await ask('door code of the Utrecht office')).chunks;
    expect(answer.relevancy_score).toBeLessThan(question.relevancy_score);
  });

  test('also where the mark is left out, and of what may be read alone', async () => {
    const query = 'Where are the spare ribbons for the printer?';
    expect((await found(query, { acl: ['luc'] })).slice(0, 2)).toEqual(['ribbons-0', 'ribbons-2']);
    expect((await found(query, { acl: ['bo'] })).slice(0, 2)).toEqual(['ribbons-0', 'ribbons-1']);
    for (const only of [{ ids: ['ribbons-0'] }, { metadata_filters: { place: 'ribbons-0' } }])
      expect(await found(query, only)).toEqual(['ribbons-0']);
  });

  test('not without query_apps', async () => {
    const ids = await found('What is the door code of the Utrecht office?', { query_apps: false });
    expect(ids[0]).toBe('code-0');
    expect(ids[1]).not.toBe('code-3');
  });
});

describe('num_related_chunks of a message', () => {
  test('are the messages nearest to it in its thread, the one before first', async () => {
    expect(await besides('door code Utrecht', 2)).toEqual(['code-1', 'code-2']);
    expect(await besides('4471 star', 3)).toEqual(['code-2', 'code-4', 'code-1']);
    expect(await besides('4471 star', 20)).toEqual(['code-2', 'code-4', 'code-1', 'code-0']);
  });

  test('those among them that may be read and are asked for', async () => {
    expect(await besides('grey cupboard', 5, { acl: ['luc'] })).toEqual(['ribbons-0']);
    expect(await besides('grey cupboard', 5, { acl: ['bo'] })).toEqual(['ribbons-1', 'ribbons-0']);
    for (const only of [{ ids: ['ribbons-2'] }, { metadata_filters: { place: 'ribbons-2' } }])
      expect(await besides('grey cupboard', 5, only)).toEqual([]);
  });

  test('beside what else its own item says', async () => {
    const long = `${'filler '.repeat(300)}\n\nThe zeppelin lands at noon.`;
    const json = {
      database,
      app_knowledge: [message('long', 0, 'Ann Roth', long), message('long', 1, 'Bo Lund', 'Splendid.')],
    };
    expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    await server.idle();
    const ids = await besides('zeppelin', 20);
    expect(ids.at(-1)).toBe('long-1');
    expect(new Set(ids.slice(0, -1))).toEqual(new Set(['long-0']));
  });
});
