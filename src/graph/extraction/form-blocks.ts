import { splitLegalForm } from '../legal-forms.js';
import { isCapitalized, isPersonName, isSureOrganization, plain } from './affiliations.js';
import { organizationOfTitle, systemOfTitle } from './document-subject.js';
import { companyLabelOf, fieldKindOf } from './form-labels.js';
import type { FieldKind } from './form-labels.js';
import { isPartyLabel } from './form-parties.js';
import { inSpokenOrder, isNamedOrganization } from './form-values.js';
import { isEnglishWord } from './reader.js';
import { isSystemName } from './service-records.js';

/** A value with the label in front of it. */
export interface Field {
  readonly kind: FieldKind | undefined;
  readonly label: string;
  readonly value: string;
  readonly line: number;
  readonly text: string;
}

/** Fields that belong together. */
export interface Block {
  readonly fields: readonly Field[];
  /** The heading above it. */
  readonly heading: string;
}

const nameCharactersMax = 60;
const labelAlone = /^(\p{Lu}[\p{L} ]{1,30}):$/u;
const lineCharactersMax = 400;
const field = /^([\p{L}][\p{L}'’/& -]{1,38}?)(?:\(s\))?\s*:\s+(\S.{0,118})$/u;
/** Separates the fields of one line: a card, a row of a table, "Chair: Ann Hill. Treasurer: Bob Lee." */
const fieldSeparator = /\s*;\s+|\s+[/|•·]\s+|\t+|(?:\.\s|\s{2})\s*(?=\p{Lu}[\p{L} ]{2,30}:\s)/u;
/** A label within a line. */
const labelWithin = /,?\s+(?=(\p{Lu}\p{Ll}+): )/gu;
/** An entry of a list. */
export const listed = /^\s*[-*•+–]\s/;
/** What stands before an entry or a heading, and marks of emphasis. */
const bulletOrMarks = /^\s*(?:[-*•+–|]|#{1,6})\s+|\*\*/g;
/** A line without its bullet and marks. */
export const withoutMarks = (line: string) => line.replace(bulletOrMarks, '').trim();

/** A line without the marks of a heading and of emphasis; a bullet stays. */
export const unmarked = (line: string) => line.replace(/\*\*|^#+ /g, '').trim();

/** Runs of consecutive lines of fields, with the headings above them. */
export function blocksOf(lines: readonly string[], headings: readonly string[], titled: string): Block[] {
  const blocks: Block[] = [];
  let fields: Field[] = [];
  let above = headingAbove(headings) || titled;
  let isListed = false;
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
  const parties = new Map(partiesBelow(lines).map((each) => [each.line, each]));
  lines.forEach((line, at) => {
    // The name below its label was read with it.
    if (parties.has(at - 1)) return;
    const party = parties.get(at);
    const read = party ? [party] : fieldsOf(line, at);
    if (isNextRow(fields, read)) push();
    if (read.length > 0) fields.push(...read);
    else {
      flush();
      const plainLine = withoutMarks(line);
      // What stands below a list is not about its last entry.
      if (plainLine !== '') above = plainLine;
      else if (isListed) above = titled;
      isListed = listed.test(line);
    }
  });
  flush();
  return blocks;
}

/** "Bill to:" with the name on the next line. */
function partiesBelow(lines: readonly string[]): Field[] {
  return lines.flatMap((text, line): Field[] => {
    const [, label = ''] = labelAlone.exec(text.trim()) ?? [];
    const value = lines[line + 1]?.trim() ?? '';
    const isName = isCapitalized(value) && !value.includes(':') && value.length <= nameCharactersMax;
    if (!isPartyLabel(label) || !isName) return [];
    return [{ kind: fieldKindOf(label), label, value, line, text: `${text.trim()} ${value}` }];
  });
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
export function isPart(heading: string): boolean {
  return heading.split(' ').every((word) => isEnglishWord(plain(word)));
}

/** The innermost heading that names something: "Acme Ltd", not the "Key figures" below it. */
function headingAbove(headings: readonly string[]): string {
  const isOwn = (heading: string) => isSureOrganization(heading) || isSystemName(heading);
  return headings.findLast((heading) => isOwn(heading) || !isPart(heading)) ?? '';
}

/** What a title is about; "" if that is not clear. */
export function subjectOf(title: string): string {
  return organizationOfTitle(title) ?? (systemOfTitle(title) === undefined ? '' : title);
}

function fieldsOf(line: string, at: number): Field[] {
  if (line.length > lineCharactersMax) return [];
  const parts = withoutMarks(line).split(fieldSeparator).flatMap(partiesOf);
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
  if (isWhole && (fields.length > 1 || !endsAsSentence(only?.value ?? ''))) return fields;
  // "Owner: Ifeoma Balogun.", "Customers of Nimbus: Globex, Initech."
  const value = isWhole && only ? withoutStop(only.value) : '';
  if (only && value !== '' && (isPersonName(value) || isOwned(only.label))) return [{ ...only, value }];
  // "Customers: Globex; Initech"
  return [];
}

const isKnownLabel = (label: string) => isPartyLabel(label) || fieldKindOf(label) !== undefined;

/** "Landlord: Acme Ltd Tenant: Ann Hill": the fields of a line of parties, with nothing between them. */
function partiesOf(text: string): string[] {
  const [own = ''] = /^[^:]+(?=: )/.exec(text) ?? [];
  if (own === '' || !isKnownLabel(own)) return [text];
  const labels = [...text.matchAll(labelWithin)].filter(({ index }) => index > own.length);
  if (!labels.some(([, label = '']) => isKnownLabel(label))) return [text];
  const places = labels.map(({ index, 0: { length } }) => ({ before: index, behind: index + length }));
  return [0, ...places.map(({ behind }) => behind)].map((from, at) => text.slice(from, places[at]?.before));
}

const endsAsSentence = (value: string) => /[.!?]$/.test(value) && splitLegalForm(value) === undefined;

/** Removes the full stop of a sentence: "Rao." is no abbreviation, "Ltd." is one. */
function withoutStop(value: string): string {
  if (!value.endsWith('.')) return value;
  const stopless = value.replace(/(?<=\p{Ll}{2})\.$/u, '');
  return isPersonName(stopless) ? stopless : value.replace(/(?<=\p{Ll}{3})\.$/u, '');
}

/** "Customers of Nimbus": what is listed, and whose it is. */
export const partsOfLabel = (label: string): readonly [string, string] => {
  const [, head = '', owner = ''] = /^(.+?) of (.+)$/.exec(label) ?? [];
  return [head, owner];
};

/** Whether a label says whose list it is. */
export function isOwned(text: string): boolean {
  const [label, owner] = partsOfLabel(text);
  return companyLabelOf(label) !== undefined && isNamedOrganization(owner);
}
