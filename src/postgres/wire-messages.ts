const sslRequestCode = 80_877_103;
const gssRequestCode = 80_877_104;
const cancelRequestCode = 80_877_102;
const requestHeaderBytes = 8;
/** The letter and the length of a message. */
const headBytes = 5;

const code = (letter: string) => letter.charCodeAt(0);
/** Query, Sync, Flush, FunctionCall, CopyDone, CopyFail: the messages after which the backend answers. */
const unitEnds = new Set(['Q', 'S', 'H', 'F', 'c', 'f'].map(code));
const terminate = code('X');

/** Begins the SQL of background work, which lets everything else go first. */
export const backgroundMark = '/*background*/ ';
/**
 * Begins SQL whose plan does not depend on its parameters. It is planned once and kept; Postgres would plan
 * the statement anew each time, which takes longer than most of them run.
 */
export const preparedMark = '/*prepared*/ ';
/** How far into the SQL both marks reach: this one stands behind the other. */
export const preparedCharacters = backgroundMark.length + preparedMark.length;
/**
 * Where a mark may begin in a message: behind its letter, its length, and the statement's name, which is
 * empty.
 */
const markedBytes = 8 + backgroundMark.length;

/** The message that runs SQL without parameters. */
export function simpleQuery(sql: string): Buffer {
  return message('Q', '', Buffer.from(`${sql}\0`));
}

/** The message of an error that ended the backend (as a full disk does), if the answer ends with one. */
export function fatalErrorOf(answer: Uint8Array): string | undefined {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  let last = bytes.subarray(0, 0);
  for (let at = 0; at + headBytes <= bytes.length; at += last.length) {
    last = bytes.subarray(at, at + 1 + bytes.readInt32BE(at + 1));
  }
  if (last[0] !== code('E')) return undefined;
  const fields = last.subarray(headBytes).toString('utf8').split('\0');
  const field = (letter: string) => fields.find((each) => each.startsWith(letter))?.slice(1) ?? '';
  // The severity that is not localized.
  return /^(?:PANIC|FATAL)$/.test(field('V')) ? `${field('V')}: ${field('M')}` : undefined;
}

/** The answer to a Parse message. */
export const parseComplete = Buffer.from('1\0\0\0\x04', 'latin1');

/**
 * The statement that a unit begins with, and how to rewrite the unit when the statement is kept under a name.
 */
export interface MarkedStatement {
  /** The SQL and the types of its parameters. */
  readonly text: string;
  /** The unit, with a Parse that gives the statement this name. */
  prepare(name: string): Buffer;
  /** The unit without Parse, for a statement that is known by this name. */
  use(name: string): Buffer;
}

/** The marked statement that a unit parses and binds; undefined when it does something else. */
export function readStatement(unit: Buffer): MarkedStatement | undefined {
  if (unit[0] !== code('P') || unit[headBytes] !== 0) return undefined;
  const bindAt = 1 + unit.readInt32BE(1);
  // Its portal and its statement are unnamed.
  if (unit[bindAt] !== code('B') || unit[bindAt + headBytes] !== 0 || unit[bindAt + headBytes + 1] !== 0)
    return undefined;
  const parsed = unit.subarray(headBytes + 1, bindAt);
  if (!parsed.subarray(0, preparedCharacters).includes(preparedMark)) return undefined;
  const bindEnd = bindAt + 1 + unit.readInt32BE(bindAt + 1);
  const bound = unit.subarray(bindAt + headBytes + 2, bindEnd);
  const use = (name: string) => [message('B', `\0${name}\0`, bound), unit.subarray(bindEnd)];
  return {
    text: parsed.toString('latin1'),
    prepare: (name) => Buffer.concat([message('P', `${name}\0`, parsed), ...use(name)]),
    use: (name) => Buffer.concat(use(name)),
  };
}

function message(letter: string, names: string, rest: Buffer): Buffer {
  const head = Buffer.from(`${letter}\0\0\0\0${names}`, 'latin1');
  // The length includes itself but not the letter.
  head.writeInt32BE(head.length - 1 + rest.length, 1);
  return Buffer.concat([head, rest]);
}

let arrivals = 0;

/**
 * Cuts the bytes of one Postgres client into messages, and groups these into units that the backend answers
 * as a whole.
 */
export class MessageReader {
  private chunks: Buffer[] = [];
  private bufferedBytes = 0;
  private neededBytes = requestHeaderBytes;
  private started = false;
  private messages: Buffer[] = [];
  private units: Buffer[][] = [];
  /** A counter over all clients that grows with every unit that becomes complete. */
  waitingSince = 0;

  get hasUnit(): boolean {
    return this.units.length > 0;
  }

  /** Whether the longest-waiting unit is background work. */
  get isBackground(): boolean {
    const first = this.units[0]?.[0];
    return first !== undefined && first.subarray(0, markedBytes).includes(backgroundMark);
  }

  /**
   * Adds bytes as they arrive. Returns 'refuse-ssl' when the client asks for encryption, which a Unix socket
   * does not need.
   */
  add(bytes: Buffer): 'refuse-ssl' | undefined {
    this.chunks.push(bytes);
    this.bufferedBytes += bytes.length;
    // Joined only when a message may be complete: a large one arrives in many pieces.
    if (this.bufferedBytes < this.neededBytes) return undefined;
    let buffer = Buffer.concat(this.chunks);
    let answer: 'refuse-ssl' | undefined;
    for (;;) {
      const message = this.started ? this.cutMessage(buffer) : this.cutStartup(buffer);
      if (!message) break;
      buffer = buffer.subarray(message.length);
      if (this.take(message) === 'refuse-ssl') answer = 'refuse-ssl';
    }
    this.chunks = buffer.length > 0 ? [buffer] : [];
    this.bufferedBytes = buffer.length;
    return answer;
  }

  /** Takes out the messages of the longest-waiting unit, unchanged. */
  takeUnit(): Buffer {
    const unit = this.units.shift() ?? [];
    this.waitingSince = ++arrivals;
    return unit.length === 1 && unit[0] ? unit[0] : Buffer.concat(unit);
  }

  private cutStartup(buffer: Buffer): Buffer | undefined {
    this.neededBytes = buffer.length >= 4 ? buffer.readInt32BE(0) : requestHeaderBytes;
    return buffer.length >= this.neededBytes ? buffer.subarray(0, this.neededBytes) : undefined;
  }

  private cutMessage(buffer: Buffer): Buffer | undefined {
    this.neededBytes = buffer.length >= 5 ? 1 + buffer.readInt32BE(1) : 5;
    return buffer.length >= this.neededBytes ? buffer.subarray(0, this.neededBytes) : undefined;
  }

  private take(message: Buffer): 'refuse-ssl' | undefined {
    if (!this.started) {
      const request = message.readInt32BE(4);
      if (request === sslRequestCode || request === gssRequestCode) return 'refuse-ssl';
      // The embedded backend cannot be interrupted, and the protocol expects no answer.
      if (request === cancelRequestCode) return undefined;
      this.started = true;
      this.finish(message);
      return undefined;
    }
    const type = message[0] ?? 0;
    if (type === terminate) return undefined;
    if (unitEnds.has(type)) this.finish(message);
    else this.messages.push(message);
    return undefined;
  }

  private finish(last: Buffer): void {
    if (this.units.length === 0) this.waitingSince = ++arrivals;
    this.units.push([...this.messages, last]);
    this.messages = [];
  }
}
