import { calendarWords } from './lexicon.js';
import type { Ref, SentenceView } from './phrases.js';

/** Who holds a role. */
export interface Holder {
  readonly refs: readonly Ref[];
  readonly certain: boolean;
  /** Whether the verb of the sentence states it, so that in a supposition it is only supposed. */
  readonly isClaim: boolean;
  /** Who appoints the holder. */
  readonly by?: readonly Ref[];
  readonly from?: number;
  readonly temporal?: string;
}

/** The other end of a role. */
export interface Others {
  readonly refs: readonly Ref[];
  readonly preposition: string;
  readonly end: number;
}

const companyNouns = new Set(
  'agency airline association bank company firm hospital ministry university'.split(' '),
);
const executives = /^(?:ceo|cfo|coo|cto|cio|cmo)$/;
/** What may stand between "the" and a chief's post, or within it, and leaves open whose chief it is. */
const chiefly =
  /^(?:acting|chief|commercial|executive|financial|information|interim|longtime|marketing|new|operating|operations|technical|technology)$/;
const joining = /^(?:of|for|at|with|in|from|to|on)$/;

/**
 * The employer if the phrase of a role does not name it: "Nimbus named Anna Berg CEO", "Anna Berg took over
 * as CEO", "The CEO, Anna Berg, …". It is whoever appoints, or the only organization that the text has
 * named; where no verb gives the post, only one that the text is about.
 */
export function unsaid(
  view: SentenceView,
  { at, holder, end }: { at: number; holder: Holder; end: number },
): Others {
  const { by = [], isClaim } = holder;
  const of = (refs: readonly Ref[]) => ({ refs, preposition: '', end });
  const ofCompany = companyNouns.has(view.lower(at - 1)) ? onlyCompany(view, at) : undefined;
  if (ofCompany) return of([ofCompany]);
  if (/^(?:year|month|week|decade|century)$/.test(view.lower(end - 1))) return of([]);
  if (by.length > 0) return of(by);
  // "became CEO of a rival"
  if (!isExecutive(view, at) || view.lower(at + 1) === 'of') return of([]);
  const behind = isClaim ? undefined : ofNamed(view, at, holder);
  if (behind) return { ...of([behind]), preposition: 'of' };
  const entity = isClaim ? view.employer : isAlone(view, at, holder) ? view.topic : undefined;
  return of(entity ? [{ start: at, end: at + 1, entity, indirect: true }] : []);
}

function isExecutive(view: SentenceView, at: number): boolean {
  const isChief = [1, 2, 3].some((back) => view.lower(at - back) === 'chief');
  return executives.test(view.lower(at)) || (/^(?:executive|officer)$/.test(view.lower(at)) && isChief);
}

/** "CEO Anna Berg of Nimbus": the company behind the name. */
function ofNamed(view: SentenceView, at: number, { refs: [holder] }: Holder): Ref | undefined {
  if (holder?.start !== at + 1 || !/^(?:of|at|from)$/.test(view.lower(holder.end))) return undefined;
  const company = view.nameAt(holder.end + 1);
  return company && /^(?:ORGANIZATION|OTHER)$/.test(company.entity.type) ? company : undefined;
}

/** "said CEO Anna Berg", "The new CEO, Anna Berg,": not "a CEO", "our CEO", "the startup's CEO", "the CEO of a rival". */
function isAlone(view: SentenceView, at: number, { refs: [holder] }: Holder): boolean {
  let start = at;
  while (chiefly.test(view.lower(start - 1)) && !view.endingAt(start)) start -= 1;
  if (view.lower(start - 1) === 'the') start -= 1;
  const before = view.lower(start - 1);
  const isOthers =
    view.endingAt(start) !== undefined ||
    view.isPossessive(start - 1) ||
    (/^(?:ADJ|DET|NOUN|NUM|PRON|PROPN)$/.test(view.pos(start - 1)) && !calendarWords.has(before));
  return !isOthers && ![at + 1, holder?.end ?? at].some((next) => joining.test(view.lower(next)));
}

/** "…, said Debra Bornstein, a company official": the only organization that the sentence has named. */
function onlyCompany(view: SentenceView, at: number): Ref | undefined {
  const companies = view.refs.filter(({ entity, end }) => entity.type === 'ORGANIZATION' && end < at);
  return new Set(companies.map(({ entity }) => entity)).size === 1 ? companies[0] : undefined;
}
