import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import type { OpenedOriginal } from '../ingestion/content/content.service.js';
import { UnsatisfiableRange, readRange } from '../storage/byte-range.js';
import { limitReads } from './deadline.js';

/** The token opens the file as a key would, so logs show this route in place of the path. */
export const contentPath = '/content/:token';

/**
 * Serves original files behind signed links: no key is needed, and a browser never shows one as a page of
 * this site.
 */
export function serveContent(server: FastifyInstance, app: App): void {
  server.route<{ Params: { token: string } }>({
    // HEAD is named too: the route that Fastify derives from a GET would read the whole file for it.
    method: ['GET', 'HEAD'],
    url: contentPath,
    handler: async (request, reply) => {
      const original = await open(app, request).catch((error: unknown) => {
        if (error instanceof UnsatisfiableRange) return error;
        throw error;
      });
      if (original instanceof UnsatisfiableRange)
        return reply.code(416).header('content-range', `bytes */${original.sizeBytes}`).send();
      const { sizeBytes, cut, etag, filename } = original;
      const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
      const encoded = encodeURIComponent(filename.toWellFormed()).replace(
        /['()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
      void reply
        .header('content-type', original.contentType)
        .header('content-length', cut ? cut.last - cut.first + 1 : sizeBytes)
        .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, no-store')
        .header('accept-ranges', 'bytes');
      if (etag !== undefined) void reply.header('etag', etag);
      if (cut) void reply.code(206).header('content-range', `bytes ${cut.first}-${cut.last}/${sizeBytes}`);
      if (request.method === 'GET') return reply.send(original.stream);
      original.stream.destroy();
      return reply.send();
    },
  });
}

/** @throws AppError NOT_FOUND, UnsatisfiableRange */
async function open(
  app: App,
  request: FastifyRequest<{ Params: { token: string } }>,
): Promise<OpenedOriginal> {
  const { range, 'if-range': ifRange } = request.headers;
  // A range means nothing on a HEAD request.
  const asked =
    request.method === 'GET' ? { range: readRange(range), ifRange: ifRange as string | undefined } : {};
  const original = await limitReads(
    app.config.queryTimeoutMs,
    request.clientGone,
  )(() => app.services.content.open(request.params.token, asked));
  if (!original) throw new AppError('NOT_FOUND', 'this link leads nowhere, or not any more');
  return original;
}
