import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { admit } from '../src/api/admission.js';
import type { App } from '../src/app.js';
import { packageRoot } from '../src/lib/package-root.js';
import { openApiDocument } from './openapi.js';

const require = createRequire(import.meta.url);
const pageFolder = join(packageRoot, 'rest-compat', 'docs-page');
const viewerFolder = dirname(require.resolve('swagger-ui-dist/package.json'));
const assets = ['/initializer.js', '/swagger-ui-bundle.js', '/swagger-ui.css'];

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the document at GET /openapi.json to callers with a key, and at GET /docs, to anyone, a page that
 * shows it without loading anything from the internet.
 */
export async function serveOpenApi(server: FastifyInstance, app: App, schema: GraphQLSchema): Promise<void> {
  // Made when it is first asked for: that takes longer than the rest of the REST interface, and few servers are asked.
  let made: { document: string; page: string } | undefined;
  const docs = () => (made ??= makeDocs(schema));
  server.get(
    '/openapi.json',
    { onRequest: async (request, reply) => admit(app, request, reply) },
    async (_request, reply) => reply.type('application/json; charset=utf-8').send(docs().document),
  );
  server.get('/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(docs().page),
  );
  await server.register(fastifyStatic, {
    root: [pageFolder, viewerFolder],
    prefix: '/docs/assets/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => assets.includes(path),
  });
}

function makeDocs(schema: GraphQLSchema): { document: string; page: string } {
  const document = JSON.stringify(openApiDocument(schema));
  return { document, page: docsPage(document) };
}

/** The page with the document in a data block, which no text of the document can end. */
export function docsPage(document: string): string {
  const page = readFileSync(join(pageFolder, 'index.html'), 'utf8');
  return page.replace('id="openapi">', (tag) => tag + document.replaceAll('<', '\\u003c'));
}
