import { withoutTitles } from './affiliations.js';
import { isAuthority } from './lexicon.js';

/** An end of a relation, as a field or line of a form names it. */
export interface FormEnd {
  readonly name: string;
  readonly type: 'PERSON' | 'ORGANIZATION' | 'LOCATION' | 'PRODUCT';
}

const listedMax = 20;

/** The names that a field lists: "Globex, Initech and Hooli", "Anna Berg (CEO)". */
export function listedNames(value: string): string[] {
  return value
    .replace(/ \([^)]*\)/g, '')
    .split(/\s*[,;]\s+(?:and )?|\s+and\s+/)
    .slice(0, listedMax);
}

/** An end that is a person; titles are removed. */
export const personOf = (name: string): FormEnd => ({ name: withoutTitles(name).join(' '), type: 'PERSON' });
/** An end that is an organization, or the place whose authorities are one: "City of Utrecht". */
export const organizationOf = (name: string): FormEnd => ({
  // As sentences name it: "the Calder Foundation".
  name: name.replace(/^The (?=\S+ )/, ''),
  type: isAuthority(name) ? 'LOCATION' : 'ORGANIZATION',
});
