import { analyze } from '../../text/analyzer.js';

const sentenceEnd = /(?<=[.!?؟])\s+|(?<=[。！？])|\n+/u;
const questionMark = /[?？؟]["'”’»)\]]*$/u;
// In chats the question mark is often left out: "where do we keep the ribbons", "anybody seen Kofi".
const opening =
  /^(?:(?:hi|hey|hello)\b[^,]{0,20}, )?(?:(?:who|whom|whose|what|which|where|when|how|why)\b.{0,40}?\b(?:do|does|did|is|are|was|were|can|could|will|would|should|has|have|had|shall)\b|(?:do|does|did|has|have|can|could|would)\s+(?:anybody|anyone|someone|somebody|you|we)\b|any(?:body|one)\b)/iu;
// A statement ends with a full stop.
const statement = /[.!。！]["'”’»)\]]*$/u;
const charactersMax = 2000;

/**
 * Whether a message asks what a query asks, so that an answer to the message answers the query; `terms` are
 * those of the query.
 */
export function asksSame(message: string, terms: ReadonlySet<string>): boolean {
  const sentences = message
    .slice(0, charactersMax)
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const questions = sentences.filter(isQuestion);
  const last = sentences.at(-1);
  if (questions.length === 0 || last === undefined) return false;
  const heldIn = (text: string) => new Set(analyze(text).filter((term) => terms.has(term))).size;
  const held = heldIn(message.slice(0, charactersMax));
  // If it shares no words with the query, it may ask one thing only.
  if (held === 0) return isQuestion(last);
  return heldIn(questions.join('\n')) * 2 >= held;
}

/** Whether a message ends with a question, so that the answer is still to come. */
export function asksBack(message: string): boolean {
  const last = message.slice(-charactersMax).trim().split(sentenceEnd).at(-1)?.trim() ?? '';
  return isQuestion(last);
}

function isQuestion(sentence: string): boolean {
  return questionMark.test(sentence) || (opening.test(sentence) && !statement.test(sentence));
}
