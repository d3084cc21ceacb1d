import { stopWords } from '../../text/stop-words.js';
import { splitLegalForm } from '../legal-forms.js';
import { foreignDepartments, foreignPosts } from './foreign/languages.js';
import {
  calendarWords,
  foreignOrganizations,
  isCommonWord,
  isDepartment,
  isFirstName,
  isRole,
  kindOf,
  mayBeFirstName,
  organizationEnds,
  titles,
  tradeEnds,
} from './lexicon.js';
import { isEnglishWord } from './reader.js';
import { hasWordSurname } from './word-names.js';

/**
 * A person's role, as a line of a list or the end of a letter gives it, with the
 * organization if that is named.
 */
export interface Affiliation {
  readonly person: string;
  readonly role: string;
  readonly organization: string | undefined;
  /** The lines that state it. */
  readonly text: string;
}

const lineCharactersMax = 120;
/** A line that ends like this is a sentence or a label, except with "Ltd." and other legal forms. */
const endsAsProse = (line: string) => /[.,;:?!]$/.test(line) && splitLegalForm(line) === undefined;
const wrappedCharactersMin = 40;
const officersLabel =
  /^\s*(?:attendees|board(?: of directors)?|directors|officers|participants|present|trustees):\s+/i;
const nameWordsMax = 4;
const roleWordsMax = 8;
const organizationWordsMax = 6;
const bullet = /^\s*(?:[-*•+–]|\d{1,3}[.)])\s+/;
/** Separates the parts of a line: "Anna Berg – CEO, Nimbus Systems", "Anna Berg (CEO)". */
const separator = /\s*[|•·]\s*|\s+[-–—]\s+|\s*,\s+|\s*\((?=[^)]*\)$)|\)$|:\s+/;
export const contact =
  /@|^(?:https?:|www\.)|^[+(\d][\d ()./-]{5,}$|^(?:m|t|p|tel|mob(?:ile)?|phone|e-?mail|direct)\b[.:]?/i;
/** Capitalised names that are no employers, such as teams and regions. */
const noOrganization =
  /(?:^team| (?:branch|department|division|headquarters|office|team|unit))$|^(?:team|department|division) |^(?:amer|anz|apac|dach|emea|latam|mena|nordics|uki?|us|usa|absent|apologies|guest|host|minutes|online|optional|phone|remote|virtual)$/i;
/** Labels of lists of people. */
const people =
  /^\W*(?:also present|approved by|assignee|attend(?:ees|ing)|authors?|contacts?|guests?|in attendance|interviewees?|panell?ists?|participants?|prepared by|present|raised by|reported by|reporter|request(?:ed by|er)|review(?:ed by|ers?)|speakers?|submitted by)\W{0,3}:/i;
const bracketed = /(\p{Lu}[\p{L}\p{M}'’.-]*(?: [\p{L}\p{M}'’.-]+){1,3}) \(([^()]{2,60})\)/gu;
const departmentAbbreviation = /^(?:IT|HR|QA|PR|R&D|UX|UI|AI|ML)$/;
const posts =
  /^(?:c[efotimp]o|ciso|[se]?vp|associate|bookkeeper|buyer|caseworker|chair|copywriter|handler|head|lead|paralegal|purchaser|registrar|surveyor)$/;

/**
 * The affiliations that lines state, and the lines, of which those that are nothing
 * but an affiliation are emptied.
 */
export function readAffiliations(
  lines: readonly string[],
  /** The organization that the item is of: people listed without one belong to it. */
  organization?: string,
): {
  readonly found: readonly Affiliation[];
  readonly rest: readonly string[];
} {
  const found: Affiliation[] = [];
  const rest: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [line = '', next = '', third = ''] = lines.slice(at, at + 3).map((each) => each.trim());
    const isCut = isWrapped(lines[at - 1] ?? '', next);
    const listed = isCut ? undefined : (readEntry(line) ?? readBlock(line, next, third));
    if (!listed) {
      found.push(...readPeople(line), ...readOfficers(line, organization));
      rest.push(lines[at] ?? '');
      continue;
    }
    found.push(listed);
    const { length } = listed.text.split('\n');
    // Lines are emptied, not removed, to keep the paragraphs around them apart.
    rest.push(...Array<string>(length).fill(''));
    at += length - 1;
  }
  return { found, rest };
}

/** Whether a line is part of running prose, judged by the lines around it. */
function isWrapped(before: string, next: string): boolean {
  const isOpen = before.trim().length >= wrappedCharactersMin && /[\p{L}\p{N},;]$/u.test(before.trim());
  return /^\p{Ll}/u.test(next) || (isOpen && !partsOf(before).slice(1).some(isRolePhrase));
}

/** "Anna Berg, Head of Platform, Nimbus Systems" */
function readEntry(line: string): Affiliation | undefined {
  if (line.length > lineCharactersMax || endsAsProse(line)) return undefined;
  const [name = '', ...others] = partsOf(line);
  return isPersonName(name) ? affiliationOf(name, others, line) : undefined;
}

/** A name, a role and perhaps a company, each on a line of its own. */
function readBlock(line: string, next: string, third: string): Affiliation | undefined {
  if (!isPersonName(line) || next.length > lineCharactersMax || endsAsProse(next)) return undefined;
  const own = affiliationOf(line, partsOf(next), `${line}\n${next}`);
  if (!own || own.organization !== undefined) return own;
  // "Globex GmbH | Hauptstraße 5 | 10119 Berlin"
  const [company = '', ...address] = partsOf(third);
  const isEmployer = address.length > 0 ? isSureOrganization(company) : isOrganization(third);
  return isEmployer
    ? { ...own, organization: address.length > 0 ? company : third, text: `${own.text}\n${third}` }
    : own;
}

/** The parts of a line, between bars, dashes or commas, without a bullet in front. */
export function partsOf(line: string): string[] {
  return line
    .replace(bullet, '')
    .replaceAll('**', '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** "Attendees: Anna Berg (CEO, Nimbus), Tom Larsen (Globex)" */
function readPeople(line: string): Affiliation[] {
  if (!people.test(line)) return [];
  return [...line.matchAll(bracketed)].flatMap(([, name = '', inside = '']): Affiliation[] => {
    if (!isPersonName(name)) return [];
    const own = affiliated(name, line);
    return [
      affiliationOf(name, partsOf(inside), line) ?? {
        ...own,
        organization: isOrganization(inside) ? inside : undefined,
      },
    ];
  });
}

/** "Sir Desmond Achterberg (chair), Yevgenia Lisko (chief executive)" in a report of their company */
function readOfficers(line: string, organization: string | undefined): Affiliation[] {
  if (organization === undefined || !line.includes('(')) return [];
  const listed = line.replace(officersLabel, '').split(/(?<=\)),\s+|,\s+(?=[^)]*(?:\(|$))/);
  const officers = listed.map((each) => /^([^()]+) \(([^()]+)\)$/.exec(each.trim()));
  const people = officers.flatMap((each) => {
    const [, name = '', role = ''] = each ?? [];
    return isPersonName(name) && isRolePhrase(role)
      ? [{ ...affiliated(name, line), role, organization }]
      : [];
  });
  return people.length > 1 && listed.every((each) => isPersonName(each.replace(/ \(.*$/, '').trim()))
    ? people
    : [];
}

const affiliated = (person: string, text: string) => ({
  person: withoutTitles(person).join(' '),
  role: 'at',
  text,
});

/**
 * The affiliation of a person, made of the parts behind the name. These must be a role and perhaps a
 * company, or a certain company alone; else undefined.
 */
export function affiliationOf(
  person: string,
  parts: readonly string[],
  text: string,
): Affiliation | undefined {
  const [first = '', ...others] = parts;
  const own = affiliated(person, text);
  if (others.length === 0 && isSureOrganization(first)) return { ...own, organization: first };
  const { role, organization: ofRole } = readPost(first);
  // "Anna Berg (Nimbus, CTO)"
  const [second = '', third] = others;
  if (third === undefined && isRolePhrase(second) && isOrganization(first))
    return { ...own, role: second, organization: first };
  if (!isRolePhrase(role)) return undefined;
  const rest = others.filter((part) => !contact.test(part) && !isPlainPart(part));
  const [organization, ...more] = ofRole === undefined ? rest : [ofRole, ...rest];
  if (more.length > 0 || (organization !== undefined && !isOrganization(organization))) return undefined;
  return { ...own, role, organization };
}

/** "Head of Sales at Nimbus", "CEO of Nimbus Systems" */
function readPost(text: string): { role: string; organization: string | undefined } {
  const [, role = text, organization] = /^(.+?) (?:at|@|with) (?:the )?(\p{Lu}.*)$/u.exec(text) ?? [];
  const [, held = '', owner = ''] = /^(.+?) of (?:the )?(.+)$/.exec(role) ?? [];
  if (
    organization === undefined &&
    isSureOrganization(owner) &&
    !isDepartment(owner.toLowerCase().split(' '))
  )
    return { role: held, organization: owner };
  return { role, organization };
}

/** "Sales", "Berlin", "co-founder": a part that names no employer. */
function isPlainPart(part: string): boolean {
  const lower = part.toLowerCase();
  return (
    isRolePhrase(part) ||
    isDepartment(lower.split(' ')) ||
    /^(?:place|region)$/.test(kindOf(lower) ?? '') ||
    noOrganization.test(part) ||
    /^(?:ex-|formerly |previously )/i.test(part)
  );
}

/** The words of a name, without titles in front. */
export function withoutTitles(name: string): string[] {
  const words = name.split(' ');
  return words.slice(words.findIndex((word) => !titles.has(plain(word))));
}

/** Whether a text is a whole name of a person: "Anna Berg", "Dr. Wei Zhang", "J. P. Ortega". */
export function isPersonName(text: string): boolean {
  const words = withoutTitles(text);
  const [first = '', last = ''] = [words[0], words.at(-1)].map((word) => word?.toLowerCase() ?? '');
  if (words.length < 2 || words.length > nameWordsMax) return false;
  if (
    !words.every(
      (word) =>
        /^\p{Lu}(?:\.|[\p{L}\p{M}'’-]*)$/u.test(word) || /^(?:de|van|von|der|da|di|bin|al)$/.test(word),
    )
  )
    return false;
  // "Anna Cook", "Mark Field", "Rose Young"
  const named = hasWordSurname(first, last) ? words.slice(0, -1) : words;
  if (named.some((word) => isPost(plain(word)) || organizationEnds.has(plain(word)))) return false;
  const isLast = !isEnglishWord(last) || kindOf(last) === 'last' || named !== words;
  return isFirstName(first) || (mayBeFirstName(first) && isLast) || (isLast && !isEnglishWord(first));
}

/** Whether a text is a role and nothing else: "Head of Platform", not "the head of it". */
export function isRolePhrase(text: string): boolean {
  const words = text.split(/[\s/]+/);
  if (
    /^(?:an?|the|former) /i.test(text) ||
    words.length > roleWordsMax ||
    !words.some((word) => isPost(plain(word)))
  )
    return false;
  return words.every((word) => {
    const lower = plain(word);
    if (departmentAbbreviation.test(word)) return true;
    if (/^(?:of|and|&|for|the|to|in|-)$/.test(lower) || isPost(lower)) return true;
    return (
      /^\p{L}[\p{L}-]*\.?$/u.test(word) &&
      !stopWords.has(lower) &&
      (isEnglishWord(lower) || isDepartment([lower]) || foreignDepartments.has(lower))
    );
  });
}

function isPost(lower: string): boolean {
  return posts.test(lower) || isRole(lower) || foreignPosts.has(lower);
}

/** Whether a text is certainly the name of an organization: "Globex Ltd", "University of Oslo". */
export function isSureOrganization(text: string): boolean {
  const words = text.split(' ').map(plain);
  const kind = kindOf(words.join(' '));
  if (!isCapitalized(text)) return false;
  if (kind !== undefined) return kind === 'organization';
  return (
    words.length > 1 &&
    !words.some(isPost) &&
    (organizationEnds.has(words.at(-1) ?? '') ||
      // "Yamato Transport"
      (words.length === 2 && tradeEnds.has(words[1] ?? '') && !isEnglishWord(words[0] ?? '')) ||
      foreignOrganizations.has(words.at(-1) ?? '') ||
      /^(?:university|bank) of /i.test(text))
  );
}

/**
 * Whether a capitalised text may be an organization where one is expected. It must not be a place, a person
 * or a role, nor consist of common words.
 */
function isOrganization(text: string): boolean {
  if (!isCapitalized(text)) return false;
  if (isSureOrganization(text)) return true;
  const words = text.split(' ').map(plain);
  if (kindOf(words.join(' ')) !== undefined || isDepartment(words)) return false;
  // "Backend Lead", "IT Operations Manager"
  if (isRolePhrase(text) || isPost(words.at(-1) ?? '')) return false;
  return !isPersonName(text) && !words.every((word) => isCommonWord(word) || stopWords.has(word));
}

/** Whether a text is written as names of organizations are: capitals, small joining words, no date or contact. */
export function isCapitalized(text: string): boolean {
  const words = text.split(' ');
  const isName = /^\p{Lu}/u.test(text) && !/[:;?!]$|\d{4}/.test(text) && words.length <= organizationWordsMax;
  return (
    isName &&
    !noOrganization.test(text) &&
    !contact.test(text) &&
    words.every(
      (word) => /^[\p{Lu}\d][^,]*$|^(?:of|and|for|the|plc|&)$/u.test(word) && !calendarWords.has(plain(word)),
    )
  );
}

/** A word in lower case, without the full stop or comma behind it. */
export function plain(word: string): string {
  return word.toLowerCase().replace(/[.,]$/, '');
}
