import { addToList } from '../../lib/add-to-list.js';
import { isCapitalized, isPersonName, isSureOrganization } from './affiliations.js';
import { findDates } from './dates.js';
import { listedNames, organizationOf, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import { termLabel } from './form-labels.js';
import { isRole } from './lexicon.js';

interface PartyField {
  readonly label: string;
  readonly value: string;
}

/** A relation between two parties. */
export interface PartyFact {
  readonly source: FormEnd;
  readonly target: FormEnd;
  readonly predicate: string;
  readonly raw: string;
  readonly time?: string;
}

/** The two parties of a contract or case by their labels, and the relation of the first to the second. */
const parties: readonly (readonly [one: RegExp, other: RegExp, predicate: string])[] = [
  [/^(?:landlord|landlady|lessor)$/i, /^(?:tenants?|lessees?)$/i, 'landlord_of'],
  [/^lender$/i, /^borrowers?$/i, 'lender_of'],
  [/^(?:supplier|vendor)$/i, /^(?:customer|client|buyer|purchaser)$/i, 'supplies'],
  [/^(?:contractor|service provider|provider)$/i, /^(?:customer|client)$/i, 'has_agreement_with'],
  [
    /^(?:party a|first party|disclosing party)$/i,
    /^(?:party b|second party|receiving party)$/i,
    'has_agreement_with',
  ],
  [/^sellers?$/i, /^(?:buyer|purchaser)$/i, 'sold_to'],
  [/^licensor$/i, /^licensee$/i, 'has_agreement_with'],
  [/^employee$/i, /^employer$/i, 'works_for'],
  [/^(?:funder|donor)$/i, /^(?:grantee|beneficiary)$/i, 'funds'],
  [/^(?:claimant|plaintiff)s?$/i, /^defendants?$/i, 'sued'],
  [/^(?:gp|(?:family |referring )?doctor)$/i, /^patient(?: name)?$/i, 'doctor_of'],
  [/^(?:consultant|surgeon|attending physician)$/i, /^patient(?: name)?$/i, 'doctor_of'],
];
/** On an invoice, who sends it and who is to pay. */
const invoice = [
  /^(?:from|seller|supplier|vendor|billed by|issued by)$/i,
  /^(?:(?:bill(?:ed)?|invoiced?|sold) )?to$|^(?:customer|client|buyer)$/i,
] as const;
const partyLabels = [...parties.flatMap(([one, other]) => [one, other]), ...invoice];
const billing = /^(?:bill(?:ed)?|invoiced) to$/i;
const invoiceTitle = /^\W*(?:(?:tax|sales|commercial|pro[- ]?forma) )?invoice\b/i;
/** Mails have "From" and "To" as well. */
const letterLabel = /^(?:b?cc|reply-to|sent|subject)$/i;
const invoiceHeadLines = 12;
const invoiceDate = /^(?:invoice )?date$|^date of (?:issue|invoice)$/i;

/** Whether a label is of a party to a contract, case or invoice: "Landlord", "Bill to". */
export function isPartyLabel(label: string): boolean {
  return label !== '' && partyLabels.some((pattern) => pattern.test(label));
}

/**
 * Relations between the parties of a contract, by field: "Landlord: Dart Estates Ltd. Tenant:
 * Adeyemi Boats, owner Piers Adeyemi."
 */
export function partyFacts<Field extends PartyField>(fields: readonly Field[]): Map<Field, PartyFact[]> {
  const facts = new Map<Field, PartyFact[]>();
  const time = termOf(fields);
  for (const [one, other, predicate] of parties) {
    const [source, ...sources] = fields.filter(({ label }) => one.test(label));
    const [target, ...targets] = fields.filter(({ label }) => other.test(label));
    if (!source || !target || sources.length + targets.length > 0) continue;
    const between = pairsOf(source, target, { predicate, ...time });
    const [pair] = between;
    if (!pair) continue;
    for (const fact of [...between, ...holdersOf(source, pair.source)]) addToList(facts, source, fact);
    for (const fact of holdersOf(target, pair.target)) addToList(facts, target, fact);
  }
  return facts;
}

/** What an invoice says of who billed whom: "From: Orrin Ltd", "Bill to: Tallis GmbH", or the letterhead for the sender. */
export function invoiceFacts<Field extends PartyField>(
  fields: readonly Field[],
  { lines, title }: { readonly lines: readonly string[]; readonly title: string },
): Map<Field, PartyFact[]> {
  const facts = new Map<Field, PartyFact[]>();
  if (fields.length === 0) return facts;
  const head = lines.filter((line) => line.trim() !== '').slice(0, invoiceHeadLines);
  const [letterhead = ''] = head;
  const isLetter = fields.some(({ label }) => letterLabel.test(label));
  if (isLetter || ![title, ...head].some((line) => invoiceTitle.test(line))) return facts;
  const [from, to] = invoice.map((pattern) => fields.filter(({ label }) => pattern.test(label)));
  const billed = to?.filter(({ label }) => billing.test(label)) ?? [];
  const [target, ...targets] = billed.length > 0 ? billed : (to ?? []);
  const own = isSureOrganization(letterhead.trim()) ? [{ label: 'from', value: letterhead.trim() }] : [];
  const [source, ...sources] = from && from.length > 0 ? from : own;
  if (!source || !target || sources.length + targets.length > 0) return facts;
  const dated = fields.find(({ label }) => invoiceDate.test(label));
  const [time] = findDates(dated?.value ?? '');
  facts.set(target, pairsOf(source, target, { predicate: 'invoiced', ...(time ? { time: time.text } : {}) }));
  return facts;
}

/** Since when a contract holds, as one of its fields says. */
export function termOf(fields: readonly PartyField[]): { readonly time?: string } {
  const [time] = fields.filter(({ label }) => termLabel.test(label)).flatMap(({ value }) => findDates(value));
  return time ? { time: time.text } : {};
}

function pairsOf(
  source: PartyField,
  target: PartyField,
  said: { readonly predicate: string; readonly time?: string },
): PartyFact[] {
  const raw = `${source.label}, ${target.label}`.toLowerCase();
  return partiesOf(source.value).flatMap((from) =>
    partiesOf(target.value)
      .filter(({ name }) => name !== from.name)
      .map((to) => ({ ...said, source: from, target: to, raw })),
  );
}

/** "Kwame Asante and Lucy Farrant", "Orrin Ltd, Leith" */
function partiesOf(value: string): FormEnd[] {
  const people = listedNames(value);
  if (people.length > 1 && people.every(isPersonName)) return people.map(personOf);
  const [name = ''] = value.replace(/ \([^)]*\)$/, '').split(/,\s+/);
  if (isSureOrganization(name)) return [organizationOf(name)];
  if (isPersonName(name) && !hasForm(name)) return [personOf(name)];
  return isCapitalized(name) ? [organizationOf(name)] : [];
}

/** "Arvo Medical OÜ": whether capitals end a name that is not written in them, as legal forms do that no list has. */
const hasForm = (name: string) =>
  / (?!(?:[KQ]C|MD|M[BP]|[CMO]BE)$)\p{Lu}{2,4}$/u.test(name) && /\p{Ll}/u.test(name);

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
