// Prints schema/schema.graphql from the code, schema/rest.md and schema/openapi.json from its tables; with --check fails
// when a committed file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const load = (file) => import(join(root, 'dist', file));
const { executableSchema } = await load('src/api/schema.js');
const { ERRORS, INGESTION_ERRORS } = await load('src/errors.js');
const { ENDPOINTS } = await load('rest-compat/endpoints.js');
const { openApiDocument } = await load('rest-compat/openapi.js');
const { loadOperation } = await load('rest-compat/operations.js');

const schema = await executableSchema();
const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(...head), row(...head.map(() => '---')), ...rows].join('\n');

function endpointSection(endpoint) {
  const { method, path, legacyPaths, status, summary, refused = {} } = endpoint;
  const parameters = [...loadOperation(schema, endpoint).variables].map(([name, type]) =>
    row(`\`${name}\``, `\`${type}\``),
  );
  return [
    `## ${method} ${path}`,
    `${summary}. Answers ${status}.`,
    ...(legacyPaths.length > 0 ? [`Deprecated paths: ${legacyPaths.join(', ')}.`] : []),
    ...(parameters.length > 0 ? [table(['Parameter', 'Type (! is required)'], parameters)] : []),
    ...Object.entries(refused).map(([name, instead]) => `\`${name}\` is refused; ${instead}.`),
  ].join('\n\n');
}

const files = {
  'schema.graphql': `# Printed from the code by npm run schema; do not edit.\n\n${printSchema(lexicographicSortSchema(schema))}\n`,
  'rest.md': `${[
    '# REST interface',
    'Printed from the tables by npm run schema; do not edit. The types are those of [schema.graphql](schema.graphql).',
    ...ENDPOINTS.map(endpointSection),
    '## Error codes',
    table(
      ['Code', 'Status', 'Meaning'],
      Object.entries(ERRORS).map(([name, error]) => row(error.code ?? name, error.status, error.meaning)),
    ),
    '## Codes of single items',
    table(
      ['Code', 'Meaning'],
      Object.entries(INGESTION_ERRORS).map(([code, meaning]) => row(code, meaning)),
    ),
  ].join('\n\n')}\n`,
  'openapi.json': `${JSON.stringify(openApiDocument(schema), null, 2)}\n`,
};

for (const [name, printed] of Object.entries(files)) {
  const file = join(root, 'schema', name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, printed);
  } else if (readFileSync(file, 'utf8') !== printed) {
    console.error(`schema/${name} is stale: run npm run schema`);
    process.exitCode = 1;
  }
}
