import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../lib/package-root.js';

const folder = join(packageRoot, 'dist', 'playground');
const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self' ws: wss:; frame-ancestors 'none'";

/** Serves the playground at GET /graphql to browsers. All of it comes from this server; the page asks for the key. */
export async function servePlayground(server: FastifyInstance): Promise<void> {
  const page = readFileSync(join(folder, 'index.html'));
  await server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/graphql/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  server.addHook('onRequest', async (request, reply) => {
    if (!['GET', 'HEAD'].includes(request.method) || request.url.split('?', 1)[0] !== '/graphql') return;
    if (!request.headers.accept?.includes('text/html')) return;
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
}
