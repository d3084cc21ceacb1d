import { subjectBefore } from './appointments.js';
import { findingOf } from './careers.js';
import type { Finding } from './clauses.js';
import { weakStrengthMax } from './entities.js';
import { phraseAt } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { argumentsOf } from './verb-arguments.js';

const insertionTokensMax = 14;
const traders = ['ORGANIZATION', 'PERSON'];
const goods = ['ORGANIZATION', 'PRODUCT'];
const shares = /^(?:interest|shareholding|shares?|stake)$/;

/** What is sold, and where the words for it end. */
interface Sold {
  readonly refs: readonly Ref[];
  readonly end: number;
  /** Where the words begin that dates may stand among: not in "the Ledger, a daily founded in 1904, to Acme". */
  readonly from: number;
  /** Whether only a part of it is sold: "its stake in Globex". */
  readonly isShare: boolean;
}

/** "Acme sold Globex to Initech", "Globex was sold by Acme to Initech": who sells and who buys. */
export function soldAt(view: SentenceView, at: number): Finding[] {
  if (view.startingAt(at)) return [];
  if (/^(?:been|is|was|were)$/.test(view.lower(at - 1))) return passiveSale(view, at);
  const sold = soldBehind(view, at + 1);
  const sellers = subjectBefore(view, at);
  // "the family sold the paper to Acme": who buys is clear even so.
  const isSaid = sellers.length > 0 || view.pos(at - 1) === 'NOUN';
  if (!sold || !isSaid || view.lower(sold.end) !== 'to') return [];
  const buyers = phraseAt(view, sold.end + 1)?.refs ?? [];
  return buyers.length === 0 ? [] : salesOf({ sellers, buyers, sold, verb: view.lower(at) });
}

function passiveSale(view: SentenceView, at: number): Finding[] {
  const found = argumentsOf(view, at + 1);
  const of = (joint: string) => found.find(({ preposition }) => preposition === joint)?.refs ?? [];
  const buyers = of('to');
  if (buyers.length === 0) return [];
  // A panda may be sold to a zoo.
  const refs = subjectBefore(view, at).filter(({ entity }) => entity.type === 'ORGANIZATION');
  const sold = { refs, end: at, from: at, isShare: false };
  return salesOf({ sellers: of('by'), buyers, sold, verb: view.lower(at) });
}

function salesOf({
  sellers,
  buyers,
  sold: { refs, from, isShare },
  verb,
}: {
  readonly sellers: readonly Ref[];
  readonly buyers: readonly Ref[];
  readonly sold: Sold;
  readonly verb: string;
}): Finding[] {
  const given = isShare ? 'sold_stake_in' : 'sold';
  const got = isShare ? 'has_stake_in' : 'acquired';
  const raw = isShare ? `${verb} stake in` : verb;
  return refs
    .filter(({ entity }) => !/^(?:LOCATION|PERSON)$/.test(entity.type) || entity.strength <= weakStrengthMax)
    .flatMap((each) => [
      ...sellers.map((seller) =>
        findingOf(seller, each, { predicate: given, raw, source: traders, target: goods }),
      ),
      ...buyers.map((buyer) =>
        findingOf(buyer, each, { predicate: got, raw: `${raw} to`, source: traders, target: goods }),
      ),
    ])
    .map((finding) => ({ ...finding, from }));
}

/** "its brewery Ravn Bryg", "its fish business, Polar Catch,", "its stake in Medvale", "the Ledger, a daily founded in 1904," */
function soldBehind(view: SentenceView, from: number): Sold | undefined {
  const object = phraseAt(view, from);
  if (!object) return undefined;
  const at = from - 1;
  if (object.refs.length > 0) {
    const end = afterDescription(view, object.end);
    return { refs: object.refs, end, from: end === object.end ? at : end, isShare: false };
  }
  const isShare = shares.test(object.noun ?? '') && /^(?:in|of)$/.test(view.lower(object.end));
  const whole = isShare ? phraseAt(view, object.end + 1) : undefined;
  if (whole) return { refs: whole.refs, end: whole.end, from: at, isShare: true };
  const named = view.lower(object.end) === ',' ? view.startingAt(object.end + 1) : undefined;
  return named && view.lower(named.end) === ','
    ? { refs: [named], end: named.end + 1, from: at, isShare: false }
    : undefined;
}

/** Where reading continues behind ", a daily newspaper founded in 1904,". */
function afterDescription(view: SentenceView, end: number): number {
  if (view.lower(end) !== ',' || !/^(?:an?|the|its|which|who)$/.test(view.lower(end + 1))) return end;
  for (let at = end + 2; at < end + insertionTokensMax; at += 1)
    if (view.lower(at) === ',') return view.lower(at + 1) === 'to' ? at + 1 : end;
  return end;
}
