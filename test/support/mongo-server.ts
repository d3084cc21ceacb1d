import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import {
  applyUpdate,
  asDoc,
  asDocs,
  asNumber,
  badValue,
  bytes,
  checkUpdate,
  clone,
  type Collection,
  CommandError,
  type Doc,
  failedToParse,
  insert,
  isDoc,
  project,
  readPath,
  remove,
  select,
  upsert,
} from './mongo-documents.js';

/**
 * An in-memory MongoDB that speaks the wire protocol, for tests on machines without one. It does what the Agenda
 * backend needs; everything else is answered with an error document, never ignored.
 */
export interface MongoServer {
  readonly url: string;
  close(): Promise<void>;
}

const namespaceNotFound = (): CommandError => new CommandError(26, 'NamespaceNotFound', 'ns does not exist');

interface Call {
  command: Doc;
  database: string;
  collections: Map<string, Collection>;
  /** The collection the command names; made when `create`. */
  collection(create?: boolean): Collection;
}
type Handler = (call: Call) => Doc;

function cursor({ command, database }: Call, firstBatch: readonly Doc[]): Doc {
  const name = Object.values(command)[0];
  return { cursor: { id: BSON.Long.ZERO, ns: `${database}.${String(name)}`, firstBatch } };
}

function page(docs: readonly Doc[], options: Doc): Doc[] {
  const skip = asNumber(options.skip);
  return docs.slice(skip, asNumber(options.limit) > 0 ? skip + asNumber(options.limit) : undefined);
}

function find(call: Call): Doc {
  const { command } = call;
  const found = page(select(call.collection(), asDoc(command.filter), asDoc(command.sort)), command);
  return cursor(
    call,
    command.projection ? found.map((doc) => project(doc, asDoc(command.projection))) : found,
  );
}

function insertMany(call: Call): Doc {
  const writeErrors: Doc[] = [];
  const docs = asDocs(call.command.documents);
  for (const [index, doc] of docs.entries()) {
    try {
      insert(call.collection(true), doc);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message });
      if (call.command.ordered !== false) return { n: index, writeErrors };
    }
  }
  return { n: docs.length - writeErrors.length, ...(writeErrors.length > 0 ? { writeErrors } : {}) };
}

function updateMany(call: Call): Doc {
  const result = { n: 0, nModified: 0 };
  const upserted: Doc[] = [];
  for (const [index, statement] of asDocs(call.command.updates).entries()) {
    const [filter, update] = [asDoc(statement.q), checkUpdate(statement.u)];
    const found = select(call.collection(true), filter).slice(0, statement.multi ? undefined : 1);
    for (const doc of found) if (applyUpdate(doc, update, false)) result.nModified += 1;
    result.n += found.length;
    if (found.length === 0 && statement.upsert) {
      upserted.push({ index, _id: upsert(call.collection(true), filter, update)._id });
      result.n += 1;
    }
  }
  return { ...result, ...(upserted.length > 0 ? { upserted } : {}) };
}

function deleteMany(call: Call): Doc {
  let n = 0;
  for (const statement of asDocs(call.command.deletes)) {
    const found = select(call.collection(), asDoc(statement.q)).slice(
      0,
      asNumber(statement.limit) || undefined,
    );
    remove(call.collection(), found);
    n += found.length;
  }
  return { n };
}

function findAndModify(call: Call): Doc {
  const { command } = call;
  const collection = call.collection(true);
  const filter = asDoc(command.query);
  const doc = select(collection, filter, asDoc(command.sort))[0];
  const shown = (value: Doc): Doc => (command.fields ? project(value, asDoc(command.fields)) : clone(value));
  if (command.remove) {
    if (doc) remove(collection, [doc]);
    return { value: doc ? shown(doc) : null, lastErrorObject: { n: doc ? 1 : 0 } };
  }
  const update = checkUpdate(command.update);
  if (doc) {
    const before = shown(doc);
    applyUpdate(doc, update, false);
    return { value: command.new ? shown(doc) : before, lastErrorObject: { n: 1, updatedExisting: true } };
  }
  if (!command.upsert) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  const added = upsert(collection, filter, update);
  const lastErrorObject = { n: 1, updatedExisting: false, upserted: added._id };
  return { value: command.new ? shown(added) : null, lastErrorObject };
}

function group(docs: readonly Doc[], { _id: key, ...fields }: Doc): Doc[] {
  if (isDoc(key)) throw failedToParse('$group by a document is not supported');
  const groups = new Map<string, Doc>();
  for (const doc of docs) {
    const isPath = typeof key === 'string' && key.startsWith('$');
    const _id = isPath ? (readPath(doc, key.slice(1)) ?? null) : key;
    const id = bytes({ _id }).toString('hex');
    const current = groups.get(id) ?? { _id };
    for (const [name, accumulator] of Object.entries(fields)) {
      const by = asDoc(accumulator).$sum;
      if (typeof by !== 'number') throw failedToParse('only $sum of a number is supported');
      current[name] = asNumber(current[name]) + by;
    }
    groups.set(id, current);
  }
  return [...groups.values()];
}

function aggregate(call: Call): Doc {
  let docs = [...call.collection().docs];
  for (const stage of asDocs(call.command.pipeline)) {
    const [operator = '', operand] = Object.entries(stage)[0] ?? [];
    if (operator === '$match') docs = select({ docs, indexes: [] }, asDoc(operand));
    else if (operator === '$sort') docs = select({ docs, indexes: [] }, {}, asDoc(operand));
    else if (operator === '$skip') docs = page(docs, { skip: operand });
    else if (operator === '$limit') docs = page(docs, { limit: operand });
    else if (operator === '$group') docs = group(docs, asDoc(operand));
    else throw new CommandError(40324, 'Location40324', `Unrecognized pipeline stage name: '${operator}'`);
  }
  return cursor(call, docs);
}

function createIndexes(call: Call): Doc {
  const { indexes } = call.collection(true);
  const numIndexesBefore = indexes.length;
  for (const index of asDocs(call.command.indexes)) {
    if (index.unique) throw badValue('unique indexes are not supported');
    if (!indexes.some((other) => other.name === index.name)) indexes.push({ v: 2, ...index });
  }
  return { numIndexesBefore, numIndexesAfter: indexes.length };
}

function listCollections(call: Call): Doc {
  const prefix = `${call.database}.`;
  const names = [...call.collections.keys()].filter((name) => name.startsWith(prefix));
  const docs = names.map((name) => ({ name: name.slice(prefix.length), type: 'collection', options: {} }));
  const { cursor: found } = cursor(call, select({ docs, indexes: [] }, asDoc(call.command.filter)));
  return { cursor: { ...asDoc(found), ns: `${prefix}$cmd.listCollections` } };
}

function listIndexes(call: Call): Doc {
  if (!call.collections.has(`${call.database}.${String(call.command.listIndexes)}`))
    throw namespaceNotFound();
  return cursor(call, call.collection().indexes);
}

function drop({ collections, command, database }: Call): Doc {
  if (!collections.delete(`${database}.${String(command.drop)}`)) throw namespaceNotFound();
  return {};
}

function dropDatabase({ collections, database }: Call): Doc {
  for (const name of collections.keys()) if (name.startsWith(`${database}.`)) collections.delete(name);
  return { dropped: database };
}

const hello: Handler = () => ({
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
});

const ok: Handler = () => ({});
const handlers: Readonly<Record<string, Handler>> = {
  aggregate,
  buildInfo: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0], maxBsonObjectSize: 16_777_216 }),
  count: (call) => ({ n: page(select(call.collection(), asDoc(call.command.query)), call.command).length }),
  createIndexes,
  delete: deleteMany,
  drop,
  dropDatabase,
  endSessions: ok,
  find,
  findAndModify,
  getMore: ({ command, database }) => ({
    cursor: { id: BSON.Long.ZERO, ns: `${database}.${String(command.collection)}`, nextBatch: [] },
  }),
  hello,
  insert: insertMany,
  isMaster: hello,
  ismaster: hello,
  killCursors: ({ command }) => ({ cursorsKilled: command.cursors, cursorsNotFound: [] }),
  listCollections,
  listIndexes,
  ping: ok,
  update: updateMany,
};

function execute(command: Doc, collections: Map<string, Collection>): Doc {
  const name = Object.keys(command)[0] ?? '';
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  try {
    if (!handler) throw new CommandError(59, 'CommandNotFound', `no such command: '${name}'`);
    const unsupported = ['collation', 'let', 'arrayFilters'].find((option) => option in command);
    if (unsupported) throw badValue(`${unsupported} is not supported`);
    const database = typeof command.$db === 'string' ? command.$db : 'admin';
    const collection = (create = false): Collection => {
      const key = `${database}.${String(command[name])}`;
      const found = collections.get(key) ?? { docs: [], indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }] };
      if (create) collections.set(key, found);
      return found;
    };
    return { ...handler({ command, database, collections, collection }), ok: 1 };
  } catch (error) {
    const { code, codeName } = error instanceof CommandError ? error : { code: 1, codeName: 'InternalError' };
    return { ok: 0, errmsg: error instanceof Error ? error.message : String(error), code, codeName };
  }
}

// ---- the wire: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
const FLAG_CHECKSUM = 1;
const FLAG_MORE_TO_COME = 2;

function readDocument(message: Buffer, at: number): { doc: Doc; end: number } {
  const end = at + message.readInt32LE(at);
  return { doc: BSON.deserialize(message.subarray(at, end)), end };
}

/** The command of an OP_MSG, with the documents of its sequence sections (kind 1) put where they belong. */
function readMessage(message: Buffer): Doc {
  const checksumBytes = message.readUInt32LE(HEADER_BYTES) & FLAG_CHECKSUM ? 4 : 0;
  let command: Doc = {};
  const sequences: Doc = {};
  for (let at = HEADER_BYTES + 4; at < message.length - checksumBytes;) {
    const kind = message.readUInt8(at);
    const sectionEnd = at + 1 + message.readInt32LE(at + 1);
    if (kind === 0) command = readDocument(message, at + 1).doc;
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const docs: Doc[] = [];
      for (let next = nameEnd + 1; next < sectionEnd;) {
        const { doc, end } = readDocument(message, next);
        docs.push(doc);
        next = end;
      }
      sequences[message.toString('utf8', at + 5, nameEnd)] = docs;
    }
    at = sectionEnd;
  }
  return { ...command, ...sequences };
}

function frame(opCode: number, responseTo: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

/** The answer to one message; undefined when the client wants none. */
function answer(message: Buffer, collections: Map<string, Collection>): Buffer | undefined {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY) {
    // Only the handshake of a client that does not know the server yet.
    const documentAt = message.indexOf(0, HEADER_BYTES + 4) + 1 + 8;
    const reply = execute(readDocument(message, documentAt).doc, collections);
    const fields = Buffer.alloc(20);
    fields.writeInt32LE(1, 16);
    return frame(OP_REPLY, requestId, Buffer.concat([fields, bytes(reply)]));
  }
  if (opCode !== OP_MSG) throw new Error(`unsupported opcode ${opCode}`);
  const reply = execute(readMessage(message), collections);
  if (message.readUInt32LE(HEADER_BYTES) & FLAG_MORE_TO_COME) return undefined;
  return frame(OP_MSG, requestId, Buffer.concat([Buffer.alloc(5), bytes(reply)]));
}

function serve(socket: Socket, collections: Map<string, Collection>): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
      const message = received.subarray(0, received.readInt32LE(0));
      received = received.subarray(message.length);
      try {
        const reply = answer(message, collections);
        if (reply) socket.write(reply);
      } catch {
        // As the real server does with what it cannot read.
        socket.destroy();
        return;
      }
    }
  });
}

/** Starts an empty server on a free port of 127.0.0.1; the URL names no database. */
export async function startMongoServer(): Promise<MongoServer> {
  const collections = new Map<string, Collection>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, collections);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
