import { firstPerson } from '../../text/first-person.js';
import { stopWords } from '../../text/stop-words.js';
import { unpackCodes } from '../../text/word-codes.js';
import type { ItemHit } from './keyword-lane.queries.js';
import type { KeywordQuery } from './keyword-query.js';
import { bestFirst, weighedHitsMax } from './lane-hits.js';

// Where this share of the best hits says "I", "we" or "you", people talk.
const talkShareMin = 0.4;
// Turns of a dialogue say first who speaks, if behind a title: at the same one of their first places stand a few
// words, each in at least this many turns on average.
const firstPlaces = 8;
// Two codes take three characters.
const firstCharacters = 12;
const turnsPerSpeakerMin = 3;
const speaking = new Set(
  [...firstPerson.keys(), 'you', 'your', 'yours', 'yourself', 'youre', 'youve'].map((word) =>
    stopWords.get(word),
  ),
);
// What a turn does not say in the words of a question it may say in others, but one that is shorter than this
// has no room for it ("Okay, must run. Bye!"), while BM25 takes it to be about the name, which is often all that
// it shares with the question. nDCG@10 of three sets of turns of two people is .395, .216 and .537 (.376, .203
// and .514 without it), of chats .831 (.819). For questions without a name, 36 about short memories would have a
// reciprocal rank of .889 (.931).
const wordsEnough = 30;
const shortnessPower = 0.8;

/**
 * Weighs the best hits of the keyword lane by how much room they have for an answer, if people talk in them:
 * the fewer words of the query a turn contains (`asked`, by store), the more its own shortness counts. For
 * queries with a name; where nobody talks, nothing changes. Hits whose words are unknown count as the others
 * do on average.
 */
export function weighTalk(
  hits: readonly ItemHit[],
  asked: readonly Pick<KeywordQuery, 'weights' | 'whole'>[],
): ItemHit[] {
  const head = hits.slice(0, weighedHitsMax).map((hit) => ({ hit, codes: unpackCodes(hit.wordCodes) }));
  const known = head.filter(({ codes }) => codes.length > 0);
  if (known.length === 0 || !isTalk(known.map(({ codes }) => codes))) return [...hits];
  const shares = new Map(
    known.map(({ hit, codes }) => {
      const room = Math.min(1, codes.length / wordsEnough);
      return [hit, room ** (shortnessPower * (1 - coveredBy(hit, asked)))] as const;
    }),
  );
  const average = [...shares.values()].reduce((sum, share) => sum + share, 0) / shares.size;
  const weighed = head.map(({ hit }) => ({ ...hit, score: hit.score * (shares.get(hit) ?? average) }));
  // Those further back stay there.
  const least = Math.min(...shares.values());
  const others = hits.slice(weighedHitsMax).map((hit) => ({ ...hit, score: hit.score * least }));
  return [...bestFirst(weighed), ...others];
}

/**
 * Whether the best hits are turns of a dialogue, which say first who speaks. Those whose words are unknown do
 * not count.
 */
export function areTurns(hits: readonly ItemHit[]): boolean {
  const known = hits.slice(0, weighedHitsMax).filter(({ wordCodes }) => wordCodes !== '');
  const beginnings = known.map(({ wordCodes }) => unpackCodes(wordCodes.slice(0, firstCharacters)));
  const nameSpeakers = Array.from({ length: firstPlaces }, (_, place) => {
    const words = new Set(beginnings.map((codes) => codes[place])).size;
    return words > 1 && words * turnsPerSpeakerMin <= known.length;
  });
  return nameSpeakers.includes(true) && isTalk(known.map(({ wordCodes }) => unpackCodes(wordCodes)));
}

/** Whether people talk in these texts. */
function isTalk(texts: readonly Uint16Array[]): boolean {
  const talking = texts.filter((codes) => codes.some((code) => speaking.has(code)));
  return talking.length >= talkShareMin * texts.length;
}

/** The share of the weight of the query's words that a hit contains. */
function coveredBy({ terms }: ItemHit, asked: Parameters<typeof weighTalk>[1]): number {
  const shares = asked.map(
    ({ weights, whole }) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / whole,
  );
  return Math.min(1, Math.max(0, ...shares));
}
