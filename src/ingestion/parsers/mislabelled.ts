import { mislabelledFile, type ParseError } from './parser.js';

/** How files of known kinds begin, each byte as a character; markup in lower case. */
const beginnings: readonly (readonly [string, string])[] = [
  ['\xd0\xcf\x11\xe0', 'a file of Office 97 to 2003'],
  ['PK\x03\x04', 'a zip archive, as newer Office files are'],
  ['{\\rtf', 'RTF'],
  ['%PDF', 'PDF'],
  ['<?xml', 'XML'],
  ['<html', 'HTML'],
  ['<!doctype', 'HTML'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
];

/** The error E1001 for a file of another kind than its extension says; it names that kind if it is known. */
export function mislabelled(bytes: Uint8Array, expected: string): ParseError {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const lowered = start.toLowerCase();
  const kind = beginnings.find(([begins]) => start.startsWith(begins) || lowered.startsWith(begins))?.[1];
  return mislabelledFile(kind === undefined ? `it is no ${expected}` : `it is ${kind}, no ${expected}`);
}
