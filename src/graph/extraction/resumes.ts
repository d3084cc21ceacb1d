import {
  contact,
  isCapitalized,
  isPersonName,
  isSureOrganization,
  plain,
  withoutTitles,
} from './affiliations.js';
import { organizationOf, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import type { FormFact } from './forms.js';
import { calendarWords, isFirstName, isRole, kindOf } from './lexicon.js';

const lineCharactersMax = 140;
const headLinesMax = 6;
const roleWordsMax = 7;
const bullet = /^\s*(?:[-*•+–]|#{1,6})\s+|\*\*/g;
const month = '(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.? |\\d{1,2}[/.])?';
const year = `${month}(?:19|20)\\d\\d`;
const span = `${year}(?: ?(?:[-–—]|to) ?(?:${year}|present|now|today|current|ongoing))?`;
/** "2019–2022: Designer, Fjordline", "Jan 2021 – present | …" */
const before = new RegExp(
  `^\\(?(${span})\\)?(?:\\s*(?:[:|,–—-]|\\s{2,}|\\t)\\s*|(?<=[-–—].*) )(\\p{L}.*)$`,
  'iu',
);
/** "Designer, Fjordline, 2019 - 2022", "Designer, Fjordline (2019–2022)" */
const behind = new RegExp(`^(.*?\\S)\\s*(?:[|,–—-]|\\s{2,}|\\t|\\()\\s*(${span})\\)?$`, 'i');
/** The years on a line of their own. */
const alone = new RegExp(`^\\(?${span}\\)?$`, 'i');
const separator = /\s*[|•·\t]\s*|\s+[-–—]\s+|\s*,\s+|\s+(?:at|@)\s+/;
const degree =
  /^(?:(?:b|m)\.?(?:a|sc|eng|ed|phil|arch|tech)|ll\.?[bm]|mba|ph\.?d|dphil|bachelor|master|doctor(?:ate)?|diploma|licentiate|abitur|high school)\b/i;
const school = /\b(?:academ|college|eth|hochschule|institut|mit|polytechnic|school|sorbonne|universi|école)/i;
const section =
  /^(?:awards|career|(?:(?:professional|work|relevant) )?experience|(?:employment|work|career)(?: history)?|education|projects|publications|volunteering)(?: and [a-z]+)?:?$/i;
const heading =
  /^(?:curriculum vitae|r[eé]sum[eé]|cv)\b(?: (?:of|for))?[\s:–—-]*|[\s:–—-]*\b(?:curriculum vitae|r[eé]sum[eé]|cv)(?:\.\w{2,4})?$/gi;
const named = /^(?:full )?name:\s+(.+)$/i;

/**
 * The person whose CV a text may be: the one that its first line, a heading, a field "Name" or the title
 * consists of. Undefined if there is none.
 */
export function ownerOf(title: string, text: string, headings: readonly string[] = []): string | undefined {
  const lines = text
    .slice(0, lineCharactersMax * headLinesMax)
    .split('\n')
    .map((line) => line.replace(bullet, '').trim())
    .filter((line) => line !== '')
    .slice(0, headLinesMax);
  // "CURRICULUM VITAE" may stand on a line of its own.
  const first = lines.find((line) => line.replace(heading, '').trim() !== '') ?? '';
  const field = lines.map((line) => named.exec(line)?.[1] ?? '').find((value) => value !== '') ?? '';
  return [first, ...headings, field, title]
    .map((name) => name.replace(heading, '').trim())
    .find((name) => isPersonName(name) && isFirstNamed(name));
}

/** Whether a name contains no role: "Chief Editor" and "Software Engineer" name nobody. */
function isFirstNamed(name: string): boolean {
  const words = withoutTitles(name).map(plain);
  return !words.some((word) => isRole(word) && !isFirstName(word));
}

/**
 * The posts and degrees of a CV, from lines with years: "2019–2022: Senior Designer, Fjordline". If there
 * are any, also where the person lives. `rest` are the other lines.
 */
export function readResume(
  lines: readonly string[],
  owner: string | undefined,
): { readonly found: readonly FormFact[]; readonly rest: readonly string[] } {
  if (owner === undefined) return { found: [], rest: lines };
  const person = personOf(owner);
  const found: FormFact[] = [];
  const rest = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const entry = entryAt(lines, at, person);
    if (!entry) continue;
    found.push(entry.fact);
    rest.fill('', at, at + entry.size);
    at += entry.size - 1;
  }
  if (found.length === 0) return { found, rest: lines };
  return { found: [...found, ...homeOf(lines, person)], rest };
}

/** The post or degree of a line, or of one or two lines with its years on a line of their own below. */
function entryAt(
  lines: readonly string[],
  at: number,
  person: FormEnd,
): { readonly fact: FormFact; readonly size: number } | undefined {
  for (const size of [1, 2, 3]) {
    const entry = lines.slice(at, at + size).map((line) => line.replace(bullet, '').trim());
    const years = entry.pop() ?? '';
    if (entry.includes('') || entry.some((line) => section.test(line))) continue;
    const posted = size === 2 ? postBelow(entry[0] ?? '', years, person) : undefined;
    if (posted) return { fact: posted, size };
    if (size > 1 && !alone.test(years)) continue;
    const fact = readPost([...entry, years.replace(/^\((.*)\)$/, '$1')].join(', '), person);
    if (fact) return { fact: { ...fact, text: [...entry, years].join('\n') }, size };
  }
  return undefined;
}

/** "2021–now  Typewise Labs, Barcelona" with the post on the next line */
function postBelow(line: string, next: string, person: FormEnd): FormFact | undefined {
  const [, start = '', where = ''] = before.exec(line) ?? [];
  const fact = isPost(next) ? readPost(`${start}: ${next}, ${where}`, person) : undefined;
  return fact && { ...fact, text: `${line}\n${next}` };
}

function readPost(text: string, person: FormEnd): FormFact | undefined {
  if (text.length > lineCharactersMax) return undefined;
  const [, start, what] = before.exec(text) ?? [];
  const [, what2, end] = behind.exec(text) ?? [];
  const time = start ?? end;
  const parts = (what ?? what2 ?? '').split(separator).filter((part) => part !== '');
  if (time === undefined || parts.length < 2 || /[.;!?]$/.test(text)) return undefined;
  const said = studies(parts) ?? post(parts);
  if (!said || said.name === person.name) return undefined;
  const target = organizationOf(said.name);
  return { source: person, target, predicate: said.predicate, raw: said.raw, text, time };
}

interface Post {
  readonly name: string;
  readonly predicate: string;
  readonly raw: string;
}

/** "MSc Computer Science, Delft University of Technology", "Delft University of Technology, MSc" */
function studies(parts: readonly string[]): Post | undefined {
  const taken = parts.slice(0, 2).find((part) => degree.test(part));
  const name = parts.find((part) => part !== taken && isCapitalized(part) && school.test(part));
  return taken === undefined || name === undefined
    ? undefined
    : { name, predicate: 'studied_at', raw: taken };
}

/** "Senior Designer, Fjordline", "Fjordline – Senior Designer", "Fjordline, Oslo – Senior Designer" */
function post(parts: readonly string[]): Post | undefined {
  const [first = '', second = '', third = ''] = parts;
  const [role, name] = isPost(first)
    ? [first, second]
    : [isPlace(second) && isPost(third) ? third : second, first];
  if (!isPost(role) || isPost(name) || !isEmployer(name)) return undefined;
  return { name, predicate: 'works_for', raw: role };
}

function isPlace(part: string): boolean {
  return /^\p{Lu}/u.test(part) && /^(?:place|region)$/.test(kindOf(part.toLowerCase()) ?? '');
}

/**
 * Whether a text is a post: "UX Designer", "Head of Design", "Platform Lead". It may contain
 * words that are in no dictionary.
 */
function isPost(text: string): boolean {
  const words = text.split(/[\s/]+/);
  const [first = '', last = ''] = [words[0], words.at(-1)].map((word) => plain(word ?? ''));
  if (words.length > roleWordsMax || !words.every((word) => /^(?:[\p{L}&-][\p{L}'’.-]*)$/u.test(word)))
    return false;
  const isHead = /^(?:head|director|vp|president|member|manager)$/.test(first);
  return (
    isRole(last) ||
    /^(?:associate|c[efotimp]o|intern|lead|vp)$/.test(last) ||
    (isHead && /^(?:of|,)$/.test(words[1] ?? ''))
  );
}

function isEmployer(name: string): boolean {
  if (
    !isCapitalized(name) ||
    contact.test(name) ||
    (isPersonName(name) && isFirstName(plain(name.split(' ')[0] ?? '')))
  )
    return false;
  const lower = name.toLowerCase();
  const isTime = calendarWords.has(lower) || /\d{4}/.test(name);
  return isSureOrganization(name) || (!isTime && !/^(?:region|demonym)$/.test(kindOf(lower) ?? ''));
}

/** Where the person lives, from a line under the name: "Gothenburg, Sweden" or "Data Engineer, Rotterdam". */
function homeOf(lines: readonly string[], person: FormEnd): FormFact[] {
  const trimmed = lines.map((line) => line.replace(bullet, '').trim());
  const at = trimmed.findIndex((line) => line.includes(person.name));
  const below = at < 0 ? [] : trimmed.slice(at + 1, at + headLinesMax).filter((line) => line !== '');
  for (const text of below) {
    if (before.test(text) || behind.test(text)) break;
    const parts = text.split(separator);
    const from = parts.findIndex(isPlace);
    const others = parts.slice(0, Math.max(from, 0));
    const places = from < 0 ? [] : parts.slice(from);
    if (places.length === 0 || places.length > 2 || !places.every(isPlace) || !others.every(isPost)) continue;
    const [place = '', region] = places.map((name): FormEnd => ({ name, type: 'LOCATION' }));
    if (place === '') break;
    const home = { source: person, target: place, predicate: 'lives_in', raw: 'in', text };
    return region
      ? [home, { ...home, source: place, target: region, predicate: 'located_in', raw: ',' }]
      : [home];
  }
  return [];
}
