import { subjectBefore } from './appointments.js';
import type { Finding } from './clauses.js';
import { phraseAt, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { deedRules, listedRoles } from './predicates.js';

/** Words that show that a deed may not have happened, or never will. */
const undone =
  /^(?:plan|propos|possib|potential|pending|attempt|fail|hostile|abandon|block|cancel|collaps|reject|terminat|halt|oppos|alleg|accus|suspect|charg|intend|consider|seek|sought|talk|bid|offer|would|could|may|might|will|should|must|before|until|without|no|not|never|despite|approv|scrutin|review|vote|n['’]t|agree|expect|announc)/;

/** Relations of lists behind a noun: "Acme's customers include Globex and Initech". */
export function readListed(view: SentenceView): Finding[] {
  return view.tokens.flatMap(({ lower }, at): Finding[] => {
    const noun = view.lower(at - 1);
    const predicate = /^(?:includes?|are)$/.test(lower) ? listedRoles.get(noun) : undefined;
    if (predicate === undefined) return [];
    const start = phraseStart(view, at);
    const target = view.refs.find((ref) => ref.start >= start - 1 && ref.end < at && isOwner(view, ref));
    const listed = target ? phraseAt(view, at + 1) : undefined;
    if (!target || !listed) return [];
    const types = { source: ['ORGANIZATION', 'PERSON'], target: ['ORGANIZATION', 'PRODUCT'] };
    return listed.refs.map((source) => ({
      source,
      target,
      predicate,
      raw: `${noun} include`,
      confidence: 0.75,
      types,
      from: start,
      to: listed.end,
    }));
  });
}

function isOwner(view: SentenceView, { start, end }: Ref): boolean {
  return view.isPossessive(end) || /^(?:its|their)$/.test(view.lower(start));
}

/**
 * Relations that nouns for deeds state: "Hooli's acquisition of Endframe", "the
 * murder of Ann Hill by Tom Berg".
 */
export function readDeeds(view: SentenceView): Finding[] {
  const deeds = view.tokens.flatMap(({ lower: noun }, at) => {
    const rule = view.lower(at + 1) === 'of' ? deedRules.get(noun) : undefined;
    return rule ? [{ noun, at, rule }] : [];
  });
  if (deeds.length === 0 || view.tokens.some(({ lower }) => undone.test(lower))) return [];
  return deeds.flatMap(({ noun, at, rule }): Finding[] => {
    const done = phraseAt(view, at + 2);
    if (!done) return [];
    const start = phraseStart(view, at);
    const owner = view.refs.find((ref) => ref.start >= start && ref.end < at && view.isPossessive(ref.end));
    const by = view.lower(done.end) === 'by' ? phraseAt(view, done.end + 1) : undefined;
    const sources = owner ? [owner] : (by?.refs ?? convicted(view, start));
    return sources.flatMap((source) =>
      done.refs.map((target) => ({
        source,
        target,
        predicate: rule.predicate,
        raw: `${noun} of`,
        confidence: 0.75,
        types: rule,
        from: start,
        to: by && !owner ? by.end : done.end,
      })),
    );
  });
}

const partyTokensMax = 30;
const agreements = /^(?:agreement|contract|lease|partnership)$/;

/** Relations between the parties of an agreement: "The lease between Acme Ltd and Globex GmbH runs …". */
export function readAgreements(view: SentenceView): Finding[] {
  return view.tokens.flatMap(({ lower: noun }, at): Finding[] => {
    if (!agreements.test(noun)) return [];
    const between = betweenAt(view, at);
    const source = between === undefined ? undefined : view.startingAt(between + 1);
    const and = source && afterParty(view, source.end);
    const target = and !== undefined && view.lower(and) === 'and' ? view.startingAt(and + 1) : undefined;
    const isOpen = view.tokens.some(({ lower }, index) => index !== at && undone.test(lower));
    if (!source || !target || isOpen) return [];
    const predicate = noun === 'partnership' ? 'partners_with' : 'has_agreement_with';
    const types = ['ORGANIZATION', 'PERSON'];
    return [
      {
        source,
        target,
        predicate,
        raw: `${noun} between`,
        confidence: 0.75,
        types: { source: types, target: types },
        from: at,
        to: target.end,
      },
    ];
  });
}

/** "lease between", "Agreement is made by and between" */
function betweenAt(view: SentenceView, noun: number): number | undefined {
  if (view.lower(noun + 1) === 'between') return noun + 1;
  const at = view.tokens.findIndex(({ lower }, index) => index > noun && lower === 'between');
  const isFormal =
    /^(?:into|made|concluded|signed)$/.test(view.lower(at - 1)) ||
    (view.lower(at - 1) === 'and' && view.lower(at - 2) === 'by');
  return at > 0 && isFormal && !view.refs.some(({ start }) => start > noun && start < at) ? at : undefined;
}

/** The index behind a party's description: 'Acme Ltd ("Supplier")', "Acme Ltd, a company of Oslo,". */
function afterParty(view: SentenceView, end: number): number {
  // 'Acme GmbH, Hamburg ("Supplier"), and'
  const next = afterAside(view, end);
  const isOpen = next > end && /^[(,]$/.test(view.lower(next));
  return isOpen && view.lower(next + 1) !== 'and' ? afterAside(view, next) : isOpen ? next + 1 : next;
}

function afterAside(view: SentenceView, end: number): number {
  const close = view.lower(end) === '(' ? ')' : view.lower(end) === ',' ? ',' : undefined;
  if (close === undefined) return end;
  const at = view.tokens.findIndex(({ lower }, index) => index > end && lower === close);
  return at < 0 || at - end > partyTokensMax ? end : at + 1;
}

/** "Ann Hill was convicted of the murder of …": the convicted person. */
function convicted(view: SentenceView, deed: number): readonly Ref[] {
  const verdict = deed - 2;
  if (!/^(?:in|of|to)$/.test(view.lower(deed - 1)) || !/^(?:convicted|guilty)$/.test(view.lower(verdict)))
    return [];
  let at = verdict;
  while (at > 0 && /^(?:been|found|had|has|pleaded|pled|was)$/.test(view.lower(at - 1))) at -= 1;
  return at < verdict ? subjectBefore(view, at) : [];
}
