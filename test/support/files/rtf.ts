import { bytesOf } from './reading.js';
import type { Sample } from './sample.js';

/** A document in one font of each charset that occurs. */
export function rtfFile(body: string): Uint8Array {
  return bytesOf(
    '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset128 MS Mincho;}' +
      '{\\f2\\fcharset204 Arial Cyr;}{\\f3\\fcharset2 Symbol;}}' +
      `{\\stylesheet{Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 heading 2;}}${body}}`,
  );
}

export const rtfSamples: readonly Sample[] = [
  {
    extension: 'rtf',
    bytes: () =>
      rtfFile("\\pard\\s1 Top\\par\\pard\\s2 Inner\\par\\pard W\\'f6rter {\\f1 \\'8a\\'bf\\'8e\\'9a}.\\par "),
    text: 'Wörter 漢字.',
    headings: ['Top', 'Inner'],
  },
];
