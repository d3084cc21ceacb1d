// Chunks tell by number which of these their text has: new ones go to the end.
const words =
  `a about above after again against all am an and any are as at be because been before being below between both but
   by can could did do does doing down during each few for from further had has have having he her here hers herself
   him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or
   other our ours ourselves out over own same she should so some such than that the their theirs them themselves then
   there these they this those through to too under until up very was we were what when where which while who whom why
   will with would you your yours yourself yourselves
   arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive shouldnt theyre wasnt werent wont wouldnt
   youre youve`.split(/\s+/);

/**
 * English words that carry no topic: in nearly every text, so a match on them says little. Each with its number, from 1.
 */
export const stopWords: ReadonlyMap<string, number> = new Map(words.map((word, index) => [word, index + 1]));

// The number that no word has.
const readBit = 0;
/** What the stop words of a text take, a bit each. */
export const stopWordBytes = Math.ceil((words.length + 1) / 8);

/** Which stop words a text has, given their numbers: a bit for each word, and one that says that the text has been read. */
export function stopWordBits(numbers: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(stopWordBytes);
  for (const number of [readBit, ...numbers]) bits[number >> 3]! |= 1 << (number & 7);
  return bits;
}

/** Of some stop words those that a text has, a bit each in their order; null for a text that has not been read for them. */
export function heldStopWords(bits: Uint8Array | null, asked: readonly number[], from = 0): number | null {
  const has = (number: number) => ((bits?.[from + (number >> 3)] ?? 0) >> (number & 7)) & 1;
  if (!has(readBit)) return null;
  return asked.reduce((held, number, nth) => held | (has(number) << nth), 0);
}
