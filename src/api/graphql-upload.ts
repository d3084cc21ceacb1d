import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { AppError, invalidInput } from '../errors.js';
import { checkCount } from '../lib/bounded-number.js';
import { parseJson } from '../lib/parse-json.js';
import { reasonOf } from '../lib/reason-of.js';
import { checkText } from '../lib/text-check.js';
import { readUtf8 } from '../lib/utf8.js';
import { LIMITS } from '../limits.js';
import type { IncomingFile } from '../storage/incoming-file.js';
import { readRequest } from './graphql-http.js';
import { formProblem, misnamedPart, readField, readParts, receiveFile } from './upload.js';

/** The place in `operations` where a file goes. */
interface Place {
  readonly container: object;
  readonly key: string;
}

/** What has been read of a form so far. */
interface Form {
  operations: unknown;
  /** By the names of the parts in `map`; undefined until it has come. */
  places: Map<string, Place> | undefined;
  readonly files: Map<string, IncomingFile>;
}

/** `operations`, `map` and one file more than allowed, so that the check which names the limit sees it. */
const partsMax = 2 + LIMITS.filesPerRequestMax + 1;

/**
 * Reads a multipart GraphQL request (graphql-multipart-request-spec) to its end and writes its files to disk:
 * a part that is left unread would block the rest. @throws AppError
 */
export async function readUploads(app: App, request: FastifyRequest): Promise<void> {
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) return;
  const form: Form = { operations: undefined, places: undefined, files: new Map() };
  try {
    await readForm(app, request, form);
  } catch (error) {
    // A client that cannot finish sending does not read the answer.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof AppError) throw error;
    throw (
      formProblem(error, partsMax) ??
      new AppError('INVALID_INPUT', `the multipart request cannot be read: ${reasonOf(error)}`)
    );
  }
  for (const [name, { container, key }] of placesOf(form)) {
    const value = form.files.get(name);
    if (!value) throw invalidInput('map', `names ${JSON.stringify(name)}, a part that was not sent`);
    // Not an assignment, which of a key such as __proto__ would set something else.
    Object.defineProperty(container, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

async function readForm(app: App, request: FastifyRequest, form: Form): Promise<void> {
  const options = {
    limits: { fileSize: LIMITS.fileBytesMax + 1, files: partsMax },
    // Text parts too: the library would decode them and let pass what is not UTF-8.
    isStream: () => true,
  };
  let misnamed: string | undefined;
  for await (const { part, head } of readParts(request, options)) {
    const name = part.fieldname;
    if (part.type !== 'file') throw new Error(`the part ${name} is no stream`);
    if (name === 'operations') await readOperations(request, form, part.file);
    else if (name === 'map') await readMap(form, part.file);
    else {
      checkPart(form, name);
      const { filename, mimetype, file: stream } = part;
      form.files.set(name, receiveFile(app, request, { filename, mimetype, head, stream }));
      if (head?.isUtf8 === false) misnamed ??= name;
    }
  }
  // A file that could not be stored is reported by whoever takes it.
  await Promise.allSettled([...form.files.values()].map((file) => file.received));
  if (misnamed !== undefined) throw misnamedPart(misnamed);
}

async function readOperations(
  request: FastifyRequest,
  form: Form,
  stream: AsyncIterable<Buffer>,
): Promise<void> {
  if (form.operations !== undefined) throw sentTwice('operations');
  form.operations = await readJson('operations', stream);
  checkText(form.operations, 'operations');
  request.body = form.operations;
  // Refuses what is no request before its files have come.
  readRequest(request);
}

async function readMap(form: Form, stream: AsyncIterable<Buffer>): Promise<void> {
  if (form.operations === undefined) throw invalidInput('map', 'must follow operations');
  if (form.places) throw sentTwice('map');
  const map = await readJson('map', stream);
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw invalidInput('map', 'must be an object that names the place of each part');
  const entries = Object.entries(map);
  const filesMax = LIMITS.filesPerRequestMax + 1;
  checkCount(entries.length, 'map', { noun: 'files', max: filesMax });
  form.places = new Map(entries.map(([name, paths]) => [name, onlyPlace(form.operations, name, paths)]));
  const places = [...form.places.values()];
  const taken = places.find(({ container, key }, n) =>
    places.some((other, m) => m < n && other.container === container && other.key === key),
  );
  if (taken) throw invalidInput('map', `must put one file at each place, not two at ${taken.key}`);
}

/** A file is stored once; a client that wants it in two places sends it twice. */
function onlyPlace(operations: unknown, name: string, paths: unknown): Place {
  if (!Array.isArray(paths)) throw invalidInput('map', `must have a list of places for each part`);
  const [path, ...more] = paths as unknown[];
  if (more.length > 0)
    throw invalidInput(
      'map',
      `must put each file in one place, not in ${paths.length}; send it once for each`,
    );
  const place = typeof path === 'string' ? placeOf(operations, path.split('.')) : undefined;
  if (!place) throw invalidInput('map', `must name a place in operations for ${JSON.stringify(name)}`);
  return place;
}

function placeOf(operations: unknown, path: readonly string[]): Place | undefined {
  let container = operations;
  for (const key of path.slice(0, -1)) {
    if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key))
      return undefined;
    container = (container as Record<string, unknown>)[key];
  }
  const key = path.at(-1);
  if (typeof container !== 'object' || container === null || key === undefined) return undefined;
  if (Array.isArray(container) && !Object.hasOwn(container, key)) return undefined;
  return { container, key };
}

function checkPart(form: Form, name: string): void {
  if (!form.places) throw invalidInput('map', 'must stand before the files');
  if (!form.places.has(name))
    throw invalidInput('map', `must name ${JSON.stringify(name)}, a part that was sent`);
  if (form.files.has(name)) throw sentTwice(name);
}

function placesOf({ operations, places }: Form): Map<string, Place> {
  if (operations === undefined) throw invalidInput('operations', 'must be sent');
  if (!places) throw invalidInput('map', 'must be sent');
  return places;
}

async function readJson(name: string, stream: AsyncIterable<Buffer>): Promise<unknown> {
  return parseJson(readUtf8(await readField(name, stream), name), name);
}

function sentTwice(name: string): AppError {
  return invalidInput(name, 'must be the name of one part, not of two');
}
