import type { EvalSet } from './eval-set.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const documents = 500;
const wordsPerDocument = 80;
const queryWords = 6;
const queryEvery = 10;

/** A set that shows that everything works, not how well: a query repeats some words of the one document that is right. */
export function makeEvalSet(): EvalSet {
  const random = randomNumbers(11);
  const text = new SyntheticText(random);
  const made = Array.from({ length: documents }, (_, n) => ({
    id: `d${n}`,
    title: '',
    text: text.text(wordsPerDocument),
  }));
  const asked = made.filter((_, n) => n % queryEvery === 0);
  const queries = asked.map(({ id, text: words }) => ({
    id: `q-${id}`,
    text: words
      .split(' ')
      .sort(() => random() - 0.5)
      .slice(0, queryWords)
      .join(' '),
  }));
  const judgements = new Map(asked.map(({ id }) => [`q-${id}`, new Map([[id, 1]])]));
  return { name: 'made up', documents: made, queries, judgements };
}
