import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database({
    database_metadata_schema: [
      { name: 'team', max_length: 20 },
      { name: 'level', data_type: 'INT8' },
      { name: 'score', data_type: 'DOUBLE' },
      { name: 'done', data_type: 'BOOL' },
      { name: 'tags', data_type: 'JSON' },
    ],
  });
  const memory = (id: string, metadata: object, additional_metadata: object = {}) => ({
    id,
    text: `a whale called ${id}`,
    metadata,
    additional_metadata,
  });
  await server.remember(database, [
    memory(
      'one',
      { team: 'ops', level: 1, score: 0.5, done: true, tags: ['red', 'blue'] },
      { at: '2024-05-01' },
    ),
    memory(
      'two',
      { team: 'dev ops', level: 2, score: 2, done: false, tags: ['red'] },
      { at: '2024-05-01T09:00:00+02:00' },
    ),
    memory('three', { team: 'sales', level: 3, tags: null }, { at: 'May', colour: 'red', 'a.b': 1 }),
    memory('four', {}, { colour: ['red', 7], nested: { a: { b: 1 } } }),
  ]);
});
afterAll(async () => server.stop());

const ask = async (metadata_filters: unknown) =>
  server.rest('POST', '/query', { json: { database, type: 'memory', query: 'whale', metadata_filters } });
const free = (filter: object) => ({ additional_metadata: filter });

describe('metadata_filters', () => {
  test.each<[string, object, string[]]>([
    ['$eq', { level: { $eq: 2 } }, ['two']],
    ['$eq of a whole array', { tags: { $eq: ['red'] } }, ['two']],
    ['$eq of a whole object', free({ nested: { $eq: { a: { b: 1 } } } }), ['four']],
    ['a scalar, which is no element of an array', free({ colour: 'red' }), ['three']],
    ['null, which is not a missing key', { tags: null }, ['three']],
    ['$ne, also of items without the key', { level: { $ne: 2 } }, ['four', 'one', 'three']],
    ['$in', { level: { $in: [1, 3, 5] } }, ['one', 'three']],
    [
      '$in of scalars, which are no elements of an array',
      free({ colour: { $in: ['red', 'green'] } }),
      ['three'],
    ],
    ['$in of nothing', { level: { $in: [] } }, []],
    ['$nin, also of items without the key', { level: { $nin: [1, 3] } }, ['four', 'two']],
    ['$gt', { level: { $gt: 1 } }, ['three', 'two']],
    ['$gte and $lt', { level: { $gte: 1, $lt: 3 } }, ['one', 'two']],
    ['$lte with a fraction', { score: { $lte: 0.5 } }, ['one']],
    ['order of texts', { team: { $lt: 'ops' } }, ['two']],
    [
      'order of moments, however they are written',
      free({ at: { $gte: '2024-05-01T07:00:00Z' } }),
      ['three', 'two'],
    ],
    ['order, which has no type in common', free({ at: { $gt: 5 } }), []],
    ['$exists', { score: { $exists: true } }, ['one', 'two']],
    ['$exists of null', { tags: { $exists: true } }, ['one', 'three', 'two']],
    ['$exists false', { score: { $exists: false } }, ['four', 'three']],
    ['$contains in arrays', { tags: { $contains: 'blue' } }, ['one']],
    ['$contains in texts', { team: { $contains: 'ops' } }, ['one', 'two']],
    ['$contains in undeclared arrays and texts', free({ colour: { $contains: 'red' } }), ['four', 'three']],
    ['$contains of a number', free({ colour: { $contains: 7 } }), ['four']],
    ['$contains_any', { tags: { $contains_any: ['blue', 'green'] } }, ['one']],
    ['$contains_any in texts', { team: { $contains_any: ['sal', 'dev'] } }, ['three', 'two']],
    ['$and', { $and: [{ level: { $gt: 1 } }, { team: { $contains: 'ops' } }] }, ['two']],
    ['$or over both kinds of metadata', { $or: [{ level: 1 }, free({ colour: 'red' })] }, ['one', 'three']],
    ['$not', { $not: { level: [1, 2] } }, ['four', 'three']],
    ['$or beside keys', { done: true, $or: [{ level: 1 }, { level: 2 }] }, ['one']],
    ['$or of one key', { level: { $or: [{ $lt: 2 }, { $eq: 3 }] } }, ['one', 'three']],
    ['$not of one key', { level: { $not: { $gte: 2 } } }, ['four', 'one']],
    [
      '$or in free-form metadata',
      free({ $or: [{ colour: 'red' }, { at: { $exists: true } }] }),
      ['one', 'three', 'two'],
    ],
    ['a key with a dot', free({ 'a.b': 1 }), ['three']],
    ['what looks like a path', free({ 'nested.a.b': 1 }), []],
    ['boolean values', { done: false }, ['two']],
    ['an undeclared key, as the JSON that is stored', { other: { $ne: 1 } }, ['four', 'one', 'three', 'two']],
    ['nothing', {}, ['four', 'one', 'three', 'two']],
  ])('%s', async (_case, filter, expected) => {
    const answer = await ask(filter);
    expect([answer.status, answer.body.error]).toEqual([200, null]);
    expect(answer.body.data.chunks.map(({ id }: { id: string }) => id).sort()).toEqual(expected);
  });

  test('GraphQL takes the same', async () => {
    const answer = await server.graphql(
      `query ($database: String!, $filter: JSONObject) {
        search(database: $database, type: memory, query: "whale", metadataFilters: $filter) { chunks { id } } }`,
      { database, filter: { $or: [{ level: { $gt: 2 } }, { team: { $in: ['ops'] } }] } },
    );
    expect(answer.body.data.search.chunks.map(({ id }: { id: string }) => id).sort()).toEqual([
      'one',
      'three',
    ]);
  });

  test.each([
    ['a text for a number', { level: { $gt: 'high' } }, 'metadata_filters.level.$gt must be a whole number'],
    ['a number beyond the type', { level: { $lt: 1000 } }, 'metadata_filters.level.$lt must be -128 to 127'],
    [
      'a fraction for an integer',
      { level: { $in: [1, 2.5] } },
      'metadata_filters.level.$in[1] must be a whole number',
    ],
    ['a number for a text', { team: { $ne: 5 } }, 'metadata_filters.team.$ne must be a string'],
    ['a text for a boolean', { done: 'yes' }, 'metadata_filters.done must be true or false'],
    ['a scalar for JSON', { tags: 'red' }, 'metadata_filters.tags must be an object or array'],
    ['the order of booleans', { done: { $gt: false } }, 'metadata_filters.done.$gt is no operator for BOOL'],
    [
      'parts of a number',
      { level: { $contains: 1 } },
      'metadata_filters.level.$contains is no operator for INT8',
    ],
    [
      'a number in a text',
      { team: { $contains_any: ['a', 1] } },
      'metadata_filters.team.$contains_any must be a string',
    ],
    [
      'a misfit deep inside',
      { $or: [{ team: 'ops' }, { $not: { level: { $not: { $gte: 'x' } } } }] },
      'metadata_filters.$or[1].$not.level.$not.$gte must be a whole number',
    ],
  ])('refuses %s with 400 VALIDATION_ERROR naming the path', async (_case, filter, message) => {
    const answer = await ask(filter);
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: 'VALIDATION_ERROR', message }]);
  });

  const deep = (depth: number): object => (depth === 0 ? { level: 1 } : { $not: deep(depth - 1) });
  test.each([
    [
      'an operator that there is not',
      { level: { $near: 1 } },
      /metadata_filters\.level\.\$near is no operator/,
    ],
    ['an operator without a key', { $gt: 1 }, /metadata_filters\.\$gt is none of \$and, \$or and \$not/],
    ['an object without operators', { tags: { red: true } }, /metadata_filters\.tags\.red is no operator/],
    ['no operator at all', { tags: {} }, /metadata_filters\.tags must hold an operator/],
    ['operators as a value', { tags: { $eq: { $gt: 1 } } }, /tags\.\$eq must be a value, not operators/],
    ['$in without a list', { level: { $in: 1 } }, /metadata_filters\.level\.\$in must be a list/],
    ['$exists without a boolean', { level: { $exists: 1 } }, /\$exists must be true or false/],
    [
      'the order of null',
      free({ at: { $gt: null } }),
      /additional_metadata\.at\.\$gt must be a number or a string/,
    ],
    ['$contains of a list', free({ colour: { $contains: ['red'] } }), /\$contains must be a scalar/],
    ['$and without a list', { $and: { level: 1 } }, /metadata_filters\.\$and must be a list/],
    ['$or of nothing', { $or: [] }, /metadata_filters\.\$or must be a list of at least one object/],
    ['$or of scalars', { $or: [1] }, /metadata_filters\.\$or\[0\] must be an object/],
    ['$not of a list', { $not: [] }, /metadata_filters\.\$not must be an object/],
    [
      'free-form metadata that is no object',
      { additional_metadata: 5 },
      /additional_metadata must be an object/,
    ],
    ['501 values', free({ colour: { $contains_any: Array(501).fill(1) } }), /has 501 values; at most 500/],
    ['1001 conditions', { $or: Array(1001).fill({}) }, /more than 1000 conditions/],
    [
      '1001 keys',
      free(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [n, n]))),
      /more than 1000 conditions/,
    ],
    ['nine in one another', deep(9), /stands in more than 8 of \$and, \$or and \$not/],
    ['more than 64 KiB', free({ colour: 'x'.repeat(65_536) }), /has \d+ bytes; at most 65536/],
  ])('refuses %s with 400 INVALID_INPUT', async (_case, filter, message) => {
    const answer = await ask(filter);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(message);
  });

  test('takes as much as its bounds say', async () => {
    const among = Array.from({ length: 500 }, (_, n) => (n === 499 ? 'red' : `colour-${n}`));
    for (const [filter, expected] of [
      [free({ colour: among }), 'three'],
      [free({ colour: { $in: among } }), 'three'],
      [free({ colour: { $contains_any: among } }), 'four'],
      [{ $or: Array.from({ length: 500 }, (_, n) => free({ colour: n === 0 ? 'red' : `c${n}` })) }, 'three'],
      [deep(8), 'one'],
    ] as const) {
      const answer = await ask(filter);
      expect(answer.status).toBe(200);
      expect(answer.body.data.chunks.map(({ id }: { id: string }) => id)).toContain(expected);
    }
  });
});
