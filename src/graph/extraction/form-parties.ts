import { isCapitalized, isPersonName, isSureOrganization } from './affiliations.js';
import { organizationOf, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import { isRole } from './lexicon.js';

interface PartyField {
  readonly label: string;
  readonly value: string;
}

interface PartyFact {
  readonly source: FormEnd;
  readonly target: FormEnd;
  readonly predicate: string;
  readonly raw: string;
}

/** The two parties of a contract by their labels, and the relation of the first to the second. */
const parties: readonly (readonly [one: RegExp, other: RegExp, predicate: string])[] = [
  [/^(?:landlord|landlady|lessor)$/i, /^(?:tenant|lessee)$/i, 'landlord_of'],
  [/^lender$/i, /^borrower$/i, 'lender_of'],
  [/^(?:supplier|vendor)$/i, /^(?:customer|client|buyer|purchaser)$/i, 'supplies'],
  [/^employee$/i, /^employer$/i, 'works_for'],
];

/**
 * Relations between the parties of a contract, by field: "Landlord: Dart Estates Ltd. Tenant:
 * Adeyemi Boats, owner Piers Adeyemi."
 */
export function partyFacts<Field extends PartyField>(fields: readonly Field[]): Map<Field, PartyFact[]> {
  const facts = new Map<Field, PartyFact[]>();
  for (const [one, other, predicate] of parties) {
    const [source, ...sources] = fields.filter(({ label }) => one.test(label));
    const [target, ...targets] = fields.filter(({ label }) => other.test(label));
    if (!source || !target || sources.length + targets.length > 0) continue;
    const ends = [partyOf(source.value), partyOf(target.value)];
    const [from, to] = ends;
    if (!from || !to || from.name === to.name) continue;
    const raw = `${source.label}, ${target.label}`.toLowerCase();
    facts.set(source, [{ source: from, target: to, predicate, raw }, ...holdersOf(source, from)]);
    facts.set(target, holdersOf(target, to));
  }
  return facts;
}

function partyOf(value: string): FormEnd | undefined {
  const [name = ''] = value.split(/,\s+/);
  if (isSureOrganization(name)) return organizationOf(name);
  if (isPersonName(name)) return personOf(name);
  return isCapitalized(name) ? organizationOf(name) : undefined;
}

/** "Adeyemi Boats, owner Piers Adeyemi": the people with posts in a party. */
function holdersOf({ value }: PartyField, party: FormEnd): PartyFact[] {
  if (party.type !== 'ORGANIZATION') return [];
  return value
    .split(/,\s+/)
    .slice(1)
    .flatMap((part): PartyFact[] => {
      const [, post = '', name = ''] = /^((?:\p{Ll}+ ){1,3})(\p{Lu}.+)$/u.exec(part) ?? [];
      const role = post.trim();
      if (!isRole(role.split(' ').at(-1) ?? '') || !isPersonName(name)) return [];
      const predicate = /(?:^| )(?:owner|proprietor)$/.test(role) ? 'owns' : 'works_for';
      return [{ source: personOf(name), target: party, predicate, raw: role }];
    });
}
