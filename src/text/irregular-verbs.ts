import { stem } from './analyzer.js';

// Each with its past and its participle, where these are other words. Verbs that hardly say anything (make, give, know) are left out.
const verbs =
  `become became, begin began begun, bite bit bitten, break broke broken, bring brought, build built, buy bought, catch caught,
   choose chose chosen, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, fight fought,
   fly flew flown, forget forgot forgotten, freeze froze frozen, get got gotten, go went gone, grow grew grown, hear heard,
   keep kept, leave left, lend lent, lose lost, meet met, pay paid, ride rode ridden, ring rang rung,
   run ran, see saw seen, sell sold, send sent, shake shook shaken, sing sang sung, sleep slept, speak spoke spoken, spend spent,
   steal stole stolen, swim swam swum, swear swore sworn, take took taken, teach taught, tear tore torn, tell told, think thought,
   throw threw thrown, wake woke woken, wear wore worn, win won, write wrote written`
    .split(',')
    .map((forms) => forms.trim().split(/\s+/));

/** By the stem of the infinitive. */
const pastForms = new Map(verbs.map((forms) => forms.map(stem)).map(([base = '', ...past]) => [base, past]));

/** The stems of the past and the participle of an irregular verb: "bought" for "buy"; none for any other word. */
export function pastFormsOf(term: string): readonly string[] {
  return pastForms.get(term) ?? [];
}
