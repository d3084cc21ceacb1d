import { isTotal } from './totals.js';
import { valueClassOf } from './value-kind.js';

/** Words that name fields in forms, cover sheets and contract data; one of them in a label is enough. */
const labels = new Set(
  (
    'account address agent amount applicant approved approver assignee attendee attn author bank bic birth born borrower branch building buyer car cc ' +
    'city client code company contact contract contractor copyright country county created creator currency customer date deadline ' +
    'department deposit director discount document due duration email employee employer end expires expiry fax fee file firm gender ' +
    'guarantor iban id insured insurer invoice issue issued issuer job language landlord lender length lessee lessor licence license location maker ' +
    'manager manufacturer maturity meeting mobile model modified name nationality notice number occupation office order organisation organization owner party ' +
    'patient payee payer payment period person phone place plan plate policy position postcode premium premises prepared price priority product project property purpose ' +
    'purchaser rate rating ref reference region registration release released rent report reporter representative responsible reviewed reviewer revision role salary ' +
    'salutation sector seller sender serial severity shipped source start status street subject supervisor supplier surname swift tax team ' +
    'telephone tenant tenure term termination terms time title total town updated url valid validity vat vendor venue version warranty web website weight zip ' +
    'adresse anschrift auftraggeber auftragnehmer datum firma käufer kontakt kunde mieter miete name nummer ort preis rechnungsnummer telefon straße verkäufer vermieter ' +
    'client date fournisseur locataire bailleur loyer montant nom prénom numéro objet téléphone ville ' +
    'apellidos cliente dirección fecha nombre número teléfono ciudad importe proveedor'
  ).split(' '),
);

/**
 * Words that name columns. If the first value of a table of two columns has one, it is a header and no value.
 */
const columnNames = new Set(
  (
    'amount amounts answer answers attribute average balance capital comment comments content cost costs count definition default description detail details due ' +
    'entry example explanation field figure frequency function hours information item items meaning measure metric note notes option outcome percent percentage ' +
    'population property qty quantity remark remarks response result results score setting share size sum text translation unit units usage value values volume ' +
    'wert beschreibung anzahl betrag valeur valor descripción descripción montant'
  ).split(' '),
);

const rowsMin = 2;
const rowsComparedMax = 50;
const labelCharactersMax = 60;
const labelWordsMax = 6;
/** Short forms that a label may end in, as `Invoice no.` does. */
const shortForm = /(?:^|[\s-])(?:no|nr|tel|num|ref|dept|exp|max|min)\.$/i;
/** How many pairs of label and value one row may have. */
const pairsMax = 3;
/** The share of labels that must end in a colon, or be known. */
const colonShareMin = 0.6;
const knownShareMin = 0.5;
/**
 * The share of values that must be numbers among words, or words among numbers; a column of a list has values
 * of one kind.
 */
const mixedShareMin = 0.3;
const mixedValuesMin = 2;

interface Field {
  readonly label: string;
  readonly value: string;
}

/**
 * Whether the rows of a table are fields, that is labels beside their values (`Landlord | Ann | Tenant |
 * Ben`), the first of which is no header. Labels are recognised by their colons, by known words or, in two
 * columns, by the mixture of values.
 */
export function areFields(rows: readonly (readonly string[])[]): boolean {
  const filled = withoutGaps(rows.slice(0, rowsComparedMax)).filter((cells) => countFilled(cells) > 1);
  const width = Math.max(0, ...filled.map(widthOf));
  if (filled.length < rowsMin || width % 2 > 0 || width > 2 * pairsMax) return false;
  const [first = [], ...others] = filled.map((cells) => fieldsOf(cells));
  const fields = [...first, ...others.flat()];
  const named = fields.filter(({ label }) => label !== '');
  if (!named.every(({ label }) => isLabel(label)) || named.length * 1.5 < fields.length) return false;
  const share = (count: number) => count / named.length;
  if (share(named.filter(({ label }) => endsInColon(label)).length) >= colonShareMin)
    return first.every(({ label }) => endsInColon(label));
  const isUnique = new Set(named.map(({ label }) => label.toLowerCase())).size === named.length;
  if (!isUnique || first.some(({ label, value }) => label === '' || isNameOfColumn(value))) return false;
  // The last row of a list may be its total.
  const known = named.filter(
    ({ label }) => endsInColon(label) || (holdsWord(label, labels) && !isTotal(label)),
  );
  const areKnown = known.length > 1 && share(known.length) >= knownShareMin;
  return (areKnown && first.every((field) => known.includes(field))) || (width === 2 && areMixed(fields));
}

/** The cells of such rows as texts: `Landlord: Ann`. */
export function fieldTexts(rows: readonly (readonly string[])[]): string[][] {
  return withoutGaps(rows).map((cells) =>
    fieldsOf(cells).map(({ label, value }) =>
      label === '' || value === '' ? label || value : `${label.replace(/\s*[:：]$/, '')}: ${value}`,
    ),
  );
}

/** The rows without the columns that only keep pairs of fields apart: where a label would stand, all rows are blank. */
function withoutGaps(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const columns: number[] = [];
  const width = rows.reduce((most, cells) => Math.max(most, widthOf(cells)), 0);
  for (let column = 0; column < width; column += 1) {
    const isGap = columns.length % 2 === 0 && rows.every((cells) => !/\S/.test(cells[column] ?? ''));
    if (!isGap) columns.push(column);
  }
  return rows.map((cells) => columns.map((column) => cells[column] ?? ''));
}

function fieldsOf(cells: readonly string[]): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < cells.length; at += 2) {
    const [label, value] = [cells[at]?.trim() ?? '', cells[at + 1]?.trim() ?? ''];
    if (label !== '' || value !== '') fields.push({ label, value });
  }
  return fields;
}

function isLabel(label: string): boolean {
  const isShort = label.length <= labelCharactersMax && label.split(/\s+/).length <= labelWordsMax;
  const isSentence = /[.;!\n]$/.test(label) && !shortForm.test(label);
  return isShort && /\p{L}/u.test(label) && valueClassOf(label) === 'words' && !isSentence;
}

function endsInColon(label: string): boolean {
  return /[:：]$/.test(label);
}

/** Whether a value is blank, or a name like those of columns or labels: `Field | Type`. */
function isNameOfColumn(value: string): boolean {
  return (
    value === '' || holdsWord(value, columnNames) || (wordsOf(value).length <= 2 && holdsWord(value, labels))
  );
}

function holdsWord(text: string, words: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
}

/**
 * Whether values are a mixture of words and numbers. A word that repeats, such as `none` or `mains`, is the
 * value of a column.
 */
function areMixed(fields: readonly Field[]): boolean {
  const classes = fields.map(({ value }) => valueClassOf(value));
  const words = fields.filter((_, index) => classes[index] === 'words').map(({ value }) => value);
  const figures = classes.filter((each) => each === 'figure').length;
  const fewer = Math.min(words.length, figures);
  const areUnique = new Set(words).size === words.length;
  return areUnique && fewer >= mixedValuesMin && fewer >= mixedShareMin * (words.length + figures);
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => /\S/.test(cell)).length;
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => /\S/.test(cell)) + 1;
}
