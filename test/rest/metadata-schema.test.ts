import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

describe('metadata schema', () => {
  const fields = (database: string, key?: string) =>
    server.rest('GET', `/databases/${database}/metadata-schema`, key ? { key } : {});
  const add = (database: string, add_fields: unknown, path = 'databases') =>
    server.rest('PATCH', `/${path}/${database}/metadata-schema`, { json: { add_fields } });

  test('GET shows the fields without false flags, in the envelope; none without a schema', async () => {
    const database = await server.database({
      database_metadata_schema: [
        { name: 'team', max_length: 64, enable_dense_embedding: true },
        { name: 'size', data_type: 'integer', filterable: true },
      ],
    });
    const answer = await fields(database);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      database,
      tenant_id: database,
      fields: [
        { name: 'team', data_type: 'VARCHAR', max_length: 64, enable_dense_embedding: true },
        { name: 'size', data_type: 'INT64', filterable: true },
      ],
    });
    expect(answer.body.meta).toMatchObject({ database, api_version: '2.0.1' });
    expect((await fields(await server.database())).body.data.fields).toEqual([]);
    const legacy = await server.rest('GET', '/tenants/nowhere/metadata-schema');
    expect([legacy.status, legacy.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('PATCH adds fields, answers without the envelope, and binds what is ingested from then on', async () => {
    const database = await server.database({ database_metadata_schema: [{ name: 'team' }] });
    const answer = await add(database, [
      { name: 'size', data_type: 'INT64' },
      { name: 'tags', data_type: 'JSON' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ database, tenant_id: database, added_fields: ['size', 'tags'] });
    expect(answer.headers.get('x-request-id')).toMatch(/-7/);
    const names = (await fields(database)).body.data.fields.map((field: { name: string }) => field.name);
    expect(names).toEqual(['team', 'size', 'tags']);
    const remember = (metadata: object) => server.remember(database, [{ text: 'x', metadata }]);
    expect((await remember({ team: 'a', size: 3 })).status).toBe(202);
    expect((await remember({ size: 'three' })).status).toBe(400);
    expect((await remember({ colour: 'red' })).status).toBe(400);
    const legacy = await add(database, [{ name: 'late' }], 'tenants');
    expect(legacy.body).toEqual({ database, tenant_id: database, added_fields: ['late'] });
    expect(legacy.headers.get('deprecation')).toBe('true');
    expect(legacy.headers.get('warning')).toMatch(/deprecated/);
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}` }));
  test.each([
    ['a bound of a field', [{ name: 'a', max_length: 0 }], 400, /^add_fields\[0\]\.max_length is 0/],
    ['no field', [], 400, /add_fields.*at least one/],
    ['nothing', undefined, 400, /add_fields is required/],
    ['a name that exists, in another case', [{ name: 'TEAM' }], 409, /"TEAM" already/],
    ['a name twice', [{ name: 'a' }, { name: 'A' }], 400, /twice/],
    ['a dense field', [{ name: 'a', enable_dense_embedding: true }], 400, /at creation only/],
    ['a sparse field', [{ name: 'a', enable_sparse_embedding: true }], 400, /at creation only/],
    ['an ARRAY', [{ name: 'a', data_type: 'ARRAY' }], 400, /data_type/],
    ['a reserved name', [{ name: 'tenant_id' }], 400, /reserved/],
    ['more than 32 fields in all', many(32), 400, /33 fields; at most 32/],
    ['a good and a bad one', [{ name: 'good' }, { name: '1' }], 400, /letter/],
  ])(
    'PATCH with %s is refused with the code INTERNAL_ERROR and changes nothing',
    async (_case, added, status, message) => {
      const database = await server.database({ database_metadata_schema: [{ name: 'team' }] });
      const before = (await fields(database)).body.data;
      const answer = await add(database, added);
      expect([answer.status, answer.body.error.code, answer.body.detail.error_code]).toEqual([
        status,
        'INTERNAL_ERROR',
        'INTERNAL_ERROR',
      ]);
      expect(answer.body.error.message).toMatch(message);
      expect((await fields(database)).body.data).toEqual(before);
    },
  );

  test('an unknown database is 404 with the code of the route', async () => {
    expect((await add('nowhere', [{ name: 'a' }])).body.error.code).toBe('DATABASE_NOT_FOUND');
    expect((await add('nowhere', [{ name: 'a' }], 'tenants')).body.error.code).toBe('NOT_FOUND');
  });

  test('fields added at the same time are all there', async () => {
    const database = await server.database();
    const answers = await Promise.all(many(8).map((field) => add(database, [field])));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect((await fields(database)).body.data.fields).toHaveLength(8);
  });

  test('the type of a field is written in any case, and stored in one', async () => {
    const written = ['varchar', 'Int64', 'STRING', 'Json', 'float', 'FLOAT', 'bool'];
    const named = written.map((type, n) => ({ name: `f${n}`, data_type: type }));
    const database = await server.database({ database_metadata_schema: named });
    await add(database, [{ name: 'late', data_type: 'double' }]);
    const types = (await fields(database)).body.data.fields.map((field: any) => field.data_type);
    expect(types).toEqual(['VARCHAR', 'INT64', 'VARCHAR', 'JSON', 'DOUBLE', 'FLOAT', 'BOOL', 'DOUBLE']);
    expect((await add(database, [{ name: 'list', data_type: 'array' }])).status).toBe(400);
  });

  test('a FLOAT has the range of 32 bits, a DOUBLE of 64', async () => {
    const database = await server.database({
      database_metadata_schema: [
        { name: 'float', data_type: 'FLOAT' },
        { name: 'double', data_type: 'DOUBLE' },
      ],
    });
    const remember = (metadata: object) => server.remember(database, [{ text: 'x', metadata }]);
    const floatMax = 3.4028234663852886e38;
    expect((await remember({ float: -floatMax, double: 1e39 })).status).toBe(202);
    for (const float of [3.5e38, -1e39]) {
      const { status, body } = await remember({ float });
      expect([status, body.error.message]).toEqual([
        400,
        `memories[0].metadata.float must be ${-floatMax} to ${floatMax}`,
      ]);
    }
  });

  test('GraphQL has the same', async () => {
    const database = await server.database();
    const added = await server.graphql(
      'mutation ($database: String!) { addMetadataFields(database: $database, fields: [{ name: "a" }]) { addedFields } }',
      { database },
    );
    expect(added.body.data.addMetadataFields.addedFields).toEqual(['a']);
    const schema = await server.graphql(
      'query ($database: String!) { metadataSchema(database: $database) { fields { name dataType enableMatch } } }',
      { database },
    );
    expect(schema.body.data.metadataSchema.fields).toEqual([
      { name: 'a', dataType: 'VARCHAR', enableMatch: false },
    ]);
    const twice = await server.graphql(
      'mutation ($database: String!) { addMetadataFields(database: $database, fields: [{ name: "a" }]) { database } }',
      { database },
    );
    expect(twice.body.errors[0].extensions).toMatchObject({ code: 'INVALID_INPUT', httpStatus: 409 });
  });
});
