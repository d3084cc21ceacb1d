import { ParseError } from './parser.js';

const signatures: readonly (readonly [string, string])[] = [
  ['d0cf11e0', 'a file of Office 97 to 2003'],
  ['504b0304', 'a zip archive, as newer Office files are'],
  ['7b5c727466', 'RTF'],
  ['25504446', 'PDF'],
  ['3c3f786d6c', 'XML'],
  ['3c68746d6c', 'HTML'],
  ['3c21646f6374797065', 'HTML'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
];

/** E1001 for a file of another kind than its extension says, which it names when it is known. */
export function mislabelled(bytes: Uint8Array, expected: string): ParseError {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1').toLowerCase();
  const hex = Buffer.from(start, 'latin1').toString('hex');
  const raw = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const kind = signatures.find(([signature]) => raw.startsWith(signature) || hex.startsWith(signature))?.[1];
  const found = kind === undefined ? `it is no ${expected}` : `it is ${kind}, no ${expected}`;
  return new ParseError('E1001', `The file is not what its extension says: ${found}.`);
}
