import type { Token } from './reader.js';

/** What is done to data, in whatever stores them. */
const storing =
  /^(?:archive[ds]?|backed|buffer(?:s|ed)?|cache[ds]?|enqueue[ds]?|index(?:es|ed)?|ingest(?:s|ed)?|kept|keep(?:s|ing)?|log(?:s|ged)|persist(?:s|ed)?|queue[ds]|save[ds]?|sav(?:es|ing)|displayed|plotted|shown|stor(?:e|es|ed|ing)|track(?:s|ed)?|visuali[sz]ed|written)$/;
const data =
  /^(?:backups?|code|configs?|configuration|credentials|dashboards?|data|docs|events?|files?|jobs?|logs|messages|metadata|metrics|orders|queries|query|records|schemas?|secrets|sessions?|states?|tables?|tasks|tickets|traces?|vectors?)$/;
const storingTokensMax = 5;

/**
 * Whether "in" names a data store or a version, not a place: "Orders are indexed in Elasticsearch", "logs
 * end up in Splunk", "in Postgres 15."
 */
export function isStoredIn(tokens: readonly Token[], preposition: number, end: number): boolean {
  if (isNumberAt(tokens, end) && !/^\d{4}$/.test(tokens[end]?.text ?? '')) return true;
  for (let at = preposition - 1; at >= Math.max(preposition - storingTokensMax, 0); at -= 1) {
    const { lower, text } = tokens[at] ?? { lower: ',', text: ',' };
    if (storing.test(lower) || data.test(lower)) return true;
    if (/^(?:[,;:(]|he|she|who|they)$/.test(lower) || /^\p{Lu}/u.test(text)) return false;
  }
  return false;
}

/** Whether just a number follows: "TP 671 on Monday", but not "EU 27 states". */
export function isNumberAt(tokens: readonly Token[], at: number): boolean {
  return (
    /^\d+(?:\.\d+)*$/.test(tokens[at]?.text ?? '') &&
    !/^(?:NOUN|ADJ|PROPN|SYM)$/.test(tokens[at + 1]?.pos ?? '')
  );
}
