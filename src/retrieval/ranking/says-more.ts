import type { OutdatedFact } from '../../sources/facts.queries.js';
import { analyze } from '../../text/analyzer.js';
import { speakerTerms } from '../../text/first-person.js';
import { relativeDates } from '../../text/relative-dates.js';
import { stopWords } from '../../text/stop-words.js';

/** Words that add nothing to a fact but that it holds, or has come to hold. */
const loose = new Set(
  analyze(
    'now new current currently actually really always please change changed move moved switch switched start started get got take took buy bought prefer like love call called say said think know go live work keep make use user',
    'index',
  ),
);

/**
 * Whether a text says more than its facts that later ones contradict or repeat. For example, a memory that
 * names a former dentist also has a telephone number.
 */
export function saysMore(content: string, facts: readonly Pick<OutdatedFact, 'statement'>[]): boolean {
  const { rest } = relativeDates(content, new Date(0));
  const said = new Set(facts.flatMap(({ statement }) => analyze(statement, 'index')));
  return analyze(rest, 'index').some(
    (term) => !(said.has(term) || loose.has(term) || stopWords.has(term) || speakerTerms.has(term)),
  );
}
