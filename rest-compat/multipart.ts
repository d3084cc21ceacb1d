import type { FastifyRequest } from 'fastify';
import type { App } from '../src/app.js';
import { receiveFile } from '../src/api/upload.js';
import { AppError } from '../src/errors.js';
import { LIMITS } from '../src/limits.js';
import type { IncomingFile } from '../src/storage/incoming-file.js';
import { readUtf8 } from './utf8.js';

/** A form: its text fields, and the files of its `documents` parts. */
export interface Form {
  readonly fields: Map<string, string[]>;
  readonly files: IncomingFile[];
  /** Bytes of all its text fields together. */
  textBytes: number;
}

const fieldsMax = 1000;
// No endpoint reads as many parameters.
const textFilesMax = 20;

/** Reads a multipart form; files go to disk as they come. @throws AppError 400 for a broken form, 413 for a field over its bound. */
export async function readMultipart(app: App, request: FastifyRequest): Promise<Form> {
  try {
    return await readParts(app, request);
  } catch (error) {
    // What is neither ours nor the HTTP layer's comes from the parser: the form is broken or was cut off.
    if (error instanceof AppError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new AppError(
      'INVALID_INPUT',
      `the form cannot be read: ${error instanceof Error ? error.message : 'broken'}`,
    );
  }
}

async function readParts(app: App, request: FastifyRequest): Promise<Form> {
  const form: Form = { fields: new Map(), files: [], textBytes: 0 };
  const limits = {
    fieldSize: LIMITS.formFieldBytesMax + 1,
    fields: fieldsMax,
    // One more than is accepted, so that the check which names file and bound sees it.
    fileSize: LIMITS.fileBytesMax + 1,
    files: LIMITS.filesPerRequestMax + 1 + textFilesMax,
  };
  for await (const part of request.parts({ limits, isPartAFile })) {
    if (part.type === 'field') {
      addField(form, part.fieldname, part.value as string);
    } else if (part.fieldname === 'documents') {
      const file = receiveFile(app, request, {
        filename: part.filename,
        mimetype: part.mimetype,
        stream: part.file,
      });
      // What cannot be stored is said when all has been read: nobody hears an answer while sending.
      const received = await file.received.catch(() => undefined);
      // Without name and content no file was chosen.
      if (part.filename || received?.bytes !== 0) form.files.push(file);
    } else {
      // A text parameter that is sent as a file, curl -F memories=@file.json, or with a content type of its own
      addField(form, part.fieldname, await readText(part.fieldname, part.file));
    }
  }
  await Promise.all(form.files.map((file) => file.received));
  return form;
}

// A document needs no name. JSON is text until the type of its parameter is known: as a field it would be parsed at once.
function isPartAFile(name: string | undefined, contentType = '', filename?: string): boolean {
  return (
    name === 'documents' ||
    filename !== undefined ||
    contentType === 'application/octet-stream' ||
    contentType.startsWith('application/json')
  );
}

async function readText(name: string, stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= LIMITS.formFieldBytesMax) parts.push(part);
  }
  if (bytes > LIMITS.formFieldBytesMax) throw tooLarge(name, LIMITS.formFieldBytesMax);
  return readUtf8(Buffer.concat(parts), name);
}

/** Reads an application/x-www-form-urlencoded body. */
export function readUrlEncoded(body: string): Form {
  const form: Form = { fields: new Map(), files: [], textBytes: 0 };
  for (const [name, value] of new URLSearchParams(body)) addField(form, name, value);
  return form;
}

function addField(form: Form, name: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes > LIMITS.formFieldBytesMax) throw tooLarge(name, LIMITS.formFieldBytesMax);
  form.textBytes += bytes;
  if (form.textBytes > LIMITS.formTextBytesMax)
    throw tooLarge('the text of the form', LIMITS.formTextBytesMax);
  form.fields.set(name, [...(form.fields.get(name) ?? []), value]);
}

function tooLarge(field: string, bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${bytesMax} bytes`, { field });
}
