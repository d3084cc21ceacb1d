import { namedAt, subjectBefore } from './appointments.js';
import type { Finding } from './clauses.js';
import { phraseAt, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { deedRules, listedRoles, roleRules } from './predicates.js';

/** Words that show that a deed may not have happened, or never will. */
const undone =
  /^(?:(?:plan|propos|possib|potential|pending|attempt|fail|hostile|abandon|block|cancel|collaps|reject|terminat|halt|oppos|alleg|accus|suspect|charg|intend|consider|seek|talk|bid|offer|approv|scrutin|review|vote|agree(?!ment)|expect|announc)\p{Ll}*|sought|would|could|may|might|will|should|must|before|until|without|no|not|never|despite|n['’]t)$/u;

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

const partyTokensMax = 60;
const agreements = /^(?:agreement|contract|lease|partnership)$/;

/** Relations between the parties of an agreement: "The lease between Acme Ltd and Globex GmbH runs …". */
export function readAgreements(view: SentenceView): Finding[] {
  return view.tokens.flatMap(({ lower: noun }, at): Finding[] => {
    if (!agreements.test(noun)) return [];
    const between = betweenAt(view, at);
    const source = between === undefined ? undefined : partyAt(view, between + 1);
    const target = source && otherParty(view, source);
    const isOpen = view.tokens.some(({ lower, text }) => text !== 'May' && undone.test(lower));
    if (!source || !target || isOpen) return [];
    const types = ['ORGANIZATION', 'PERSON'];
    const said = { confidence: 0.75, types: { source: types, target: types }, from: at, to: target.end };
    const predicate = noun === 'partnership' ? 'partners_with' : 'has_agreement_with';
    const parts = [
      { source, target, part: partOf(view, source.end, target.start) },
      { source: target, target: source, part: partOf(view, target.end, target.end + partyTokensMax) },
    ].flatMap(({ part, ...ends }) => {
      const rule = part === undefined ? undefined : roleRules.get(part);
      return rule?.source.includes('ORGANIZATION')
        ? [{ ...ends, ...said, predicate: rule.predicate, raw: part ?? '' }]
        : [];
    });
    return [{ source, target, ...said, predicate, raw: `${noun} between` }, ...parts.slice(0, 1)];
  });
}

/** "lease between", "Agreement is made by and between" */
function betweenAt(view: SentenceView, noun: number): number | undefined {
  // "There is broad agreement between …" is none that anybody signed.
  const isView = /^(?:is|was|be|been)$/.test(view.lower(phraseStart(view, noun) - 1));
  if (view.lower(noun + 1) === 'between')
    return isView && !/^(?:an?|the)$/.test(view.lower(phraseStart(view, noun))) ? undefined : noun + 1;
  const at = view.tokens.findIndex(({ lower }, index) => index > noun && lower === 'between');
  const words = view.tokens.slice(noun + 1, Math.max(at, 0)).map(({ lower }) => lower);
  const isFormal =
    words.some((word) => /^(?:entered|made|concluded|signed)$/.test(word)) ||
    words.slice(-2).join(' ') === 'by and' ||
    // "This agreement is between", 'This agreement (the "Agreement") is between'
    (words.at(-1) === 'is' && /^(?:agreement|contract|lease|this|\))$/.test(view.lower(at - 2)));
  return at > 0 && isFormal && !view.refs.some(({ start }) => start > noun && start < at) ? at : undefined;
}

/** The other party, behind what describes the first: 'Acme Ltd, a company of Oslo ("Supplier"), and Globex'. */
function otherParty(view: SentenceView, { end }: Ref): Ref | undefined {
  const isDescribed = /^[(,]$/.test(view.lower(end));
  let depth = 0;
  for (let at = end; at < end + partyTokensMax; at += 1) {
    const lower = view.lower(at);
    if (lower === '(') depth += 1;
    if (lower === ')') depth -= 1;
    if (depth > 0 || lower !== 'and') continue;
    const ref = partyAt(view, at + 1);
    if ((ref && ref.entity.type !== 'LOCATION') || !isDescribed) return ref;
  }
  return undefined;
}

/** A company with or without "the", or a person with or without a title. */
function partyAt(view: SentenceView, at: number): Ref | undefined {
  return view.nameAt(at) ?? namedAt(view, at);
}

/** What a contract calls a party: "Supplier". */
function partOf(view: SentenceView, from: number, to: number): string | undefined {
  for (let at = from + 1; at < to; at += 1)
    if (/^["“”]$/.test(view.lower(at - 1)) && /^["“”]$/.test(view.lower(at + 1))) return view.lower(at);
  return undefined;
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
