// The order must not change: stored chunks hold the numbers that these words take by it (see word-codes).
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
 * English stop words, each with its number, from 1. They are in nearly every text,
 * so a match on one says little.
 */
export const stopWords: ReadonlyMap<string, number> = new Map(words.map((word, index) => [word, index + 1]));
