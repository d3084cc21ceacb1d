import type { FastifyInstance } from 'fastify';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import { limitReads } from './deadline.js';

/** Serves what signed links lead to: without a key, and never as a page of this site. */
export function serveContent(server: FastifyInstance, app: App): void {
  server.route<{ Params: { token: string } }>({
    // Both by name: what the framework makes of a GET reads the whole file for a HEAD.
    method: ['GET', 'HEAD'],
    url: '/content/:token',
    handler: async (request, reply) => {
      const { token } = request.params;
      const original = await limitReads(
        app.config.queryTimeoutMs,
        request.clientGone,
      )(() => app.services.content.open(token));
      if (!original) throw new AppError('NOT_FOUND', 'this link leads nowhere, or not any more');
      const plain = original.filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
      const encoded = encodeURIComponent(original.filename.toWellFormed()).replace(
        /['()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
      void reply
        .header('content-type', original.contentType)
        .header('content-length', original.sizeBytes)
        .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, no-store');
      if (request.method === 'GET') return reply.send(original.stream);
      original.stream.destroy();
      return reply.send();
    },
  });
}
