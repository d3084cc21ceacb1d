import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

const statusOf = async (ids: string, query = '') =>
  server.rest('GET', `/context/status?database=${database}&ids=${ids}${query}`);

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

describe('GET /context/status', () => {
  test('repeats and commas, unknown ids beside known ones, none at all', async () => {
    await server.remember(database, [
      { id: 's1', text: 'a' },
      { id: 's2', text: 'b' },
    ]);
    const mixed = await server.rest('GET', `/context/status?database=${database}&ids=s1,s2&ids=nope`);
    expect(mixed.status).toBe(200);
    expect(mixed.body.data.statuses).toMatchObject([
      { id: 's1', indexing_status: 'completed', error_code: '', error_message: '', success: true },
      { id: 's2', indexing_status: 'completed' },
      { id: 'nope', indexing_status: 'errored', error_code: 'FILE_NOT_FOUND', success: false },
    ]);
    expect((await server.rest('GET', `/context/status?database=${database}`)).status).toBe(400);
    expect((await statusOf('s1', '&type=knowledge')).status).toBe(404);
    expect((await statusOf('s1', '&collection=elsewhere')).status).toBe(404);
    expect((await statusOf('s1', '&type=memory')).status).toBe(200);
  });

  test('says whose text it is that holds nothing but characters that take no space', async () => {
    await server.upload(
      database,
      { 'thin.txt': '\u200b\ufeff \u2060' },
      { document_metadata: '[{"id":"thin"}]' },
    );
    await server.remember(database, [
      { id: 'thin-text', text: '\u200b' },
      { id: 'thin-pairs', user_assistant_pairs: [{ user: '\u200b', assistant: '\u200d' }] },
    ]);
    const { statuses } = (await statusOf('thin,thin-text,thin-pairs')).body.data;
    expect(statuses.map((status: any) => [status.error_code, status.error_message])).toEqual([
      ['E2002', 'The file contains no readable text.'],
      ['E2002', 'The memory contains no readable text.'],
      ['E2002', 'The memory contains no readable text.'],
    ]);
  });

  test('without type tells of an item that is under way before another one of its id that is done', async () => {
    const knowledge = [{ id: 'twin', kind: 'message', fields: { body: 'a' } }];
    const ingest = (json: object) => server.rest('POST', '/context/ingest', { json: { database, ...json } });
    const statusOfTwin = async (search = '') => {
      const { statuses } = (await statusOf('twin', search)).body.data;
      return statuses.map(({ indexing_status: status }: { indexing_status: string }) => status);
    };
    await ingest({ app_knowledge: knowledge });
    await server.idle();
    const memories = [{ id: 'twin', text: 'b' }];
    await ingest({ type: 'memory', memories });
    expect(await statusOfTwin()).toEqual(['queued']);
    expect(await statusOfTwin('&type=all')).toEqual(['queued']);
    expect(await statusOfTwin('&type=knowledge')).toEqual(['completed']);
    await server.idle();
    await ingest({ app_knowledge: knowledge });
    expect(await statusOfTwin()).toEqual(['queued']);
    expect(await statusOfTwin('&type=memory')).toEqual(['completed']);
    await server.idle();
    // Of two that are done the one that was ingested last.
    server.clock.advance(1000);
    await ingest({ type: 'memory', memories });
    await server.idle();
    const time = async (search: string) => (await statusOf('twin', search)).body.data.statuses[0].updated_at;
    expect(await time('')).toBe(await time('&type=memory'));
    expect(await time('')).not.toBe(await time('&type=knowledge'));
  });
});
