// Prints schema/schema.graphql from the code; with --check fails when the committed file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { createSchema } = await import(join(root, 'dist/src/api/schema.js'));
const file = join(root, 'schema', 'schema.graphql');
const printed = `# Printed from the code by npm run schema; do not edit.\n\n${printSchema(lexicographicSortSchema(await createSchema()))}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, printed);
} else if (readFileSync(file, 'utf8') !== printed) {
  console.error('schema/schema.graphql is stale: run npm run schema');
  process.exit(1);
}
