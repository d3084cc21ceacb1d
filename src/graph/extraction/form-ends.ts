import { withoutTitles } from './affiliations.js';

/** What a field or a line of a form names. */
export interface FormEnd {
  readonly name: string;
  readonly type: 'PERSON' | 'ORGANIZATION' | 'LOCATION' | 'PRODUCT';
}

export const personOf = (name: string): FormEnd => ({ name: withoutTitles(name).join(' '), type: 'PERSON' });
export const organizationOf = (name: string): FormEnd => ({ name, type: 'ORGANIZATION' });
