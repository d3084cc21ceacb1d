import { isCapitalized, isPersonName, isSureOrganization, withoutTitles } from './affiliations.js';
import type { Affiliation } from './affiliations.js';
import { unmarked } from './form-blocks.js';
import { foreignOrganizations, isDepartment, kindOf } from './lexicon.js';

const lineCharactersMax = 600;
/** What lines of authors end with. */
const ending = /[)\d*†‡§¹²³⁴⁵⁶]\s*$/u;
/** "Ana Petrovska1,2*" */
const numbered = /^([\p{L}\p{M}.'’ -]+?)((?:\d,?)+)[*†‡§]*$/u;
/** "1 University of Ljubljana, Slovenia", "(2) Institut Pasteur" */
const institute = /^[([]?(\d)[)\].:]?\s*(\p{Lu}.+?)[.;]?$/u;
const part = /^(?:department|dept\.?|division|faculty|institute|laboratory|school|section|unit) (?:of|for) /i;
const bracketed = /^([^()]+) \(([^()]+)\)$/;
const between = /,?\s+and\s+|,\s+/;

/**
 * Where the authors of a paper work, as the lines below its title say: "Niamh Tierney (Trinity College), Arjun
 * Bhatt (TomTom)"; or by numbers behind the names, and before the institutes on lines of their own.
 */
export function readBylines(lines: readonly string[]): Affiliation[] {
  if (!lines.some((line) => ending.test(line))) return [];
  const plain = lines.map((line) => unmarked(line).replace(/[¹²³⁴⁵⁶]/g, (digit) => digit.normalize('NFKC')));
  const institutes = new Map(
    plain.flatMap((line): [string, string][] => {
      const [, number, name = ''] = institute.exec(line) ?? [];
      const organization = instituteOf(name);
      return number === undefined || organization === undefined ? [] : [[number, organization]];
    }),
  );
  return plain.flatMap((line) => {
    if (line.length > lineCharactersMax || !ending.test(line)) return [];
    const entries = line.split(between);
    return [
      ...inBrackets(entries, line),
      ...(institutes.size > 0 ? byNumber(entries, institutes, line) : []),
    ];
  });
}

function inBrackets(entries: readonly string[], text: string): Affiliation[] {
  const read = entries.map((entry) => bracketed.exec(entry));
  const names = read.map((each) => each?.[1] ?? '');
  const places = read.map((each) => each?.[2] ?? '');
  const areAuthors = entries.length > 1 && names.every(isPersonName);
  if (!areAuthors || !places.some(isSureOrganization) || !places.every(mayBeInstitute)) return [];
  return names.map((name, at) => affiliationAt(name, places[at] ?? '', text));
}

function byNumber(
  entries: readonly string[],
  institutes: ReadonlyMap<string, string>,
  text: string,
): Affiliation[] {
  const read = entries.map((entry) => numbered.exec(entry.trim()));
  if (!read.every((each) => each !== null && isPersonName(each[1]?.trim() ?? ''))) return [];
  return read.flatMap((each) =>
    (each?.[2] ?? '').split(',').flatMap((number) => {
      const organization = institutes.get(number);
      return organization === undefined ? [] : [affiliationAt(each?.[1]?.trim() ?? '', organization, text)];
    }),
  );
}

const affiliationAt = (name: string, organization: string, text: string): Affiliation => ({
  person: withoutTitles(name).join(' '),
  role: 'at',
  organization,
  text,
});

/** The university or company of an address, not its department: "Dept. of Physics, Oslo University, Norway". */
function instituteOf(address: string): string | undefined {
  const [first = '', ...others] = address.split(/,\s+/);
  const sure = [first, ...others].filter(isSureOrganization);
  return (
    sure.find((name) => !part.test(name)) ??
    sure[0] ??
    (others.length > 0 && mayBeInstitute(first) ? first : undefined)
  );
}

function mayBeInstitute(name: string): boolean {
  const [first = ''] = name.toLowerCase().split(' ');
  if (isSureOrganization(name) || foreignOrganizations.has(first)) return true;
  const lower = name.toLowerCase();
  const isOther =
    /^(?:place|region|first|last|demonym)$/.test(kindOf(lower) ?? '') || isDepartment(lower.split(' '));
  return isCapitalized(name) && !isOther && !isPersonName(name);
}
