import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getNamedType } from 'graphql';
import { executableSchema } from '../../src/api/schema.js';
import { hostileJson, hostileText } from '../support/hostile.js';
import {
  connectExample,
  exampleConnectorId,
  exampleProviders,
  logExampleQuery,
} from '../support/requests.js';
import { selectAll } from '../support/selection.js';
import { TestServer } from '../support/server.js';

// Whatever is sent to /graphql is answered with data or with the codes of REST, and it is never the server's own fault.

const runs = Number(process.env['FUZZ_RUNS'] ?? 20);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

const schema = await executableSchema();
const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).map((field) => ({ kind: root?.name.toLowerCase() ?? '', field })),
);

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start(exampleProviders());
  database = await server.database({ database_metadata_schema: [{ name: 'team' }] });
  await server.remember(database, [{ id: 'known', text: 'a fact', metadata: { team: 'a' } }]);
  await logExampleQuery(server, database);
  await connectExample(server, database);
});
afterAll(async () => server.stop());

function expectAnswered({ status, body }: { status: number; body: any }): void {
  if (status >= 500) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  for (const { extensions } of body.errors ?? []) {
    expect(extensions).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      httpStatus: expect.any(Number),
      requestId: expect.stringMatching(/-7/),
    });
    if (extensions.httpStatus >= 500) throw new Error(`answered ${JSON.stringify(body)}`);
  }
}

const text = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return '['.repeat(20_000) + ']'.repeat(20_000);
  }
};

describe.each(fields.map((each) => [`${each.kind} ${each.field.name}`, each] as const))(
  '%s',
  (_name, { kind, field }) => {
    const names = field.args.map(({ name }) => name);
    const inputs = field.args.flatMap(({ type }) => {
      const named = getNamedType(type);
      return 'getFields' in named ? Object.keys(named.getFields()) : [];
    });
    const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const passed = names.map((name) => `${name}: $${name}`).join(', ');
    const query =
      names.length > 0
        ? `${kind} (${declared}) { ${field.name}(${passed}) ${selectAll(field.type)} }`
        : `${kind} { ${field.name} ${selectAll(field.type)} }`;

    test('hostile variables are answered', async () => {
      const input = fc.dictionary(fc.constantFrom(...inputs, 'nonsense'), hostileJson, { maxKeys: 4 });
      const variables = fc.dictionary(
        fc.constantFrom(...names, 'input', 'nonsense'),
        fc.oneof(hostileJson, input),
        {
          maxKeys: 4,
        },
      );
      // Deleting is tried on what is not there: the others need this database and this key.
      const good = {
        database: field.name.startsWith('delete') ? 'not-there' : database,
        ...(names.includes('id') && !field.name.startsWith('delete') ? { id: exampleConnectorId } : {}),
        resourceId: 'plover',
        resource: { resourceId: 'random' },
        input: { database, name: 'fuzzed', scopes: ['read'], memories: [{ text: 'a' }], type: 'memory' },
      };
      await fc.assert(
        fc.asyncProperty(variables, async (bad) => {
          const raw = `{"query":${JSON.stringify(query)},"variables":${text({ ...good, ...bad })}}`;
          expectAnswered(
            await server.rest('POST', '/graphql', { raw, headers: { 'content-type': 'application/json' } }),
          );
        }),
        { numRuns: runs, seed },
      );
    });
  },
);

test('hostile documents and bodies are answered', async () => {
  const pieces = [
    '{',
    '}',
    '(',
    ')',
    'query',
    'mutation',
    'databases',
    '...',
    '@skip(if: true)',
    '$a',
    ':',
    '"',
    '#',
    '[',
    '!',
  ];
  const document = fc.oneof(
    hostileText,
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), hostileText), { maxLength: 30 })
      .map((parts) => parts.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(document, hostileJson, async (query, other) => {
      const send = (raw: string) =>
        server.rest('POST', '/graphql', { raw, headers: { 'content-type': 'application/json' } });
      expectAnswered(await send(text({ query, operationName: other })));
      expectAnswered(
        await send(text({ query: '{ viewer { orgId } }', variables: other, extensions: other })),
      );
      expectAnswered(await send(query));
    }),
    { numRuns: runs * 2, seed },
  );
  expect((await server.graphql('{ viewer { orgId } }')).status).toBe(200);
});
