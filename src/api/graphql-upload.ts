import type { FastifyReply, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import type { App } from '../app.js';
import { AppError, invalidInput } from '../errors.js';
import { PartHeads } from '../lib/part-heads.js';
import { reasonOf } from '../lib/reason-of.js';
import { checkText } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import { misnamedPart, receiveFile } from './upload.js';

interface LibraryFile {
  readonly fieldName: string;
  readonly filename: string | undefined;
  readonly mimetype: string;
  readonly createReadStream: () => NodeJS.ReadableStream;
}

/**
 * Reads a multipart GraphQL request (graphql-multipart-request-spec) and starts writing all of its files to disk,
 * so that none is ever waited for or left unread, whatever the resolver does.
 */
export async function readUploads(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) return;
  const heads = new PartHeads(request.headers['content-type']);
  request.raw.on('data', (piece: Buffer) => heads.add(piece));
  const operations: unknown = await processRequest(request.raw, reply.raw, {
    maxFieldSize: LIMITS.formFieldBytesMax,
    // The storage counts for itself: at its limit the library cuts the stream from its reader, who waits for ever.
    maxFileSize: Infinity,
    maxFiles: LIMITS.filesPerRequestMax + 1,
  }).catch(refuse);
  try {
    checkText(operations, 'operations');
    checkPlaces(uploadsIn(operations));
  } catch (error) {
    // No file has a reader yet, and who cannot send the rest does not read the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
  request.body = await replaceUploads(operations, async (upload) => {
    const part = await upload
      .then(({ fieldName, filename, mimetype, createReadStream }) => {
        const head = heads.named(fieldName);
        return { head, filename, mimetype, stream: createReadStream() as never };
      })
      .catch(refuse);
    const file = receiveFile(app, request, part);
    if (part.head.isUtf8) return file;
    await file.received.catch(() => undefined);
    throw misnamedPart(part.head.name ?? 'documents');
  });
}

/** Whatever the library throws says what is wrong with the request. */
function refuse(error: unknown): never {
  const reason = reasonOf(error);
  throw new AppError('INVALID_INPUT', `the multipart request cannot be read: ${reason}`);
}

/** A file is stored once: who wants it twice sends it twice. */
function checkPlaces(uploads: readonly object[]): void {
  const twice = uploads.find((upload, n) => uploads.indexOf(upload) !== n);
  if (!twice) return;
  const places = uploads.filter((upload) => upload === twice).length;
  throw invalidInput('map', `must put each file in one place, not in ${places}; send it once for each`);
}

function uploadsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isUpload(value)) return [value];
  return Object.values(value).flatMap(uploadsIn);
}

function isUpload(value: object): value is { promise: Promise<LibraryFile> } {
  return 'promise' in value && value.promise instanceof Promise;
}

/** Walks the operations and puts something else in the place of every upload. */
async function replaceUploads(
  value: unknown,
  replace: (upload: Promise<LibraryFile>) => Promise<unknown>,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (isUpload(value)) return replace(value.promise);
  const entries = Object.entries(value).map(
    async ([key, entry]) => [key, await replaceUploads(entry, replace)] as const,
  );
  // A file that is begun after the answer would not be discarded with the others: all of them first.
  await Promise.allSettled(entries);
  const replaced = await Promise.all(entries);
  return Array.isArray(value) ? replaced.map(([, entry]) => entry) : Object.fromEntries(replaced);
}
