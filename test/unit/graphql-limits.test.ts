import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Kind, buildSchema, getIntrospectionQuery, parse, print } from 'graphql';
import type { OperationDefinitionNode, TypeNode } from 'graphql';
import { EXAMPLES } from '../../playground/src/examples.js';
import { operationDocument } from '../../rest-compat/operations.js';
import { PAGING_ARGUMENTS } from '../../src/api/argument-values.js';
import { toAppError } from '../../src/api/failure.js';
import { checkRequest } from '../../src/api/graphql-document.js';
import { checkLimits } from '../../src/api/graphql-limits.js';
import { executableSchema } from '../../src/api/schema.js';
import { LIMITS } from '../../src/limits.js';
import { ABUSES } from '../support/graphql-documents.js';

const schema = await executableSchema();
const notRows = new Set(['numRelatedChunks', 'page', 'expirySeconds', 'depth', 'lengthMax']);
const allowed = { graphqlIntrospection: true };
const everyOption = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  experimentalDirectiveDeprecation: true,
  oneOf: true,
};

function costOf(query: string, variables: Record<string, unknown> = {}, of = schema): number {
  const document = parse(query);
  const operation = document.definitions[0] as OperationDefinitionNode;
  return checkLimits(of, { document, operation, variables, introspection: true }).cost;
}

describe('the cost of an operation', () => {
  test('has room for the largest page of relations, with as many fields as the schema says', () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'chunkId').join(' ');
    const page = (count: number) =>
      costOf(`{ relations(database: "a", limit: 10000) { relations { ${fields(count)} } } }`);
    // The field of the list, and nine of each.
    expect(page(8)).toBe(1 + 10_000 * (5 + 9));
    expect(() => page(10)).toThrow(/a row of a list 50 \(of relations 5\)/);
  });

  test.each<[string, Record<string, unknown>, number]>([
    ['{ __typename }', {}, 1],
    ['{ databases { names } }', {}, 1 + 100 * 51],
    ['{ databases(page: 2) { names } }', {}, 1 + 100 * 51],
    ['{ databases(first: 3) { names nodes { database } } }', {}, 1 + 3 * 53],
    ['{ databases(first: 3, pageSize: 5) { names } }', {}, 1 + 5 * 51],
    ['{ databases(first: null) { names } }', {}, 1 + 100 * 51],
    ['{ search(database: "x", query: "q") { queryId } }', {}, 1 + 10 * 51],
    ['query ($n: Int) { databases(first: $n) { names } }', { n: 4 }, 1 + 4 * 51],
    ['query ($n: Int) { databases(first: $n) { names } }', {}, 1 + 100 * 51],
    ['query ($n: Int = 6) { databases(first: $n) { names } }', {}, 1 + 6 * 51],
    ['query ($n: Int = 6) { databases(first: $n) { names } }', { n: 7 }, 1 + 7 * 51],
    // Beyond its range: refused by the service, which names the range.
    ['{ search(database: "x", query: "q", maxResults: 99999) { queryId } }', {}, 1 + 250 * 51],
    ['{ databases(first: -5) { names } }', {}, 1 + 51],
    ['{ indexingStatus(database: "x", ids: ["a", "b"]) { statuses { id } } }', {}, 3 + 2],
    [
      'query ($i: [String!]!) { indexingStatus(database: "x", ids: $i) { statuses { id } } }',
      { i: ['a'] },
      4,
    ],
    ['query ($i: String!) { indexingStatus(database: "x", ids: [$i, $i]) { statuses { id } } }', {}, 3 + 2],
    ['query ($c: JSON) { databaseStats(database: $c) { message } }', { c: { a: 1, b: [1, 2, 3] } }, 2 + 4],
    [
      'mutation ($m: [MemoryInput!]) { ingest(input: {database: "x", memories: $m}) { success } }',
      { m: [{}, {}] },
      2 + 3,
    ],
    [
      '{ ...A } fragment A on Query { databases(first: 2) { ...B ...B } } fragment B on DatabaseConnection { names }',
      {},
      1 + 2 * 52,
    ],
    ['{ nope(first: 9) { deeper { names } } ...Nope }', {}, 3],
  ])('%s', (query, variables, cost) => {
    expect(costOf(query, variables)).toBe(cost);
  });

  test('a list in a list multiplies, and a default of the schema counts', () => {
    const lists = buildSchema('type Query { list(first: Int = 7): Query, end: Int }');
    expect(costOf('{ list { list(first: 3) { end } } }', {}, lists)).toBe(1 + 7 * (50 + 1 + 3 * 51));
  });

  test('a field with page sizes of its own counts no more than it returns', () => {
    const rows = (paging: string) => costOf(`{ sources(database: "a"${paging}) { nodes { id } } }`);
    expect([rows(''), rows(', first: 1000'), rows(', first: 2')]).toEqual(
      [50, 100, 2].map((n) => 1 + n * 52),
    );
  });

  test('neighbours of each row are counted as well', () => {
    const cost = (more: string) => costOf(`{ search(database: "a", query: "b"${more}) { chunks { id } } }`);
    expect([cost(''), cost(', numRelatedChunks: 3'), cost(', maxResults: 2, numRelatedChunks: 99')]).toEqual(
      [10 * 52, 10 * (52 + 30), 2 * (52 + 200)].map((rows) => 1 + rows),
    );
  });

  test('knows every argument of the schema that asks for a number of rows', () => {
    const numbers = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) =>
      field.args.filter(({ type, name }) => String(type).startsWith('Int') && !notRows.has(name)),
    );
    expect(numbers.length).toBeGreaterThan(4);
    for (const { name } of numbers) expect(PAGING_ARGUMENTS).toHaveProperty(name);
  });
});

describe('what is served', () => {
  test('the introspection query, all of it', () => {
    const { operation } = checkRequest(
      schema,
      { query: getIntrospectionQuery(everyOption), variables: {} },
      allowed,
    );
    expect(operation.name?.value).toBe('IntrospectionQuery');
  });

  test.each(readdirSync('rest-compat/operations'))('%s with as much as can be asked', (file) => {
    const document = operationDocument(basename(file, '.graphql'));
    const operation = document.definitions[0] as OperationDefinitionNode;
    const query = print(document);
    const variables = Object.fromEntries(
      (operation.variableDefinitions ?? []).map(({ variable, type }) => [variable.name.value, largest(type)]),
    );
    expect(checkRequest(schema, { query, variables }, allowed).operation.operation).toBe(operation.operation);
  });

  test.each(EXAMPLES)('the example "$title"', ({ query, variables }) => {
    expect(checkRequest(schema, { query, variables }, allowed).operation.name).toBeDefined();
  });

  /** A thousand of what comes in lists, and of rows. */
  function largest(type: TypeNode): unknown {
    if (type.kind === Kind.NON_NULL_TYPE) return largest(type.type);
    if (type.kind === Kind.LIST_TYPE) return Array.from({ length: 1000 }, () => 'x');
    if (type.name.value.startsWith('JSON')) return { a: Array.from({ length: 500 }, () => 1) };
    return type.name.value === 'Int' ? 1000 : 'x';
  }
});

describe('what is refused', () => {
  test.each(ABUSES)('$what', ({ query, variables = {}, message }) => {
    expect(() => checkRequest(schema, { query, variables }, allowed)).toThrow(message);
  });

  test('just below a bound it is not', () => {
    const deep = `{ ${'... {'.repeat(LIMITS.nestingMax - 1)} __typename ${'}'.repeat(LIMITS.nestingMax - 1)} }`;
    expect(checkRequest(schema, { query: deep, variables: {} }, allowed)).toBeDefined();
    const tokens = `{ databases(first: 1) { ${'names '.repeat(LIMITS.graphqlFieldsMax - 1)} } }`;
    expect(checkRequest(schema, { query: tokens, variables: {} }, allowed)).toBeDefined();
  });
});

describe('documents of any shape', () => {
  const types = ['Query', 'DatabaseConnection', 'Database', 'Nope'] as const;
  const spreads = fc.integer({ min: 0, max: 5 }).map((i) => `...F${i}`);
  const fields = fc.constantFrom(
    '__typename',
    'names',
    'x: names',
    'databases(first: 2) { names }',
    'search(maxResults: $n, ids: $ids) { queryId }',
    'nope(first: [{a: $n}]) { names }',
    '__schema { types { name } }',
  );
  const { selections } = fc.letrec<{ selections: string; field: string; inline: string }>((tie) => ({
    selections: fc
      .array(fc.oneof({ depthSize: 'small' }, fields, spreads, tie('field'), tie('inline')), {
        minLength: 1,
        maxLength: 5,
      })
      .map((list) => list.join(' ')),
    field: tie('selections').map((below) => `databases(pageSize: 3) { ${below} }`),
    inline: tie('selections').map((below) => `... on Query { ${below} }`),
  }));
  const fragments = fc.array(fc.tuple(fc.constantFrom(...types), selections), { minLength: 1, maxLength: 6 });
  const variables = fc.dictionary(fc.constantFrom('n', 'ids', '__proto__', 'constructor'), fc.jsonValue());

  const written = (root: string, list: readonly (readonly [string, string])[]) =>
    `query ($n: Int, $ids: [String!] = ["a"]) { ${root} } ` +
    list.map(([type, below], i) => `fragment F${i} on ${type} { ${below} }`).join(' ');

  test('are served or refused as bad input, soon', () => {
    fc.assert(
      fc.property(selections, fragments, variables, (root, list, given) => {
        const started = performance.now();
        try {
          checkRequest(schema, { query: written(root, list), variables: given }, allowed);
        } catch (error) {
          expect(toAppError(error)).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
        }
        expect(performance.now() - started).toBeLessThan(1000);
      }),
      { numRuns: 500 },
    );
  });

  test('weigh with fragments what they weigh written out', () => {
    // Fragments that spread later ones only: no circles.
    const forward = fc
      .array(fc.tuple(fc.constantFrom(...types), selections), { minLength: 6, maxLength: 6 })
      .map((list) =>
        list.map(([type, below], i): [string, string] => [
          type,
          below.replace(/\.\.\.F(\d)/g, (spread, n: string) => (Number(n) > i ? spread : '__typename')),
        ]),
      );
    const outcome = (query: string): unknown => {
      try {
        return costOf(query, { n: 4 });
      } catch (error) {
        return toAppError(error).message;
      }
    };
    fc.assert(
      fc.property(selections, forward, (root, list) => {
        const spread = (text: string): string =>
          text.replace(/\.\.\.F(\d)/g, (_, n: string) => {
            const [type, below] = list[Number(n)] ?? ['', ''];
            return `... on ${type} { ${spread(below)} }`;
          });
        const alone = spread(root);
        fc.pre(alone.length < 100_000);
        expect(outcome(written(root, list))).toEqual(outcome(written(alone, [])));
      }),
    );
  });
});
