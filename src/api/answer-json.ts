// Longer lists are written so many entries at a time.
const entriesAtOnce = 32;
// data, the root field of GraphQL, its connection, its nodes.
const depthMax = 4;
// To write a longer text Node makes room for three times its characters, which takes half as long again as sending its bytes.
const sentAsTextMax = 65_536;
const comma = 0x2c;

/**
 * The JSON of an answer: a text, or its bytes where it is long. What JSON.stringify makes of it whole, but lists piece by piece: a text
 * above 128 kB gets memory of its own from the system, page by page, three times over, which takes twice as long as writing it.
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
  // What stands before the next list.
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

/** The bytes of a list: pieces are lists themselves, whose brackets become commas, or nothing, where the next one goes on. */
function listPieces(list: readonly unknown[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < list.length; start += entriesAtOnce) {
    const piece = Buffer.from(JSON.stringify(list.slice(start, start + entriesAtOnce)));
    if (start + entriesAtOnce < list.length) piece[piece.length - 1] = comma;
    pieces.push(start === 0 ? piece : piece.subarray(1));
  }
  return pieces;
}
