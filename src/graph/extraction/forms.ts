import {
  affiliationOf,
  contact,
  isPersonName,
  isRolePhrase,
  isSureOrganization,
  partsOf,
} from './affiliations.js';
import { blocksOf, isOwned, isPart, listed, partsOfLabel, subjectOf, withoutMarks } from './form-blocks.js';
import type { Block, Field } from './form-blocks.js';
import { listedNames, organizationOf, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import { accountLabel, companyLabelOf, fieldKindOf, livingLabel, postLabel } from './form-labels.js';
import type { FieldKind } from './form-labels.js';
import { invoiceFacts, partyFacts, termOf } from './form-parties.js';
import { signatoryCompany } from './form-signatures.js';
import { isEmployer, isHolder, isNamedOrganization, isPlaceName, isProductName } from './form-values.js';
import { kindOf } from './lexicon.js';
import { serviceFacts } from './service-records.js';

/** A relation that a form states. */
export interface FormFact {
  readonly source: FormEnd;
  readonly target: FormEnd;
  readonly predicate: string;
  readonly raw: string;
  /** The fields that state it. */
  readonly text: string;
  readonly time?: string;
}

/** What is known of the text around a form. */
interface FormFrame {
  readonly headings?: readonly string[];
  readonly title?: string;
  /** The organization whose document it is. */
  readonly organization?: string | undefined;
}

/**
 * The relations that labelled fields state ("Name: Jane Roe", "Title: CFO", "Company:
 * Acme Ltd"), and the other lines.
 */
export function readForms(
  lines: readonly string[],
  { headings = [], title = '', organization }: FormFrame,
): { readonly found: readonly FormFact[]; readonly rest: readonly string[] } {
  const found: FormFact[] = [];
  const rest = [...lines];
  const blocks = blocksOf(lines, headings, organization ?? subjectOf(title));
  const fields = blocks.flatMap((block) => block.fields);
  const billed = invoiceFacts(fields, { lines, title });
  const lists = { organization, heading: headings.at(-1) ?? '' };
  found.push(...listFacts(lines, organization));
  for (const block of blocks) {
    const used = new Set<Field>();
    const facts = [
      ...withText(block, billed, used),
      ...rowFacts(block, lists, used),
      ...personFacts(block, used),
      ...companyFacts(block, used),
      ...ownedFacts(block, used),
      ...contactFacts(block, used),
      ...systemFacts(block, used),
      ...contractFacts(block, used),
    ];
    found.push(...facts);
    for (const line of new Set([...used].map((each) => each.line)))
      rest[line] = block.fields
        .filter((each) => each.line === line && !used.has(each))
        .map(({ text }) => text)
        .join('\n');
  }
  return { found, rest };
}

/** Relations of the people in a block: to the company and manager of their record, and to their home. */
function personFacts({ fields, heading }: Block, used: Set<Field>): FormFact[] {
  const starts = fields.find(({ kind }) => kind === 'person' || kind === 'company')?.kind;
  const signedFor = signatoryCompany(fields, heading);
  return recordsOf(fields, starts).flatMap((record) => {
    const [company, ...otherCompanies] = record.filter(({ kind }) => kind === 'company');
    const persons = record.filter(({ kind, value }) => kind === 'person' && isPersonName(value));
    const facts: FormFact[] = [];
    for (const person of persons) {
      const after = record.slice(record.indexOf(person));
      const role = persons.length > 1 ? after.find(isRoleField) : record.find(isRoleField);
      const stated = company && isEmployer(company.value) ? company.value : undefined;
      const employer = company ? stated : signedFor;
      if (employer !== undefined && otherCompanies.length === 0)
        facts.push(
          factOf([person, ...(role ? [role] : []), ...(company ? [company] : [])], used, {
            source: personOf(person.value),
            target: organizationOf(employer),
            predicate: 'works_for',
            raw: role?.value ?? 'at',
            ...(persons.length === 1 ? termOf(record) : {}),
          }),
        );
      const home = record.find(({ kind }) => kind === 'home');
      if (home && persons.length === 1) facts.push(...homeFacts(person, home, used));
      const manager = record.find(({ kind, value }) => kind === 'manager' && isPersonName(headOf(value)));
      if (manager && persons.length === 1)
        facts.push(
          factOf([person, manager], used, {
            source: personOf(person.value),
            target: personOf(headOf(manager.value)),
            predicate: 'reports_to',
            raw: manager.label.toLowerCase(),
          }),
        );
    }
    return facts;
  });
}

/** "Graham Toller, Operations Director": the name alone. */
const headOf = (value: string) => partsOf(value)[0] ?? '';

/** "City: Ghent" beside somebody's name */
function homeFacts(person: Field, home: Field, used: Set<Field>): FormFact[] {
  const predicate = livingLabel.test(home.label) ? 'lives_in' : 'based_in';
  return placesOf(home, personOf(person.value), predicate).map((fact) => factOf([person, home], used, fact));
}

/** "Depends on: billing-api" under the name of a service */
function systemFacts({ fields, heading }: Block, used: Set<Field>): FormFact[] {
  return [...serviceFacts(fields, heading)].flatMap(([each, facts]) => {
    used.add(each);
    return facts.map((fact) => ({ ...fact, text: `${heading}\n${each.text}`.trim() }));
  });
}

/** "Landlord: …", "Tenant: …" */
function contractFacts(block: Block, used: Set<Field>): FormFact[] {
  return withText(block, partyFacts(block.fields), used);
}

/** What is said of the fields of a block, with its text. */
function withText(
  { fields }: Block,
  facts: ReadonlyMap<Field, readonly Omit<FormFact, 'text'>[]>,
  used: Set<Field>,
): FormFact[] {
  const text = fields.map((each) => each.text).join('\n');
  return fields.flatMap((each) => {
    const own = facts.get(each);
    if (own) used.add(each);
    return (own ?? []).map((fact) => ({ ...fact, text }));
  });
}

/** A row of a table "Subsidiaries" in the report of a company: "Company: Varga Kft; Country: Hungary" */
function rowFacts(
  { fields, heading }: Block,
  { organization, heading: section }: { organization: string | undefined; heading: string },
  used: Set<Field>,
): FormFact[] {
  const [company, ...others] = fields.filter(({ kind }) => kind === 'company');
  const label = [heading, section].find((each) => companyLabelOf(labelOf(each))?.type === 'ORGANIZATION');
  if (organization === undefined || label === undefined || !company || others.length > 0) return [];
  return statedOf({ label: labelOf(label), value: company.value }, organizationOf(organization)).map((fact) =>
    factOf([company], used, fact),
  );
}

/** "Group companies:" in the report of a company, with a company in each line of the list below */
function listFacts(lines: readonly string[], organization: string | undefined): FormFact[] {
  if (organization === undefined) return [];
  return lines.flatMap((line, at): FormFact[] => {
    const label = labelOf(withoutMarks(line));
    if (companyLabelOf(label)?.type !== 'ORGANIZATION') return [];
    const after = lines.slice(at + 1);
    const list = after.slice(
      Math.max(
        after.findIndex((each) => each.trim() !== ''),
        0,
      ),
    );
    const end = list.findIndex((each) => !listed.test(each));
    const entries = list.slice(0, end < 0 ? list.length : end).map((each) => partsOf(each)[0] ?? '');
    if (!entries.every(isSureOrganization)) return [];
    return entries.flatMap((value) =>
      statedOf({ label, value }, organizationOf(organization)).map((fact) => ({
        ...fact,
        text: `${label}: ${value}`,
      })),
    );
  });
}

const labelOf = (heading: string) => heading.replace(/:$/, '');

const isRoleField = ({ kind, value }: Field) => kind === 'role' && isRolePhrase(value);

function recordsOf(fields: readonly Field[], starts: FieldKind | undefined): Field[][] {
  const records: Field[][] = [];
  for (const each of fields) {
    if (records.length === 0 || each.kind === starts) records.push([]);
    records.at(-1)?.push(each);
  }
  return records;
}

/** Relations of a company: the block's only one, or the one in its heading. */
function companyFacts({ fields, heading }: Block, used: Set<Field>): FormFact[] {
  const [company, ...others] = fields.filter(({ kind }) => kind === 'company');
  // "Location" alone under a heading may be that of anything.
  const stated = fields.filter(
    ({ label, kind }) =>
      postLabel.test(label) ||
      accountLabel.test(label) ||
      companyLabelOf(label) ||
      (company && kind === 'home'),
  );
  if (stated.length === 0 || fields.some(({ kind }) => kind === 'person')) return [];
  const isHeading =
    isSureOrganization(heading) ||
    (stated.length > 1 && isNamedOrganization(heading) && !isPersonName(heading) && !isPart(heading));
  const subject = company ? company.value : isHeading ? heading : '';
  if (others.length > 0 || subject === '' || !(company ? isEmployer : isNamedOrganization)(subject))
    return [];
  return stated.flatMap((each) => {
    const text = `${company?.text ?? heading}\n${each.text}`;
    const facts = statedOf(each, organizationOf(subject)).map((fact) => ({ ...fact, text }));
    if (facts.length > 0) used.add(each);
    if (facts.length > 0 && company) used.add(company);
    return facts;
  });
}

/** "Customers of Nimbus: Globex, Initech" */
function ownedFacts({ fields }: Block, used: Set<Field>): FormFact[] {
  return fields.flatMap((each) => {
    const [label, owner] = partsOfLabel(each.label);
    if (!isOwned(each.label)) return [];
    const facts = statedOf({ ...each, label }, organizationOf(owner));
    if (facts.length > 0) used.add(each);
    return facts.map((fact) => ({ ...fact, text: each.text }));
  });
}

/** "Bergen, Norway": relates the subject to the place, and the place to its region. */
function placesOf(
  { label, value }: Pick<Field, 'label' | 'value'>,
  subject: FormEnd,
  predicate: string,
): Omit<FormFact, 'text'>[] {
  const [place = '', region = ''] = value.split(/,\s+/);
  if (!isPlaceName(place)) return [];
  const target: FormEnd = { name: place, type: 'LOCATION' };
  const within: FormEnd = { name: region, type: 'LOCATION' };
  const isKnown = kindOf(region.toLowerCase()) === 'region' && region !== place;
  return [
    { source: subject, target, predicate, raw: label.toLowerCase() },
    ...(isKnown ? [{ source: target, target: within, predicate: 'located_in', raw: ',' }] : []),
  ];
}

function statedOf(
  { label, value }: Pick<Field, 'label' | 'value'>,
  subject: FormEnd,
): Omit<FormFact, 'text'>[] {
  const raw = label.toLowerCase();
  const rule = companyLabelOf(label);
  if (!rule && fieldKindOf(label) === 'home') return placesOf({ label, value }, subject, 'based_in');
  if (rule?.type === 'LOCATION') return placesOf({ label, value }, subject, rule.predicate);
  const names = listedNames(value);
  if (rule) {
    const isProduct = rule.type === 'PRODUCT';
    if (!names.every(isProduct ? isProductName : isNamedOrganization)) return [];
    return names
      .map((name) => (isProduct ? { name, type: rule.type } : organizationOf(name)))
      .filter(({ name }) => name !== subject.name)
      .map((other) =>
        rule.isOfSubject
          ? { source: subject, target: other, predicate: rule.predicate, raw }
          : { source: other, target: subject, predicate: rule.predicate, raw },
      );
  }
  if (!names.every(isHolder)) return [];
  const isFounder = /^(?:co-?)?founders?\b|^founded by$/i.test(label);
  const predicate = isFounder ? 'founded' : accountLabel.test(label) ? 'account_manager_of' : 'works_for';
  return names.map((name) => ({ source: personOf(name), target: subject, predicate, raw }));
}

/** "Customer: Acme Ltd", "Contact: Jane Roe"; "Contact: Jane Roe, Acme Ltd" */
function contactFacts({ fields }: Block, used: Set<Field>): FormFact[] {
  let organization: Field | undefined;
  return fields.flatMap((each): FormFact[] => {
    if (each.kind === 'company' || each.kind === 'party') organization = each;
    const isContact = each.kind === 'contact';
    if (!isContact && !isRolePhrase(each.label)) return [];
    const [name = '', ...others] = partsOf(each.value);
    if (!isPersonName(name)) return [];
    const rest = others.filter((part) => !contact.test(part));
    const [first = ''] = rest;
    const own = affiliationOf(name, rest, each.text);
    const named = own?.organization ?? (rest.length === 1 && isNamedOrganization(first) ? first : undefined);
    const raw = own ? own.role : each.label.toLowerCase();
    if (named !== undefined)
      return [
        factOf([each], used, {
          source: personOf(name),
          target: organizationOf(named),
          predicate: 'works_for',
          raw,
        }),
      ];
    if (!isContact || (rest.length > 0 && !own) || !organization || !isNamedOrganization(organization.value))
      return [];
    return [
      factOf([organization, each], used, {
        source: personOf(name),
        target: organizationOf(organization.value),
        predicate: 'works_for',
        raw,
      }),
    ];
  });
}

function factOf(fields: readonly Field[], used: Set<Field>, fact: Omit<FormFact, 'text'>): FormFact {
  const ordered = [...fields].sort((a, b) => a.line - b.line);
  for (const each of fields) used.add(each);
  return { ...fact, text: ordered.map(({ text }) => text).join('\n') };
}
