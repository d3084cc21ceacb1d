import { isCapitalized, isPersonName, isRolePhrase, isSureOrganization, plain } from './affiliations.js';
import { isDepartment, isFirstName, kindOf, placeEnds } from './lexicon.js';
import { isEnglishWord } from './reader.js';

// What the values of fields may be.

const nothing =
  /^(?:n\/?a|none|no|yes|not .*|other|private|self(?:[- ]employed)?|freelanc\w*|independent|various|unknown|unemployed|student|retired|confidential|tba|tbd)$/i;

/** Whether a post's label names this person. Accepts also "Demelza Hocking", whose surname is a word. */
export function isHolder(name: string): boolean {
  if (isPersonName(name)) return true;
  const words = name.split(' ');
  return (
    words.length === 2 &&
    words.every((word) => /^\p{Lu}\p{Ll}{2,}$/u.test(word)) &&
    !isEnglishWord(plain(words[0] ?? '')) &&
    kindOf(plain(words[0] ?? '')) === undefined &&
    !isSureOrganization(name) &&
    !isRolePhrase(words[1] ?? '')
  );
}

/** "Nowak, Paweł": a name in the order in which it is spoken; other values as they are. */
export function inSpokenOrder(value: string): string {
  const [, surname = '', given = ''] = /^([^,]+), ([^,]+)$/.exec(value) ?? [];
  const spoken = `${given} ${surname}`;
  const isOther = isPersonName(surname) || isRolePhrase(given) || isSureOrganization(given);
  const mayBeGiven = /^(?:first|last)$/.test(kindOf(given.toLowerCase()) ?? 'first');
  return given !== '' && mayBeGiven && !isOther && isPersonName(spoken) ? spoken : value;
}

/** Whether the value of a company label may be one. */
export function isNamedOrganization(text: string): boolean {
  if (!isCapitalized(text) || nothing.test(text)) return false;
  if (isSureOrganization(text)) return true;
  const lower = text.toLowerCase();
  const words = lower.split(' ');
  if (/^(?:place|region|first|last|demonym)$/.test(kindOf(lower) ?? '')) return false;
  if (isRolePhrase(text) || isDepartment(words)) return false;
  return !(isFirstName(words[0] ?? '') && isPersonName(text));
}

/** Whether the value of a field for companies may be one, even the name of a place or person: "Company: Navan". */
export function isEmployer(text: string): boolean {
  const isOther = /^(?:place|first|last)$/.test(kindOf(text.toLowerCase()) ?? '');
  return isNamedOrganization(text) || (isOther && isCapitalized(text) && !nothing.test(text));
}

/** Whether a name looks like a product's: "HaldenSense", not "Dairy". */
export function isProductName(text: string): boolean {
  const words = text.split(' ');
  return (
    words.length <= 3 &&
    words.every((word) => /^[\p{Lu}\d]/u.test(word)) &&
    words.some(
      (word) =>
        /\p{Ll}\p{Lu}/u.test(word) || (!isEnglishWord(plain(word)) && kindOf(plain(word)) === undefined),
    )
  );
}

/** Whether a text looks like a place: "Umeå", "New York"; not a street, a number or "Remote". */
export function isPlaceName(text: string): boolean {
  const words = text.split(' ');
  const lower = text.toLowerCase();
  if (isEnglishWord(lower) && !/^(?:place|region)$/.test(kindOf(lower) ?? '')) return false;
  const [last = ''] = words.slice(-1);
  const isStreet = words.length > 1 && placeEnds.has(plain(last)) && kindOf(text.toLowerCase()) === undefined;
  return words.length <= 3 && !isStreet && words.every((word) => /^\p{Lu}[\p{L}.'’-]+$/u.test(word));
}
