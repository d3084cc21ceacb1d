import { isPersonName, isSureOrganization } from './affiliations.js';
import { findDates } from './dates.js';
import { unmarked } from './form-blocks.js';
import { organizationOf, personOf } from './form-ends.js';
import { partyFacts } from './form-parties.js';
import type { PartyFact } from './form-parties.js';

interface Party {
  /** What the contract calls it: "Seller"; empty if it gives no name. */
  readonly label: string;
  readonly value: string;
}

const contract = /\b(?:agreement|contract|deed|lease|memorandum|tenancy)\b/i;
/** "THIS AGREEMENT is made on 9 March 2021 between:", "by and between" */
const opening =
  /^(?:by and )?(?:between|among):?$|\b(?:agreement|contract|deed|lease|made|entered into|memorandum)\b.*\b(?:between|among):?$/i;
const marks = /^(?:\(?\d{1,2}[.)]|\([a-z]\)|[-*•–])\s+/i;
const joining = /(?:^|[\s;,])and[,;]?$/i;
/** What follows a name in the same line: an address, a number, what it is called. */
const behindName = /,\s|\s+of\s+(?=\d)|\s+\(|;|\s+and$/;
/** "as Lender" */
const acting = /^as (?:the )?(\p{Lu}\p{L}+)$/u;
const called = /["“”](?:the )?(?:first |second |third )?([\p{L} ]{3,30}?)s?["“”]/iu;
const dating = /^(?:(?:effective|commencement) date|dated?)\b|\b(?:made|entered into)\b.{0,40}\bon\b/i;
const partyLinesMax = 30;

/** The relations between the parties of a contract that stand on lines of their own, below "between". */
export function readPartyLines(lines: readonly string[]): (PartyFact & { readonly text: string })[] {
  if (!lines.some((line) => contract.test(line))) return [];
  const plain = lines.map(unmarked);
  const at = plain.findIndex((line) => opening.test(line));
  if (at < 0) return [];
  const parties = partiesBelow(plain.slice(at + 1, at + 1 + partyLinesMax));
  const [first, ...others] = parties;
  if (!first || others.length === 0) return [];
  const pairs = parties.flatMap((one, index) => parties.slice(index + 1).map((other) => [one, other]));
  const byPart = pairs.flatMap((pair) => [...partyFacts(pair).values()].flat());
  const agreed = others.map((other) => ({
    source: endOf(first),
    target: endOf(other),
    predicate: 'has_agreement_with',
    raw: 'between',
  }));
  const [date] = plain.filter((line) => dating.test(line)).flatMap(findDates);
  const text = parties.map(({ value }) => value).join('\n');
  return (byPart.length > 0 ? byPart : agreed).map((fact) => ({
    ...fact,
    text,
    ...(date ? { time: date.text } : {}),
  }));
}

function partiesBelow(lines: readonly string[]): Party[] {
  const parties: Party[] = [];
  let isNext = true;
  for (const line of lines.filter((each) => each !== '')) {
    isNext ||= marks.test(line) || /^and\s/i.test(line);
    const text = line.replace(/^and\s+/i, '').replace(marks, '');
    const [head = ''] = text.split(behindName);
    // "GREENSHAW COUNCIL of Town Hall"
    const name = [head.split(' of ')[0] ?? '', head].find(isName);
    const isParty = name !== undefined;
    const isJoint = joining.test(line);
    if (isNext && !isParty && !isJoint) break;
    if (isNext && isParty) parties.push({ label: '', value: name });
    const [, label] = called.exec(text) ?? acting.exec(text) ?? [];
    const last = parties.at(-1);
    if (label !== undefined && last) parties[parties.length - 1] = { ...last, label };
    isNext = isJoint;
  }
  return parties;
}

const isName = (text: string) => isSureOrganization(text) || isPersonName(text);
const endOf = ({ value }: Party) => (isSureOrganization(value) ? organizationOf(value) : personOf(value));
