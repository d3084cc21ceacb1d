import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import {
  formPartsMax,
  formProblem,
  misnamedPart,
  readField,
  readParts,
  receiveFile,
  requireSize,
  tooLarge,
  tooManyParts,
} from '../src/api/upload.js';
import type { BegunPart } from '../src/api/upload.js';
import type { App } from '../src/app.js';
import { AppError, invalidInput } from '../src/errors.js';
import { addToList } from '../src/lib/add-to-list.js';
import { reasonOf } from '../src/lib/reason-of.js';
import { readUtf8 } from '../src/lib/utf8.js';
import { LIMITS } from '../src/limits.js';
import type { IncomingFile } from '../src/storage/incoming-file.js';

/** A form: its text fields, and the files of its `documents` parts. */
export interface Form {
  readonly fields: Map<string, string[]>;
  readonly files: IncomingFile[];
  /** The name of the first part with a file that no parameter has. */
  strayFile: string | undefined;
  /** The size of all its text fields together. */
  textBytes: number;
}

const filesMax = LIMITS.filesPerRequestMax + 1;
// More than any endpoint has parameters.
const textFilesMax = 20;

/**
 * Reads a multipart form and writes its files to disk as they arrive; parts whose names are not among `known`
 * are passed over. @throws AppError INVALID_INPUT for a
 * broken form, PAYLOAD_TOO_LARGE for a field over its limit
 */
export async function readMultipart(
  app: App,
  request: FastifyRequest,
  known: ReadonlySet<string>,
): Promise<Form> {
  try {
    return await readForm(app, request, known);
  } catch (error) {
    const problem = formProblem(error, filesMax);
    if (problem) throw problem;
    // An error that is neither ours nor of the HTTP layer is the parser's: the form is broken or was cut off.
    if (error instanceof AppError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new AppError('INVALID_INPUT', `the form cannot be read: ${reasonOf(error)}`);
  }
}

async function readForm(app: App, request: FastifyRequest, known: ReadonlySet<string>): Promise<Form> {
  const form = emptyForm();
  const limits = {
    fieldSize: LIMITS.formFieldBytesMax + 1,
    parts: formPartsMax,
    // One byte more than accepted, so that the check that names the file and the limit sees it.
    fileSize: LIMITS.fileBytesMax + 1,
    files: filesMax + textFilesMax,
  };
  let misnamed: string | undefined;
  const options = {
    limits,
    // One character per byte, so that the bytes of a field can be recovered.
    defCharset: 'latin1',
    isStream,
  };
  for await (const { part, head } of readParts(request, options)) {
    if (head?.isUtf8 === false) misnamed ??= part.fieldname;
    if (!known.has(part.fieldname)) {
      if (part.type === 'field') continue;
      part.file.resume();
      if (part.filename) form.strayFile ??= part.fieldname;
    } else if (part.type === 'field') {
      const bytes = Buffer.from(part.value as string, 'latin1');
      addField(form, part.fieldname, await fieldText(part.fieldname, bytes));
    } else if (part.fieldname === 'documents') {
      const file = receiveFile(app, request, {
        filename: part.filename,
        mimetype: part.mimetype,
        head,
        stream: part.file,
      });
      // A file that cannot be stored is reported when everything has been read: clients do not read answers
      // while sending.
      const received = await file.received.catch(() => undefined);
      // A part without name and content means that no file was chosen.
      if (part.filename || received?.bytes !== 0) form.files.push(file);
    } else {
      // A text parameter that was sent as a file (curl -F memories=@file.json), or with its own content type.
      const bytes = await readField(part.fieldname, part.file);
      addField(form, part.fieldname, await fieldText(part.fieldname, bytes, head?.charset));
    }
  }
  await Promise.all(form.files.map((file) => file.received));
  if (misnamed !== undefined) throw misnamedPart(misnamed);
  return form;
}

// A document needs no name. JSON stays text until its parameter's type is known; as a field it would be
// parsed at once.
function isStream({ name, contentType = '', filename, head }: BegunPart): boolean {
  return (
    head.charset !== undefined ||
    name === 'documents' ||
    filename !== undefined ||
    contentType === 'application/octet-stream' ||
    contentType.startsWith('application/json')
  );
}

/**
 * The text of a field: UTF-8, or the charset that its part names. Java's clients send ISO-8859-1 and say so.
 */
async function fieldText(name: string, bytes: Buffer, charset?: string): Promise<string> {
  requireSize(name, bytes.length);
  if (charset === undefined || isUtf8(bytes)) return readUtf8(bytes, name);
  const { decodeAs } = await import('../src/lib/named-charsets.js');
  return decodeAs(charset, bytes) ?? readUtf8(bytes, name);
}

/** Reads an application/x-www-form-urlencoded body. @throws AppError INVALID_INPUT, PAYLOAD_TOO_LARGE */
export function readUrlEncoded(body: string): Form {
  const form = emptyForm();
  if (body.split('&', formPartsMax + 1).length > formPartsMax) throw tooManyParts();
  refuseOtherBytes(body, 'body');
  for (const [name, value] of new URLSearchParams(body)) addField(form, name, value);
  return form;
}

function emptyForm(): Form {
  return { fields: new Map(), files: [], strayFile: undefined, textBytes: 0 };
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
  addToList(form.fields, name, value);
}
