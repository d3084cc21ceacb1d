import { bufferOf } from '../../../lib/buffer-of.js';

const signedData = Buffer.from('2a864886f70d010702', 'hex');
const [objectId, octetString, constructed, context0] = [0x06, 0x04, 0x20, 0xa0];
/** Deeper than signed messages are. */
const nestingMax = 12;

/** A value of BER, the encoding of signed messages. */
interface Value {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * The message in a signature that contains what it signs (RFC 8551, 3.5.2: `smime-type=signed-data`). Undefined
 * for what is encrypted or damaged.
 */
export function signedContent(bytes: Uint8Array): Buffer | undefined {
  const [type, wrapped] = childrenOf(valuesOf(bufferOf(bytes))[0]);
  if (type?.tag !== objectId || !type.content.equals(signedData)) return undefined;
  const parts = childrenOf(childrenOf(wrapped)[0]);
  // After the version and the algorithms: what is signed.
  const content = childrenOf(parts[2]).find(({ tag }) => tag === context0);
  const text = octetsOf(childrenOf(content)[0]);
  return text.length > 0 ? text : undefined;
}

function childrenOf(value: Value | undefined): Value[] {
  return value && value.tag & constructed ? valuesOf(value.content) : [];
}

/** A string of octets may come in pieces. */
function octetsOf(value: Value | undefined, depth = 0): Buffer {
  if (value === undefined || depth > nestingMax) return Buffer.alloc(0);
  if (value.tag === octetString) return value.content;
  return Buffer.concat(childrenOf(value).map((piece) => octetsOf(piece, depth + 1)));
}

/** The values that stand one after the other; a damaged one ends them. */
function valuesOf(source: Buffer): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < source.length;) {
    const value = valueAt(source, at);
    // Two zeros end a value that does not say its length.
    if (value === undefined || value.tag === 0) break;
    values.push(value);
    at = value.end;
  }
  return values;
}

function valueAt(source: Buffer, at: number, depth = 0): (Value & { readonly end: number }) | undefined {
  const [tag, first] = [source[at], source[at + 1]];
  if (tag === undefined || first === undefined || depth > nestingMax) return undefined;
  if (first === 0x80) {
    let end = at + 2;
    while (source.readUInt16BE(Math.min(end, source.length - 2)) !== 0) {
      const inner = valueAt(source, end, depth + 1);
      if (inner === undefined) return undefined;
      end = inner.end;
    }
    return { tag, content: source.subarray(at + 2, end), end: end + 2 };
  }
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (lengthBytes > 4 || at + 2 + lengthBytes > source.length) return undefined;
  const length = lengthBytes === 0 ? first : source.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  return { tag, content: source.subarray(start, start + length), end: start + length };
}
