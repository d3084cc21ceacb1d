import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { docsPage } from '../../rest-compat/openapi-docs.js';
import { requestDescription } from '../../rest-compat/openapi-requests.js';
import { loadOperation } from '../../rest-compat/operations.js';
import { executableSchema } from '../../src/api/schema.js';
import { ERRORS } from '../../src/errors.js';
import { TestServer } from '../support/server.js';
import type { Answer, CallOptions } from '../support/server.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let server: TestServer;
let document: any;
let ajv: Ajv2020;
beforeAll(async () => {
  server = await TestServer.start({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  document = (await server.rest('GET', '/openapi.json')).body;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as object, 'openapi');
});
afterAll(async () => server.stop());

/** The same schemas, which refuse keys that they do not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  const isObjectSchema = copy['properties'] !== undefined && copy['type'] !== undefined;
  return isObjectSchema ? { ...copy, additionalProperties: false } : copy;
}

function pointer(...keys: (string | number)[]): string {
  const escaped = keys.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
  return `/${escaped.map(encodeURIComponent).join('/')}`;
}

function expectValid(value: unknown, at: string): void {
  const validate = ajv.compile({ $ref: `openapi#${at}` });
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

/** Calls the server and checks the answer against what the document says of it. */
async function documented(
  method: string,
  path: string,
  { route = path.split('?', 1)[0] ?? '', ...options }: CallOptions & { route?: string } = {},
): Promise<Answer> {
  const answer = await server.rest(method, path, options);
  const response = document.paths[route][method.toLowerCase()].responses[answer.status];
  expect([method, path, answer.status, response !== undefined]).toEqual([method, path, answer.status, true]);
  const at = response.$ref
    ? response.$ref.slice(1)
    : pointer('paths', route, method.toLowerCase(), 'responses', answer.status);
  expectValid(answer.body, `${at}${pointer('content', 'application/json', 'schema')}`);
  return answer;
}

describe('the document', () => {
  test('is valid OpenAPI 3.1, and the printed one', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document).toEqual(JSON.parse(readFileSync('schema/openapi.json', 'utf8')));
  });

  test('says what is answered without the envelope, as its responses do', () => {
    const bare = ENDPOINTS.filter((endpoint) => endpoint.bare);
    const named = ENDPOINTS.filter(
      ({ method, path }) =>
        path.startsWith('/connectors') || (method === 'PATCH' && path.endsWith('/metadata-schema')),
    );
    expect(bare).toEqual(named);
    expect(document.info.description).toMatch(
      /of connector endpoints.*change of a metadata schema.*data alone/s,
    );
  });

  test('needs a key', async () => {
    const answer = await server.rest('GET', '/openapi.json', { key: null });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await server.rest('GET', '/openapi.json', { key: 'nonsense' })).status).toBe(401);
  });

  test('has every row and deprecated path, and nothing else', () => {
    const expected = ENDPOINTS.flatMap(({ method, path, legacyPaths, status }) => [
      [`${method} ${path}`, status, false],
      ...legacyPaths.map((legacy) => [`${method} ${legacy}`, status, true]),
    ]);
    const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
    );
    const found = operations.map(({ path, method, operation }) => {
      const [status] = Object.keys(operation.responses);
      return [`${method.toUpperCase()} ${path}`, Number(status), operation.deprecated ?? false];
    });
    expect(found.sort()).toEqual(expected.sort());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(document.tags.every(({ description }: any) => description)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names every parameter under all of its names, and none that is refused', () => {
    const { schema } = document.paths['/query'].post.requestBody.content['application/json'];
    expect(schema.required).toEqual(['database', 'query']);
    expect(schema.properties.max_results).toEqual({
      type: ['integer', 'null'],
      format: 'int32',
      description: 'How many chunks to return at most, 1 to 250; default 10.',
    });
    expect(schema.properties.sub_tenant_ids).toMatchObject({ deprecated: true });
    const edit =
      document.paths['/context/{id}/metadata'].patch.requestBody.content['application/json'].schema;
    for (const refused of ['metadata', 'document_metadata'])
      expect(edit.properties).not.toHaveProperty(refused);
    const { parameters } = document.paths['/context/status'].get;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'ids', in: 'query', required: true }));
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'id', required: false }));
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'tenant_id', deprecated: true }));
    const { MemoryInput } = document.components.schemas;
    expect(MemoryInput.properties.source_id.deprecated).toBe(true);
    expect(Object.keys(MemoryInput.properties)).toEqual(
      expect.arrayContaining(['user_assistant_pairs', 'is_markdown']),
    );
    expect(MemoryInput.description).toBe(
      'A memory to store. At least one of text and user_assistant_pairs is required.',
    );
  });

  test('says of what a body may carry what the fields of the GraphQL input say', () => {
    const schemaOf = (path: string) =>
      document.paths[path].post.requestBody.content['application/json'].schema.properties;
    expect(schemaOf('/context/ingest').acl.description).toMatch(/^Principals/);
    expect(schemaOf('/connectors').sync_interval_seconds.description).toBeTruthy();
    // Not in an input object.
    expect(schemaOf('/query').max_results.description).toBeTruthy();
  });

  test('takes files in a multipart form only, where lists of items are JSON text', () => {
    const { content } = document.paths['/context/ingest'].post.requestBody;
    expect(content['multipart/form-data'].schema.properties).toMatchObject({
      documents: { type: 'array', items: { type: 'string', format: 'binary' } },
      memories: { type: 'string', description: expect.stringMatching(/^Memories.* JSON, written as text/) },
    });
    expect(content['application/json'].schema.properties.documents).toBeUndefined();
    expect(content['application/x-www-form-urlencoded'].schema.properties.documents).toBeUndefined();
  });

  test('has every code of the table of errors that a documented method can answer', () => {
    for (const [name, row] of Object.entries(ERRORS)) {
      if (name === 'METHOD_NOT_ALLOWED') continue;
      const { schema } = document.components.responses[`Error${row.status}`].content['application/json'];
      expect(schema.allOf[1].properties.error.properties.code.enum).toContain(
        'code' in row ? row.code : name,
      );
    }
  });

  test('a parameter in a path stands nowhere else, under none of its names', async () => {
    const schema = await executableSchema();
    const row = ENDPOINTS.find(({ operation }) => operation === 'list-collections');
    if (!row) throw new Error('the table has no list-collections');
    const path = '/databases/{database}/collections';
    const operation = loadOperation(schema, row);
    const { parameters } = requestDescription({ endpoint: row, operation, path }, schema, new Map());
    expect(parameters.map((parameter) => [parameter['name'], parameter['in']])).toEqual([
      ['database', 'path'],
      ['page', 'query'],
      ['page_size', 'query'],
      [undefined, undefined],
    ]);
    expect(parameters[0]).toMatchObject({ required: true, schema: { type: 'string' } });
    const unknown = { endpoint: row, operation, path: '/databases/{nothing}' };
    expect(() => requestDescription(unknown, schema, new Map())).toThrow(/list-collections.*nothing/);
  });

  test('every body has an example, which is valid', () => {
    let examples = 0;
    for (const [path, item] of Object.entries<any>(document.paths)) {
      for (const [type, { example }] of Object.entries<any>(item.post?.requestBody?.content ?? {})) {
        expect([path, type, example]).toEqual([path, type, expect.any(Object)]);
        expectValid(example, pointer('paths', path, 'post', 'requestBody', 'content', type, 'schema'));
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(0);
  });
});

describe('what the server answers is what the document says', () => {
  test('databases, from creation to deletion', async () => {
    const json = {
      database: 'documented',
      database_metadata_schema: [{ name: 'team', data_type: 'VARCHAR', enable_match: true }],
    };
    expect((await documented('POST', '/databases', { json })).status).toBe(202);
    await documented('GET', '/databases/status?database=documented');
    await server.idle();
    for (const route of ['/databases/status', '/databases/stats', '/databases/collections'])
      expect((await documented('GET', `${route}?database=documented`)).status).toBe(200);
    expect((await documented('GET', '/databases')).body.data.databases).toContain('documented');
    expect((await documented('GET', '/tenants')).body.meta.deprecation).toHaveLength(1);
    expect((await documented('POST', '/databases', { json })).status).toBe(409);
    expect((await documented('POST', '/tenants', { json })).status).toBe(409);
    await server.remember('documented', [{ text: 'Mira drinks green tea.' }], { collection: 'short-lived' });
    const scope = 'database=documented&collection=short-lived';
    expect((await documented('DELETE', `/databases/collections?${scope}`)).status).toBe(202);
    expect((await documented('DELETE', '/databases?tenant_id=documented')).status).toBe(202);
  });

  test('ingest, status and query', async () => {
    const database = await server.database();
    const form = new FormData();
    form.append('database', database);
    form.append('documents', new Blob(['# Tea\n\nMira drinks green tea.']), 'tea.md');
    form.append('documents', new Blob(['x']), 'tea.exe');
    form.append('document_metadata', '[{"id": "tea", "metadata": {"team": "docs"}}, {"id": "exe"}]');
    const uploaded = await documented('POST', '/context/ingest', { form });
    expect([uploaded.status, uploaded.body.data.failed_count]).toEqual([202, 1]);
    const memories = [{ id: 'coffee', text: 'Ada drinks coffee.', infer: false }];
    const json = { database, type: 'memory', memories };
    expect((await documented('POST', '/context/ingest', { json })).status).toBe(202);
    await server.idle();
    await documented('GET', `/context/status?database=${database}&ids=tea,coffee`);
    const query = { database, query: 'what does Mira drink', type: 'all' };
    const answer = await documented('POST', '/query', { json: query });
    expect(answer.body.data.chunks.length).toBeGreaterThan(0);
    expect(answer.body.data.sources.length).toBeGreaterThan(0);
    await server.remember(database, [{ id: 'long', text: 'A long story. '.repeat(500) }]);
    const related = { ...query, query: 'story', max_results: 1, num_related_chunks: 2 };
    const { additional_context } = (await documented('POST', '/query', { json: related })).body.data;
    expect(Object.keys(additional_context)).toHaveLength(2);
  });

  test('edits of metadata', async () => {
    const fields = [{ name: 'topic', enable_sparse_embedding: true }];
    const database = await server.database({ database_metadata_schema: fields });
    await server.remember(database, [{ id: 'tea', text: 'Mira drinks green tea.' }]);
    const json = { database, collection: 'default', database_metadata: { topic: 'drinks' }, acl: ['mira'] };
    const route = '/context/{id}/metadata';
    const answer = await documented('PATCH', '/context/tea/metadata', { json, route });
    expect([answer.status, answer.body.data.vector_synced]).toEqual([200, true]);
    expect((await documented('PATCH', '/context/no/metadata', { json, route })).status).toBe(404);
    const legacy = { json, route: '/context/sources/{id}/metadata' };
    expect((await documented('PATCH', '/context/sources/tea/metadata', legacy)).status).toBe(200);
    const { schema } = document.paths[route].patch.requestBody.content['application/json'];
    expect(schema.properties).not.toHaveProperty('document_metadata');
    expect(schema.properties.tenant_metadata).toMatchObject({ deprecated: true });
    expect(schema.required).toEqual(['database', 'collection']);
  });

  test('events that a webhook is sent', async () => {
    const receiver = await new WebhookReceiver().listen();
    try {
      const json = { url: receiver.url, generate_signing_secret: true };
      await documented('POST', '/webhooks/indexing', { json });
      const database = await server.database();
      await server.remember(database, [{ id: 'tea', text: 'Mira drinks green tea.' }]);
      await server.upload(database, { 'blank.txt': ' ' });
      await server.idle();
      await documented('POST', '/webhooks/indexing/test');
      const { parameters } = document.webhooks['indexing.status_changed'].post;
      const operation = pointer('webhooks', 'indexing.status_changed', 'post');
      for (const { body, headers } of receiver.received) {
        expectValid(body, `${operation}${pointer('requestBody', 'content', 'application/json', 'schema')}`);
        for (const [nth, { name }] of parameters.entries())
          expectValid(headers[name.toLowerCase()], `${operation}${pointer('parameters', nth, 'schema')}`);
      }
      const told = receiver.received.map(({ body }) => [body.indexing_status, body.error_code, body.test]);
      expect(told).toContainEqual(['completed', undefined, undefined]);
      expect(told).toContainEqual(['errored', 'E2002', undefined]);
      expect(told.at(-1)?.[2]).toBe(true);
    } finally {
      await receiver.close();
    }
  });

  test('failures', async () => {
    expect((await documented('GET', '/databases', { key: null })).status).toBe(401);
    expect((await documented('GET', '/databases?page=0')).status).toBe(400);
    expect((await documented('GET', '/databases/status?database=nowhere')).status).toBe(404);
    expect((await documented('GET', '/tenants/status?tenant_id=nowhere')).status).toBe(404);
    expect(
      (await documented('POST', '/query', { raw: '<a/>', headers: { 'content-type': 'text/xml' } })).status,
    ).toBe(415);
    await server.rest('POST', '/databases', { json: { database: 'provisioning' } });
    const json = { database: 'provisioning', query: 'a' };
    expect((await documented('POST', '/query', { json })).status).toBe(422);
  });
});

describe('the page', () => {
  const page = async () => {
    const answer = await server.rest('GET', '/docs', { key: null });
    return { ...answer, body: answer.body as string };
  };

  test('shows the document to anyone', async () => {
    const { status, headers, body } = await page();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const block = /<script type="application\/json" id="openapi">(.*?)<\/script>/s.exec(body)?.[1];
    expect(JSON.parse(block ?? '')).toEqual(document);
  });

  test('takes everything from this server, without a key', async () => {
    const { headers, body } = await page();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe|\*/);
    const references = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference ?? '');
    const assets = references.filter((reference) => !reference.startsWith('data:'));
    expect(assets).toHaveLength(3);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/docs\/assets\/[\w.-]+$/);
      const response = await fetch(server.url + asset);
      expect([asset, response.status]).toEqual([asset, 200]);
      expect(response.headers.get('content-type')).toMatch(
        /^(application\/javascript|text\/css); charset=utf-8$/,
      );
      const text = await response.text();
      // What a style sheet loads, and what the page's own script says; the viewer's is held by the policy.
      for (const [, url] of asset.endsWith('.css') ? text.matchAll(/url\(["']?([^"')]*)/g) : [])
        expect(url).toMatch(/^data:/);
      if (asset.endsWith('initializer.js')) expect(text).not.toContain('://');
    }
  });

  test('serves no other file of the viewer', async () => {
    for (const file of ['package.json', 'index.html', 'swagger-initializer.js', '..%2Fopenapi.ts'])
      expect((await server.rest('GET', `/docs/assets/${file}`)).status).toBe(404);
  });

  test('no text of a document ends its block', () => {
    const text = JSON.stringify({ description: '</script><script>alert(1)</script><!-- $& $1' });
    const block = /id="openapi">(.*?)<\/script>/s.exec(docsPage(text))?.[1];
    expect(JSON.parse(block ?? '')).toEqual(JSON.parse(text));
  });
});
