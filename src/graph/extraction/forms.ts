import {
  affiliationOf,
  contact,
  isPersonName,
  isRolePhrase,
  isSureOrganization,
  partsOf,
  plain,
} from './affiliations.js';
import { organizationOfTitle, systemOfTitle } from './document-subject.js';
import { listedNames, organizationOf, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import { accountLabel, companyLabelOf, fieldKindOf, livingLabel, postLabel } from './form-labels.js';
import type { FieldKind } from './form-labels.js';
import { partyFacts } from './form-parties.js';
import { signatoryCompany } from './form-signatures.js';
import {
  inSpokenOrder,
  isEmployer,
  isHolder,
  isNamedOrganization,
  isPlaceName,
  isProductName,
} from './form-values.js';
import { kindOf } from './lexicon.js';
import { isEnglishWord } from './reader.js';
import { isSystemName, serviceFacts } from './service-records.js';

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

interface Field {
  readonly kind: FieldKind | undefined;
  readonly label: string;
  readonly value: string;
  readonly line: number;
  readonly text: string;
}

interface Block {
  readonly fields: readonly Field[];
  /** The heading above it. */
  readonly heading: string;
}

const lineCharactersMax = 400;
const field = /^([\p{L}][\p{L}'’/& -]{1,38}?)\s*:\s+(\S.{0,118})$/u;
/** Separates the fields of one line: a card, a row of a table, "Chair: Ann Hill. Treasurer: Bob Lee." */
const fieldSeparator = /\s*;\s+|\s+[/|•·]\s+|\t+|\.\s+(?=\p{Lu}[\p{L} ]{2,30}:\s)/u;
const bulletOrMarks = /^\s*(?:[-*•+–|]|#{1,6})\s+|\*\*/g;

/**
 * The relations that labelled fields state ("Name: Jane Roe", "Title: CFO", "Company:
 * Acme Ltd"), and the other lines.
 */
export function readForms(
  lines: readonly string[],
  { headings = [], title = '' }: { readonly headings?: readonly string[]; readonly title?: string },
): { readonly found: readonly FormFact[]; readonly rest: readonly string[] } {
  const found: FormFact[] = [];
  const rest = [...lines];
  for (const block of blocksOf(lines, headings, title)) {
    const used = new Set<Field>();
    const facts = [
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

/** Runs of consecutive lines of fields, with the headings above them. */
function blocksOf(lines: readonly string[], headings: readonly string[], title: string): Block[] {
  const blocks: Block[] = [];
  let fields: Field[] = [];
  const titled = subjectOf(title);
  let above = headingAbove(headings) || titled;
  const push = () => {
    if (fields.length > 0) blocks.push({ fields, heading: subjectOf(above) || above });
    fields = [];
  };
  const flush = () => {
    // Fields are of the title's subject until a line says otherwise.
    if (fields.length > 0 && above !== titled) {
      push();
      above = '';
    }
    push();
  };
  lines.forEach((line, at) => {
    const read = fieldsOf(line, at);
    if (isNextRow(fields, read)) push();
    if (read.length > 0) fields.push(...read);
    else {
      flush();
      const plainLine = line.replace(bulletOrMarks, '').trim();
      if (plainLine !== '') above = plainLine;
    }
  });
  flush();
  return blocks;
}

/** Whether a line is the next row of a table: each row is a block of its own. */
function isNextRow(fields: readonly Field[], read: readonly Field[]): boolean {
  const [first] = fields;
  if (read.length < 2) return false;
  return (
    fields.every(({ line }) => line === first?.line) &&
    fields.map(({ label }) => label).join() === read.map(({ label }) => label).join()
  );
}

/** Whether a heading is of plain words: "Key figures", "Management". */
function isPart(heading: string): boolean {
  return heading.split(' ').every((word) => isEnglishWord(plain(word)));
}

/** The innermost heading that names something: "Acme Ltd", not the "Key figures" below it. */
function headingAbove(headings: readonly string[]): string {
  const isOwn = (heading: string) => isSureOrganization(heading) || isSystemName(heading);
  return headings.findLast((heading) => isOwn(heading) || !isPart(heading)) ?? '';
}

/** What a title is about; "" if that is not clear. */
function subjectOf(title: string): string {
  return organizationOfTitle(title) ?? (systemOfTitle(title) === undefined ? '' : title);
}

function fieldsOf(line: string, at: number): Field[] {
  if (line.length > lineCharactersMax) return [];
  const parts = line.replace(bulletOrMarks, '').trim().split(fieldSeparator);
  const fields = parts.flatMap((text): Field[] => {
    const [, label = '', written = ''] = field.exec(text.trim()) ?? [];
    if (label === '') return [];
    const kind = fieldKindOf(label);
    const value = parts.length > 1 ? withoutStop(written.trim()) : written.trim();
    const isName = kind === 'person' || kind === 'manager';
    return [{ kind, label, value: isName ? inSpokenOrder(value) : value, line: at, text }];
  });
  const isWhole = fields.length === parts.length;
  const [only] = fields;
  if (isWhole && (fields.length > 1 || !/[.!?]$/.test(only?.value ?? ''))) return fields;
  // "Owner: Ifeoma Balogun.", "Customers of Nimbus: Globex, Initech."
  const value = isWhole && only ? withoutStop(only.value) : '';
  if (only && value !== '' && (isPersonName(value) || isOwned(only.label))) return [{ ...only, value }];
  // "Customers: Globex; Initech"
  return [];
}

/** Removes the full stop of a sentence: "Rao." is no abbreviation, "Ltd." is one. */
function withoutStop(value: string): string {
  if (!value.endsWith('.')) return value;
  const stopless = value.replace(/(?<=\p{Ll}{2})\.$/u, '');
  return isPersonName(stopless) ? stopless : value.replace(/(?<=\p{Ll}{3})\.$/u, '');
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
          }),
        );
      const home = record.find(({ kind }) => kind === 'home');
      if (home && persons.length === 1) facts.push(...homeFacts(person, home, used));
      const manager = record.find(({ kind, value }) => kind === 'manager' && isPersonName(value));
      if (manager && persons.length === 1)
        facts.push(
          factOf([person, manager], used, {
            source: personOf(person.value),
            target: personOf(manager.value),
            predicate: 'reports_to',
            raw: manager.label.toLowerCase(),
          }),
        );
    }
    return facts;
  });
}

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
function contractFacts({ fields }: Block, used: Set<Field>): FormFact[] {
  return [...partyFacts(fields)].flatMap(([each, facts]) => {
    used.add(each);
    return facts.map((fact) => ({ ...fact, text: fields.map(({ text }) => text).join('\n') }));
  });
}

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

const partsOfLabel = (label: string): readonly [string, string] => {
  const [, head = '', owner = ''] = /^(.+?) of (.+)$/.exec(label) ?? [];
  return [head, owner];
};

function isOwned(text: string): boolean {
  const [label, owner] = partsOfLabel(text);
  return companyLabelOf(label) !== undefined && isNamedOrganization(owner);
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

function statedOf({ label, value }: Field, subject: FormEnd): Omit<FormFact, 'text'>[] {
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
    const raw = own?.organization ? own.role : each.label.toLowerCase();
    if (named !== undefined)
      return [
        factOf([each], used, {
          source: personOf(name),
          target: organizationOf(named),
          predicate: 'works_for',
          raw,
        }),
      ];
    if (!isContact || rest.length > 0 || !organization || !isNamedOrganization(organization.value)) return [];
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
