import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [{ id: 'known', text: 'a fact' }]);
});
afterAll(async () => server.stop());

const json = (more: object) => ({ json: { database, type: 'memory', ...more } });
const rest = (route: string, options: Parameters<TestServer['rest']>[2] = {}) => {
  const [method = '', path = ''] = route.split(' ');
  return server.rest(method, path.replace('{scope}', `database=${database}&type=memory`), options);
};
const refused: Record<string, () => ReturnType<TestServer['rest']>> = {
  ingest: () => rest('POST /context/ingest', json({ memories: [{ text: 'a' }] })),
  query: () => rest('POST /query', json({ query: 'a' })),
  'a list': () => rest('GET /context/list?{scope}'),
  'a list asked for by POST': () => rest('POST /context/list', json({ ids: ['known'] })),
  'a deletion': () => rest('DELETE /context', json({ ids: ['known'] })),
  content: () => rest('GET /context/inspect?{scope}&id=known'),
  'chunks of an item': () => rest('GET /context/chunks?{scope}&id=known'),
  'chunks by id': () => rest('GET /context/chunks?{scope}&chunk_ids=01890a5d-ac96-774b-bcce-b302099a8057'),
  relations: () => rest('GET /context/relations?{scope}'),
  'a subgraph': () => rest('GET /context/known/subgraph?{scope}'),
  'an edit of metadata': () =>
    rest('PATCH /context/known/metadata', json({ collection: 'default', additional_metadata: { a: 1 } })),
};

describe.each(['accepted', 'failed'])('a database that is %s', (status) => {
  beforeAll(async () => {
    await server.sql('update databases set status = $2 where name = $1', [database, status]);
  });

  test.each(Object.entries(refused))('refuses %s: 422 with Retry-After', async (_what, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'TENANT_INFRA_NOT_READY']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('refuses one item of GraphQL too', async () => {
    const { body } = await server.graphql(`{ memory(database: "${database}", id: "known") { id } }`);
    expect(body.errors[0].extensions).toMatchObject({ code: 'TENANT_INFRA_NOT_READY', httpStatus: 422 });
  });

  test('answers status and stats', async () => {
    const indexing = await rest('GET /context/status?{scope}&ids=known');
    expect([indexing.status, indexing.body.data.statuses[0].indexing_status]).toEqual([200, 'completed']);
    expect((await rest('GET /databases/status?{scope}')).body.data.status).toBe(status);
    expect((await rest('GET /databases/stats?{scope}')).status).toBe(200);
  });
});
