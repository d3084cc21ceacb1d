// Longer lists are written in pieces of this many entries.
const entriesAtOnce = 32;
// How deep lists are looked for: data, the root field of GraphQL, its connection, its nodes.
const depthMax = 4;
// Longer answers are sent as bytes: for a string Node reserves three bytes per character, which takes half as
// long again.
const sentAsTextMax = 65_536;
const comma = 0x2c;

/**
 * Serialises an answer as JSON.stringify would: to a string, or to bytes when it is long. Long lists are
 * stringified in pieces: the memory for a string above 128 kB is requested from the system anew, page by
 * page, three times over, which takes twice as long as writing it.
 */
export function answerJson(answer: unknown): string | Buffer {
  if (hasLongList(answer, 0)) return bytesOf(answer);
  const text = JSON.stringify(answer);
  return text.length > sentAsTextMax ? Buffer.from(text) : text;
}

function hasLongList(value: unknown, depth: number): boolean {
  if (isLongList(value)) return true;
  return (
    isPlain(value) && depth < depthMax && Object.values(value).some((each) => hasLongList(each, depth + 1))
  );
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > entriesAtOnce;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function bytesOf(answer: unknown): Buffer {
  const pieces: Buffer[] = [];
  // The JSON written since the last long list.
  let text = '';
  const write = (value: unknown, depth: number): void => {
    if (isLongList(value)) {
      pieces.push(Buffer.from(text), ...listPieces(value));
      text = '';
    } else if (isPlain(value) && depth < depthMax) {
      let mark = '{';
      for (const [key, each] of Object.entries(value)) {
        if (each === undefined || typeof each === 'function' || typeof each === 'symbol') continue;
        text += `${mark}${JSON.stringify(key)}:`;
        write(each, depth + 1);
        mark = ',';
      }
      text += mark === '{' ? '{}' : '}';
    } else text += JSON.stringify(value);
  };
  write(answer, 0);
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/**
 * A long list as bytes. Each piece is stringified as a list of its own: its closing bracket becomes the comma
 * before the next piece, whose opening bracket is dropped.
 */
function listPieces(list: readonly unknown[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < list.length; start += entriesAtOnce) {
    const piece = Buffer.from(JSON.stringify(list.slice(start, start + entriesAtOnce)));
    if (start + entriesAtOnce < list.length) piece[piece.length - 1] = comma;
    pieces.push(start === 0 ? piece : piece.subarray(1));
  }
  return pieces;
}
