import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { LIMITS } from '../limits.js';
import { IncomingFile } from '../storage/incoming-file.js';

/** A file part as the multipart parsers of both APIs give it. */
export interface FilePart {
  readonly filename: string;
  readonly mimetype: string | undefined;
  readonly stream: Readable;
}

/** Begins to write a file part to disk, at once: parts come one after another, and an unread one blocks the rest. */
export function receiveFile(app: App, request: FastifyRequest, part: FilePart): IncomingFile {
  const received = app.services.storage.receive(part.stream, LIMITS.fileBytesMax);
  const file = new IncomingFile(part.filename, part.mimetype, received);
  request.incomingFiles.push(file);
  return file;
}

/** Removes the files of a request that nothing has kept; one that still arrives is removed when it has. */
export async function discardUploads(app: App, request: FastifyRequest): Promise<void> {
  const { storage } = app.services;
  for (const file of request.incomingFiles) {
    if (file.settled) await storage.discard(file.settled);
    else void file.received.then((received) => storage.discard(received)).catch(() => undefined);
  }
}
