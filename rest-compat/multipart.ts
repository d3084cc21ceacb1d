import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { App } from '../src/app.js';
import {
  formPartsMax,
  formProblem,
  misnamedPart,
  readField,
  readParts,
  receiveFile,
  requireSize,
  tooLarge,
} from '../src/api/upload.js';
import type { BegunPart } from '../src/api/upload.js';
import { AppError, invalidInput } from '../src/errors.js';
import { LIMITS } from '../src/limits.js';
import type { IncomingFile } from '../src/storage/incoming-file.js';
import { readUtf8 } from '../src/lib/utf8.js';

/** A form: its text fields, and the files of its `documents` parts. */
export interface Form {
  readonly fields: Map<string, string[]>;
  readonly files: IncomingFile[];
  /** Bytes of all its text fields together. */
  textBytes: number;
}

const filesMax = LIMITS.filesPerRequestMax + 1;
// No endpoint reads as many parameters.
const textFilesMax = 20;

/** Reads a multipart form; files go to disk as they come. @throws AppError 400 for a broken form, 413 for a field over its bound. */
export async function readMultipart(app: App, request: FastifyRequest): Promise<Form> {
  try {
    return await readForm(app, request);
  } catch (error) {
    const problem = formProblem(error, filesMax);
    if (problem) throw problem;
    // What is neither ours nor the HTTP layer's comes from the parser: the form is broken or was cut off.
    if (error instanceof AppError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new AppError(
      'INVALID_INPUT',
      `the form cannot be read: ${error instanceof Error ? error.message : 'broken'}`,
    );
  }
}

async function readForm(app: App, request: FastifyRequest): Promise<Form> {
  const form: Form = { fields: new Map(), files: [], textBytes: 0 };
  const limits = {
    fieldSize: LIMITS.formFieldBytesMax + 1,
    parts: formPartsMax,
    // One more than is accepted, so that the check which names file and bound sees it.
    fileSize: LIMITS.fileBytesMax + 1,
    files: filesMax + textFilesMax,
  };
  let misnamed: string | undefined;
  const options = {
    limits,
    // Each byte as one character: the text of a field as it came.
    defCharset: 'latin1',
    isStream,
  };
  for await (const { part, head } of readParts(request, options)) {
    if (head?.isUtf8 === false) misnamed ??= part.fieldname;
    if (part.type === 'field') {
      const bytes = Buffer.from(part.value as string, 'latin1');
      addField(form, part.fieldname, await fieldText(part.fieldname, bytes));
    } else if (part.fieldname === 'documents') {
      const file = receiveFile(app, request, {
        filename: part.filename,
        mimetype: part.mimetype,
        head,
        stream: part.file,
      });
      // What cannot be stored is said when all has been read: nobody hears an answer while sending.
      const received = await file.received.catch(() => undefined);
      // Without name and content no file was chosen.
      if (part.filename || received?.bytes !== 0) form.files.push(file);
    } else {
      // A text parameter that is sent as a file, curl -F memories=@file.json, or with a content type of its own
      const bytes = await readField(part.fieldname, part.file);
      addField(form, part.fieldname, await fieldText(part.fieldname, bytes, head?.charset));
    }
  }
  await Promise.all(form.files.map((file) => file.received));
  if (misnamed !== undefined) throw misnamedPart(misnamed);
  return form;
}

// A document needs no name. JSON is text until the type of its parameter is known: as a field it would be parsed at once.
function isStream({ name, contentType = '', filename, head }: BegunPart): boolean {
  return (
    head.charset !== undefined ||
    name === 'documents' ||
    filename !== undefined ||
    contentType === 'application/octet-stream' ||
    contentType.startsWith('application/json')
  );
}

/** The text of a field: UTF-8, or what its part says. Java's clients send ISO-8859-1 and say so. */
async function fieldText(name: string, bytes: Buffer, charset?: string): Promise<string> {
  requireSize(name, bytes.length);
  if (charset === undefined || isUtf8(bytes)) return readUtf8(bytes, name);
  const { decodeAs } = await import('../src/lib/named-charsets.js');
  return decodeAs(charset, bytes) ?? readUtf8(bytes, name);
}

/** Reads an application/x-www-form-urlencoded body. */
export function readUrlEncoded(body: string): Form {
  const form: Form = { fields: new Map(), files: [], textBytes: 0 };
  refuseOtherBytes(body, 'body');
  for (const [name, value] of new URLSearchParams(body)) addField(form, name, value);
  return form;
}

/** Refuses what is escaped and not UTF-8. @throws AppError INVALID_INPUT naming the parameter */
export function refuseOtherBytes(parameters: string, where: string): void {
  if (!parameters.includes('%')) return;
  for (const pair of parameters.split('&')) {
    const escaped = pair.match(/(?:%[\da-f]{2})+/gi) ?? [];
    if (escaped.every((bytes) => isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))) continue;
    const [name = where] = new URLSearchParams(pair).keys();
    throw invalidInput(name, 'must be UTF-8');
  }
}

function addField(form: Form, name: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  requireSize(name, bytes);
  form.textBytes += bytes;
  if (form.textBytes > LIMITS.formTextBytesMax)
    throw tooLarge('the text of the form', LIMITS.formTextBytesMax);
  form.fields.set(name, [...(form.fields.get(name) ?? []), value]);
}
