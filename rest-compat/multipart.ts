import type { FastifyRequest } from 'fastify';
import type { App } from '../src/app.js';
import { receiveFile } from '../src/api/upload.js';
import { AppError } from '../src/errors.js';
import { LIMITS } from '../src/limits.js';
import type { IncomingFile } from '../src/storage/incoming-file.js';

/** A form: its text fields, and the files of its `documents` parts. */
export interface Form {
  readonly fields: Map<string, string[]>;
  readonly files: IncomingFile[];
}

const fieldsMax = 1000;

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
  const form: Form = { fields: new Map(), files: [] };
  const limits = {
    fieldSize: LIMITS.formFieldBytesMax + 1,
    fields: fieldsMax,
    // One more than is accepted, so that the check which names file and bound sees it.
    fileSize: LIMITS.fileBytesMax + 1,
    files: LIMITS.filesPerRequestMax + 1,
  };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      addField(form, part.fieldname, String(part.value));
    } else if (part.fieldname === 'documents') {
      const file = receiveFile(app, request, {
        filename: part.filename,
        mimetype: part.mimetype,
        stream: part.file,
      });
      form.files.push(file);
      await file.received;
    } else {
      part.file.resume();
    }
  }
  return form;
}

/** Reads an application/x-www-form-urlencoded body. */
export function readUrlEncoded(body: string): Form {
  const form: Form = { fields: new Map(), files: [] };
  for (const [name, value] of new URLSearchParams(body)) addField(form, name, value);
  return form;
}

function addField({ fields }: Form, name: string, value: string): void {
  if (Buffer.byteLength(value) > LIMITS.formFieldBytesMax) {
    throw new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${LIMITS.formFieldBytesMax} bytes`, {
      field: name,
    });
  }
  fields.set(name, [...(fields.get(name) ?? []), value]);
}
