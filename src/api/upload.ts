import type { Readable } from 'node:stream';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { AppError, invalidInput } from '../errors.js';
import { PartHeads } from '../lib/part-heads.js';
import type { PartHead } from '../lib/part-heads.js';
import { LIMITS } from '../limits.js';
import { IncomingFile } from '../storage/incoming-file.js';

/** A file part, as the multipart parsers of both APIs deliver it. */
export interface FilePart {
  /** Undefined when the part has none. */
  readonly filename: string | undefined;
  readonly mimetype: string | undefined;
  /** What the parser leaves out of the part's headers. */
  readonly head: PartHead | undefined;
  readonly stream: Readable;
}

/** Texts and files together. */
export const formPartsMax = 1000;

type PartsOptions = NonNullable<Parameters<FastifyRequest['parts']>[0]>;

interface FormOptions extends Omit<PartsOptions, 'isPartAFile'> {
  /** Whether a part is delivered as a stream. */
  readonly isStream: (part: BegunPart) => boolean;
}

/** A part of which only the head has come. */
export interface BegunPart {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly filename: string | undefined;
  readonly head: PartHead;
}

/** The parts of a multipart form as they come, each with its head. */
export async function* readParts(
  request: FastifyRequest,
  { isStream, ...options }: FormOptions,
): AsyncGenerator<{ readonly part: Multipart; readonly head: PartHead | undefined }> {
  const heads = new PartHeads(request.headers['content-type'] ?? '');
  request.raw.on('data', (piece: Buffer) => heads.add(piece));
  const begun: PartHead[] = [];
  const isPartAFile: PartsOptions['isPartAFile'] = (name, contentType, filename) => {
    const head = heads.next();
    begun.push(head);
    return isStream({ name, contentType, filename, head });
  };
  for await (const part of request.parts({ ...options, isPartAFile })) yield { part, head: begun.shift() };
}

const sources = new WeakMap<IncomingFile, Readable>();

/**
 * Begins at once to write a file part to disk: parts come one after another, and an unread one blocks the
 * rest.
 */
export function receiveFile(app: App, request: FastifyRequest, part: FilePart): IncomingFile {
  const received = app.services.uploads.receive(part.stream, LIMITS.fileBytesMax);
  const { charset, extendedFilename } = part.head ?? {};
  const name = extendedFilename ?? part.filename ?? 'document';
  const contentType = charset === undefined ? part.mimetype : `${part.mimetype}; charset=${charset}`;
  const file = new IncomingFile(name, contentType, received);
  sources.set(file, part.stream);
  request.incomingFiles.push(file);
  return file;
}

/** The error for what the parser of forms refuses by a limit of its own; undefined for a form that is merely broken. */
export function formProblem(error: unknown, filesMax: number): AppError | undefined {
  switch ((error as { code?: unknown }).code) {
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return tooManyParts();
    case 'FST_FILES_LIMIT':
      return new AppError('PAYLOAD_TOO_LARGE', `the form has more than ${filesMax} files`);
    case 'FST_PROTO_VIOLATION':
      return new AppError(
        'INVALID_INPUT',
        'the form has a part with a name that no field has, such as __proto__ or constructor',
      );
    default:
      return undefined;
  }
}

/** The error for a form with more parts than are read. */
export function tooManyParts(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the form has more than ${formPartsMax} parts`);
}

/**
 * Items are called and cited by their file names: a guess at the encoding would be stored silently, so there
 * is none.
 */
export function misnamedPart(field: string): AppError {
  return invalidInput(field, 'must have its names in UTF-8');
}

/** The bytes of a text part. @throws AppError PAYLOAD_TOO_LARGE */
export async function readField(name: string, stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= LIMITS.formFieldBytesMax) parts.push(part);
  }
  requireSize(name, bytes);
  return Buffer.concat(parts);
}

/** @throws AppError PAYLOAD_TOO_LARGE when a text of a form is larger than one may be */
export function requireSize(name: string, bytes: number): void {
  if (bytes > LIMITS.formFieldBytesMax) throw tooLarge(name, LIMITS.formFieldBytesMax);
}

/** The error for a part of a form that is larger than it may be. */
export function tooLarge(field: string, bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${bytesMax} bytes`, { field });
}

/**
 * Removes the files of a request that nothing has kept; one that is still arriving is removed when it has
 * arrived.
 */
export async function discardUploads(app: App, request: FastifyRequest): Promise<void> {
  const { uploads } = app.services;
  const arriving = request.incomingFiles.filter((file) => !file.settled);
  if (arriving.length > 0) abandonOnClose(request, arriving);
  for (const file of request.incomingFiles) {
    if (file.settled) await uploads.discard(file.settled);
    else void file.received.then((received) => uploads.discard(received)).catch(() => undefined);
  }
}

/** The files of an answered request are not told when its connection closes, and would wait for ever. */
function abandonOnClose(request: FastifyRequest, files: readonly IncomingFile[]): void {
  const { socket } = request.raw;
  const abandon = () => {
    for (const file of files) sources.get(file)?.destroy(new Error('the connection was closed'));
  };
  if (socket.destroyed) abandon();
  else socket.once('close', abandon);
  void Promise.allSettled(files.map((file) => file.received)).then(() => socket.off('close', abandon));
}
