import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, getNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { ERRORS } from '../../src/errors.js';

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What links to the headings of a document end with, as forges spell it. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the tree', () => {
  test('every field of Query, Mutation and Subscription asks for a scope', () => {
    const resolvers = filesBelow('src').filter((file) => file.endsWith('.resolver.ts'));
    expect(resolvers.length).toBeGreaterThan(0);
    for (const file of resolvers) {
      const lines = readFileSync(file, 'utf8').split('\n');
      lines.forEach((line, index) => {
        if (!/^\s*@(Query|Mutation|Subscription)\(/.test(line)) return;
        expect(`${file}: ${lines[index - 1]?.trim()}`).toMatch(/@Authorized<Scope>\('(read|write|admin)'\)/);
      });
    }
  });

  test('every operation file has a row in ENDPOINTS, and every row its own path and method', () => {
    const files = readdirSync('rest-compat/operations').map((file) => file.replace('.graphql', ''));
    expect(new Set(ENDPOINTS.map((endpoint) => endpoint.operation))).toEqual(new Set(files));
    const routes = ENDPOINTS.flatMap(({ method, path, legacyPaths }) =>
      [path, ...legacyPaths].map((p) => `${method} ${p}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  test('every shared fragment is spread in two places at least', () => {
    const operations = filesBelow('rest-compat/operations').map((file) => readFileSync(file, 'utf8'));
    const shared = readFileSync('rest-compat/fragments.graphql', 'utf8');
    const names = [...shared.matchAll(/^fragment (\w+)/gm)].flatMap(([, name]) => name ?? []);
    expect(names.length).toBeGreaterThan(5);
    const uses = names.map((name) => [...operations, shared].join('\n').split(`...${name}\n`).length - 1);
    expect(names.filter((_, index) => (uses[index] ?? 0) < 2)).toEqual([]);
  });

  test('every type, field, argument and enum value of the GraphQL schema says what it means', () => {
    const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValidSDL: true });
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const fields = [...types.filter(isObjectType), ...types.filter(isInputObjectType)].flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ ...field, path: `${type.name}.${field.name}` })),
    );
    // An input is told of by its type.
    const told = types
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields()).flatMap((field) =>
          field.args
            .filter((arg) => !isInputObjectType(getNamedType(arg.type)))
            .map(({ name, description }) => ({ path: `${type.name}.${field.name}(${name})`, description })),
        ),
      );
    const values = types
      .filter(isEnumType)
      .flatMap((type) => type.getValues().map((value) => ({ ...value, path: `${type.name}.${value.name}` })));
    const named = types.map((type) => ({ path: type.name, description: type.description }));
    expect(told.length).toBeGreaterThan(100);
    expect(values.length).toBeGreaterThan(50);
    const described = [...named, ...fields, ...told, ...values];
    expect(described.filter(({ description }) => !description).map(({ path }) => path)).toEqual([]);
  });

  test('codes are spelled as their keys, or as the documented code that they stand for', () => {
    for (const [name, row] of Object.entries(ERRORS)) {
      const code = 'code' in row ? row.code : name;
      expect(Object.keys(ERRORS)).toContain(code);
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    }
  });

  test('no source names work that is left to do, or a machine', () => {
    const own = ['src', 'rest-compat', 'scripts', 'playground', 'bench', 'demo', 'migrations'].flatMap(
      filesBelow,
    );
    for (const file of own) {
      const text = readFileSync(file, 'utf8');
      expect(`${file} ${/\b(TODO|FIXME|XXX)\b/.exec(text)?.[0] ?? ''}`).toBe(`${file} `);
      expect(`${file} ${/\/(work|root|home)\/\w+/.exec(text)?.[0] ?? ''}`).toBe(`${file} `);
    }
  });

  test('every exported function says what it does', () => {
    const files = ['src', 'rest-compat'].flatMap(filesBelow).filter((file) => file.endsWith('.ts'));
    const exported = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(.*)\nexport (?:async )?function\*? (\w+)/gm)].map(
        ([, before = '', name]) => ({ name: `${file}: ${name}`, isTold: before.endsWith('*/') }),
      ),
    );
    expect(exported.length).toBeGreaterThan(500);
    expect(exported.filter(({ isTold }) => !isTold).map(({ name }) => name)).toEqual([]);
  });

  test('every link of a document leads to a file, and to a heading where it names one', () => {
    const documents = [...readdirSync('.'), 'bench/README.md', ...filesBelow('docs')].filter((file) =>
      file.endsWith('.md'),
    );
    const links = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([link, path, anchor]) => ({
          link: `${file}: ${link}`,
          to: path ? join(dirname(file), path) : file,
          anchor,
        }),
      ),
    );
    expect(links.length).toBeGreaterThan(50);
    const dead = links.filter(
      ({ to, anchor }) => !existsSync(to) || (anchor !== undefined && !anchorsOf(to).includes(anchor)),
    );
    expect(dead.map(({ link }) => link)).toEqual([]);
  });

  test('docs/operations.md names every variable of the configuration, README has every document, ARCHITECTURE.md every folder', () => {
    const variables = readFileSync('src/config.ts', 'utf8').match(/(?<=^ {2})[A-Z][A-Z0-9_]+(?=: )/gm) ?? [];
    expect(variables.length).toBeGreaterThan(30);
    const operations = readFileSync('docs/operations.md', 'utf8');
    expect(variables.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
    const readme = readFileSync('README.md', 'utf8');
    expect(filesBelow('docs').filter((file) => !readme.includes(`(${file})`))).toEqual([]);
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const architecture = readFileSync('ARCHITECTURE.md', 'utf8');
    expect(folders.filter(({ name }) => !architecture.includes(`| \`src/${name}/\``))).toEqual([]);
  });
});
