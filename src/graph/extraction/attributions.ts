import { kindOf } from './lexicon.js';

/** "Oslo NRK Radio in Norwegian 0700 GMT 3 May 94": how monitoring services name what they quote. */
export interface Attribution {
  readonly place: string;
  readonly medium: string;
}

const date = '\\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\w{0,6} \\d{2,4}';
const ending = new RegExp(` in \\p{Lu}\\p{Ll}{2,20}(?:-\\p{L}{2,20})? (?:\\d{4} GMT )?${date}`, 'u');
const wordsMax = 8;
const placeWordsMax = 3;

/** Read only of a line that ends so, or of a place with a name in capitals that stand on a line of their own. */
export function readAttribution(line: string): Attribution | undefined {
  if (line.length > 400) return undefined;
  const end = ending.exec(line)?.index;
  const words = (end === undefined ? line : line.slice(0, end)).trim().split(/\s+/);
  const isAlone = end === undefined && words.length >= 2 && words.length <= 6;
  if (end === undefined && !isAlone) return undefined;
  const first = isAlone ? 0 : Math.max(words.length - wordsMax, 0);
  for (let at = words.length - 2; at >= first; at -= 1) {
    for (let size = placeWordsMax; size >= 1; size -= 1) {
      const place = words.slice(at, at + size).join(' ');
      const medium = words.slice(at + size);
      if (medium.length === 0 || !/^(?:place|region)$/.test(kindOf(place.toLowerCase()) ?? '')) continue;
      if (!/^\p{Lu}\p{Ll}/u.test(place) || !medium.every((word) => /^\p{Lu}/u.test(word))) continue;
      if (isAlone && (at > 0 || !medium.every((word) => /^\p{Lu}{3,}$/u.test(word)))) continue;
      return { place, medium: medium.join(' ') };
    }
  }
  return undefined;
}
