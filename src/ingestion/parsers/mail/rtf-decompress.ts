import { bufferOf } from '../../../lib/buffer-of.js';

/** The text with which every dictionary begins (MS-OXRTFCP), so that short texts shrink too. */
const startingText =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const windowBytes = 4096;
const headerBytes = 16;
const [compressed, uncompressed] = [0x75465a4c, 0x414c454d];
/** Seventeen bytes stand for at most 136. */
const growthMax = 8;
const textBytesMax = 64 * 1024 * 1024;

/** Decompresses the property PR_RTF_COMPRESSED into RTF; of damaged data what comes before the damage. */
export function decompressRtf(source: Uint8Array): Uint8Array {
  const bytes = bufferOf(source);
  if (bytes.length < headerBytes) return new Uint8Array();
  const kind = bytes.readUInt32LE(8);
  const body = bytes.subarray(headerBytes);
  if (kind === uncompressed) return body.subarray(0, bytes.readUInt32LE(4));
  return kind === compressed ? inflate(body) : new Uint8Array();
}

function inflate(body: Buffer): Uint8Array {
  const output = Buffer.alloc(Math.min(body.length * growthMax, textBytesMax));
  const window = Buffer.alloc(windowBytes);
  let at = window.write(startingText, 'latin1');
  let length = 0;
  const put = (byte: number) => {
    output[length] = byte;
    window[at] = byte;
    length += 1;
    at = (at + 1) % windowBytes;
  };
  let position = 0;
  while (position < body.length && length < output.length) {
    const control = body[position] ?? 0;
    position += 1;
    for (let bit = 0; bit < 8 && position < body.length; bit += 1) {
      if ((control & (1 << bit)) === 0) {
        put(body[position] ?? 0);
        position += 1;
        continue;
      }
      if (position + 1 >= body.length) return output.subarray(0, length);
      const reference = body.readUInt16BE(position);
      const from = reference >> 4;
      // A reference to the place that is written next marks the end.
      if (from === at) return output.subarray(0, length);
      for (let count = 0; count < (reference & 15) + 2; count += 1)
        put(window[(from + count) % windowBytes] ?? 0);
      position += 2;
    }
  }
  return output.subarray(0, length);
}
