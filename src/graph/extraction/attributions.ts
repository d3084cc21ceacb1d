import { kindOf } from './lexicon.js';

/**
 * The source of a quoted report, as monitoring services give it: "Oslo NRK Radio
 * in Norwegian 0700 GMT 3 May 94".
 */
export interface Attribution {
  readonly place: string;
  readonly medium: string;
}

const date = '\\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\w{0,6} \\d{2,4}';
const ending = new RegExp(
  ` in \\p{Lu}\\p{Ll}{2,20}(?:-\\p{L}{2,20})? (?:No \\d+,? )?(?:\\d{4} GMT )?${date}`,
  'u',
);
const wordsMax = 8;
const aloneWordsMax = 6;
const placeWordsMax = 3;

/**
 * Reads such a source from a line. The line must end like the example, or consist of a known place and a
 * name in capitals. Undefined otherwise.
 */
export function readAttribution(line: string): Attribution | undefined {
  if (line.length > 400) return undefined;
  const end = ending.exec(line)?.index;
  const words = (end === undefined ? line : line.slice(0, end)).trim().split(/\s+/);
  if (end === undefined)
    return words.length <= aloneWordsMax ? readWords(words, /^\p{Lu}[\p{Lu}-]{2,}$/u) : undefined;
  // A headline may precede it, which ends in a code.
  return readWords(
    words.slice(words.findLastIndex((word) => /\d{4}/.test(word)) + 1).slice(-wordsMax),
    /^\p{Lu}/u,
  );
}

function readWords(words: readonly string[], mediumWord: RegExp): Attribution | undefined {
  for (let size = placeWordsMax; size >= 1; size -= 1) {
    const place = words.slice(0, size).join(' ');
    const medium = words.slice(size);
    const isPlace =
      /^(?:place|region)$/.test(kindOf(place.toLowerCase()) ?? '') && /^\p{Lu}\p{Ll}/u.test(place);
    if (isPlace && medium.length > 0 && medium.every((word) => mediumWord.test(word)))
      return { place, medium: medium.join(' ') };
  }
  return undefined;
}
