import { subjectBefore } from './appointments.js';
import { findingOf, readersOf } from './careers.js';
import type { Finding } from './clauses.js';
import { isCommonNoun, phraseAt, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { accounts } from './predicates.js';
import { soldAt } from './sales.js';
import { isStated } from './stated.js';

const companies = ['ORGANIZATION'];
const spanTokensMax = 12;
const signing = /^(?:sign(?:s|ed)|inked|conclude[sd]|reached|struck)$/;
const holding = /^(?:holds?|held|owns?|owned|has|had)$/;
const buying = /^(?:acquire[sd]|bought|buys|took|takes|taken)$/;
const be = /^(?:been|is|are|was|were)$/;
const changing =
  /^(?:cut|doubled|increase[sd]|lift(?:s|ed)|lowers?|lowered|raise[sd]|reduce[sd]|trim(?:s|med))$/;
const trading = /^(?:acquir|b(?:ought|uy)|dispos|divest|offload|purchas|sell|sold|t(?:ake|ook))/;
const closing = /^(?:completes?|completed|closed?|closes|finali[sz]e[sd])$/;

const readers = readersOf([
  ['subsidiary division unit brand arm affiliate', (view, at) => partAt(view, at)],
  ['parent', (view, at) => parentAt(view, at)],
  ['stake', (view, at) => stakeAt(view, at)],
  ['shares', (view, at) => sharesAt(view, at)],
  ['% percent', (view, at) => percentAt(view, at)],
  ['raised', (view, at) => raisedAt(view, at)],
  ['round investment financing', (view, at) => roundAt(view, at)],
  ['agreement contract deal partnership memorandum', (view, at) => signedAt(view, at)],
  ['acquisition takeover', (view, at) => completedAt(view, at)],
  ['audited', (view, at) => auditedAt(view, at)],
  ['sells sold', (view, at) => soldAt(view, at)],
]);

/** Relations between companies that nouns state: parents, stakes, funding rounds and contracts. */
export function readDealings(view: SentenceView): Finding[] {
  return view.tokens.flatMap(({ lower }, at) =>
    view.startingAt(at) ? [] : (readers.get(lower)?.(view, at) ?? []),
  );
}

const isCompany = (ref: Ref | undefined): ref is Ref =>
  ref !== undefined && /^(?:ORGANIZATION|PRODUCT|OTHER)$/.test(ref.entity.type) && !ref.entity.lazy;
const part = { predicate: 'part_of', source: companies, target: companies };

/** "Acme's subsidiary Globex", "Acme subsidiary Globex" */
function partAt(view: SentenceView, at: number): Finding[] {
  const start = phraseStart(view, at);
  const beside = view.endingAt(at);
  const owner =
    view.refs.find(
      (ref) =>
        ref.start >= start &&
        ref.end < at + 1 &&
        (view.isPossessive(ref.end) || view.lower(ref.start) === 'its'),
    ) ?? (beside?.entity.type === 'ORGANIZATION' ? beside : undefined);
  const named = view.startingAt(view.lower(at + 1) === ',' ? at + 2 : at + 1);
  return isCompany(owner) && isCompany(named)
    ? [findingOf(named, owner, { ...part, raw: view.lower(at) })]
    : [];
}

/** "Acme's parent company is Globex", "Globex is the parent of Acme", "Globex, the parent company of Acme" */
function parentAt(view: SentenceView, at: number): Finding[] {
  const end = /^(?:company|group|firm)$/.test(view.lower(at + 1)) ? at + 2 : at + 1;
  const start = phraseStart(view, at);
  const raw = 'parent';
  const owned = view.refs.find(
    (ref) =>
      ref.start >= start && ref.end <= at && (view.isPossessive(ref.end) || view.lower(ref.start) === 'its'),
  );
  if (isCompany(owned)) {
    const joint = view.lower(end);
    const parent = view.startingAt(/^(?:is|was|,)$/.test(joint) ? end + 1 : end);
    return isCompany(parent) ? [findingOf(owned, parent, { ...part, raw })] : [];
  }
  const child = view.lower(end) === 'of' ? view.startingAt(end + 1) : undefined;
  const before = view.lower(start - 1);
  const [parent] =
    before === ','
      ? [view.endingAt(start - 1)]
      : /^(?:is|was)$/.test(before)
        ? subjectBefore(view, start - 1)
        : [];
  return isCompany(child) && isCompany(parent) ? [findingOf(child, parent, { ...part, raw })] : [];
}

/** "holds a 30 percent stake in Globex" */
function stakeAt(view: SentenceView, at: number): Finding[] {
  const start = overPerCent(view, phraseStart(view, at));
  const verb = view.lower(start - 1);
  const [target] = view.lower(at + 1) === 'in' ? (phraseAt(view, at + 2)?.refs ?? []) : [];
  if (!isCompany(target) || view.lower(start) === 'no') return [];
  const types = { source: ['ORGANIZATION', 'PERSON'], target: companies };
  // "Acme's 30% stake in Globex"; whoever bought it has it now.
  const owner = view.refs.find((ref) => ref.start >= start && view.isPossessive(ref.end) && ref.end < at);
  if (owner)
    return view.tokens.some(({ lower }) => trading.test(lower))
      ? []
      : [findingOf(owner, target, { predicate: 'has_stake_in', raw: 'stake in', ...types })];
  const isHeld = holding.test(verb) || (changing.test(verb) && view.lower(start) === 'its');
  if (!isHeld && !buying.test(verb)) return [];
  const predicate = isHeld ? 'has_stake_in' : 'invested_in';
  return subjectBefore(view, start - 1).map((source) =>
    findingOf(source, target, { predicate, raw: `${verb} stake in`, ...types }),
  );
}

/** Where a phrase begins that ends at "a 30 per": "cent" begins the one before. */
function overPerCent(view: SentenceView, start: number): number {
  const isPerCent = view.lower(start) === 'cent' && view.lower(start - 1) === 'per';
  return isPerCent ? phraseStart(view, start - 1) : start;
}

/** "holds 54% of the shares in Globex", "acquired all shares of Globex" */
function sharesAt(view: SentenceView, at: number): Finding[] {
  const target = /^(?:in|of)$/.test(view.lower(at + 1)) ? view.nameAt(at + 2) : undefined;
  const share = phraseStart(view, at);
  const start = view.lower(share - 1) === 'of' ? phraseStart(view, share - 1) : share;
  const verb = view.lower(start - 1);
  if (!isCompany(target) || view.lower(start) === 'no' || !(holding.test(verb) || buying.test(verb)))
    return [];
  const isAll = /^(?:all|100)$/.test(view.lower(start));
  const predicate = holding.test(verb) ? 'has_stake_in' : isAll ? 'acquired' : 'invested_in';
  const types = { source: ['ORGANIZATION', 'PERSON'], target: companies };
  return subjectBefore(view, start - 1).map((source) =>
    findingOf(source, target, { predicate, raw: `${verb} shares`, ...types }),
  );
}

/** "owns 12.5% of Globex" */
function percentAt(view: SentenceView, at: number): Finding[] {
  const target = view.lower(at + 1) === 'of' ? view.nameAt(at + 2) : undefined;
  const verb = phraseStart(view, at) - 1;
  if (!isCompany(target) || isCommonNoun(view, target.end) || !holding.test(view.lower(verb))) return [];
  const said = {
    predicate: 'has_stake_in',
    raw: `${view.lower(verb)} %`,
    source: ['ORGANIZATION', 'PERSON'],
    target: companies,
  };
  return subjectBefore(view, verb).map((source) => findingOf(source, target, said));
}

const investment = { predicate: 'invested_in', source: ['ORGANIZATION', 'PERSON'], target: companies };

/** "raised 12 million dollars from Northgate Ventures" */
function raisedAt(view: SentenceView, at: number): Finding[] {
  for (let joint = at + 2; joint < at + spanTokensMax; joint += 1) {
    if (/^[.;,]$/.test(view.lower(joint)) || view.pos(joint) === 'VERB') return [];
    if (view.lower(joint) !== 'from') continue;
    const isMoney = view.tokens
      .slice(at, joint)
      .some(({ lower }) => /^(?:million|billion|m|bn|dollars|euros|pounds|[$€£].*)$/.test(lower));
    const from = isMoney ? (phraseAt(view, joint + 1)?.refs ?? []) : [];
    return subjectBefore(view, at).flatMap((raiser) =>
      from
        .filter(isCompany)
        .map((source) => findingOf(source, raiser, { ...investment, raw: 'raised from' })),
    );
  }
  return [];
}

/** "led a 12 million dollar round in Helio Labs" */
function roundAt(view: SentenceView, at: number): Finding[] {
  const target = view.lower(at + 1) === 'in' ? view.nameAt(at + 2) : undefined;
  const verb = phraseStart(view, at) - 1;
  if (!isCompany(target) || !/^(?:led|leads|co-led|joined)$/.test(view.lower(verb))) return [];
  return subjectBefore(view, verb).map((source) =>
    findingOf(source, target, { ...investment, raw: 'led round in' }),
  );
}

/** "Acme signed a contract with Globex", "Acme and Globex signed an agreement" */
function signedAt(view: SentenceView, at: number): Finding[] {
  const verb = phraseStart(view, at) - 1;
  if (!signing.test(view.lower(verb))) return [];
  const parties = partiesBefore(view, verb);
  const other = view.lower(at + 1) === 'with' ? view.nameAt(at + 2) : undefined;
  const predicate = view.lower(at) === 'partnership' ? 'partners_with' : 'has_agreement_with';
  const said = {
    predicate,
    raw: `${view.lower(verb)} ${view.lower(at)}`,
    source: companies,
    target: companies,
  };
  const [first, second] = parties;
  if (isCompany(first) && isCompany(other)) return [findingOf(first, other, said)];
  return isCompany(first) && isCompany(second) ? [findingOf(first, second, said)] : [];
}

/** "Acme and Globex": the subject, and the name that "and" joins to it. */
function partiesBefore(view: SentenceView, verb: number): readonly Ref[] {
  const [last] = subjectBefore(view, verb);
  if (!last) return [];
  const other = view.lower(last.start - 1) === 'and' ? view.endingAt(last.start - 1) : undefined;
  return other ? [other, last] : [last];
}

/** "completed its acquisition of Globex" */
function completedAt(view: SentenceView, at: number): Finding[] {
  const isOwn = /^(?:its|the|their)$/.test(view.lower(at - 1)) && closing.test(view.lower(at - 2));
  const target = isOwn && view.lower(at + 1) === 'of' ? view.nameAt(at + 2) : undefined;
  if (!isCompany(target)) return [];
  const said = {
    predicate: 'acquired',
    raw: `${view.lower(at - 2)} ${view.lower(at)}`,
    source: companies,
    target: companies,
  };
  return subjectBefore(view, at - 2)
    .filter(isCompany)
    .map((source) => findingOf(source, target, said));
}

/** "The accounts of Acme for 2023 were audited by Globex"; "The accounts …", of the only company that the text has named. */
function auditedAt(view: SentenceView, at: number): Finding[] {
  const auditor = view.lower(at + 1) === 'by' ? phraseAt(view, at + 2)?.refs[0] : undefined;
  const noun = view.tokens.findLastIndex(({ lower }, index) => index < at && accounts.test(lower));
  const isSaid = be.test(view.lower(at - 1)) && isStated(view, { start: noun + 1, main: at });
  if (!auditor || noun < 0 || !isSaid) return [];
  const start = phraseStart(view, noun);
  const owner =
    view.lower(noun + 1) === 'of'
      ? view.nameAt(noun + 2)
      : view.refs.find((ref) => ref.start >= start && ref.end <= noun);
  const { employer: entity } = view;
  const unnamed = entity && { start: noun, end: noun + 1, entity, indirect: true };
  const audited = owner ? [owner].filter(isCompany) : [unnamed].filter((each) => each !== undefined);
  const said = { predicate: 'audits', raw: 'audited by', source: companies, target: companies };
  return audited.map((each) => findingOf(auditor, each, said));
}
