// Legal forms. They tell companies of the same name apart, or just belong to the full name.

const spellings =
  'a/s ab ag aps as asa b\\.?v\\.? bhd co\\.? company corp\\.? corporation d\\.o\\.o\\.? gmbh inc\\.? incorporated k\\.?k\\.? kft kg kgaa l\\.?l\\.?c\\.? l\\.?l\\.?p\\.? limited ltd\\.? n\\.?v\\.? oy oyj nyrt p\\.?l\\.?c\\.? pte pty pvt s\\.?a\\.? s\\.?a\\.?r\\.?l\\.? s\\.?a\\.?s\\.? s\\.?l\\.? s\\.?l\\.?u\\.? s\\.?p\\.?a\\.? s\\.?r\\.?l\\.? s\\.?r\\.?o\\.? se ug zrt'.split(
    ' ',
  );
const form = `(?:& co\\.? kga?a?|${spellings.join('|')})`;

/**
 * The legal form at the end of a name: ", Inc.", " GmbH & Co. KG". The pattern
 * works in Postgres as in JavaScript.
 */
export const legalFormPattern = `(?:,? ${form})+$`;
/** The words that such a form ends with, without dots. Few names need the pattern then. */
export const legalFormEnds: readonly string[] = [
  ...spellings.map((spelling) => spelling.replace(/\\\.\??/g, '')),
  'kga',
];
const atEnd = new RegExp(legalFormPattern, 'i');
const written: Readonly<Record<string, string>> = {
  company: 'co',
  corporation: 'corp',
  incorporated: 'inc',
  limited: 'ltd',
};

/**
 * Splits a name into base and legal form, the form in a uniform spelling. Undefined if it has none.
 * "Tiffany & Co." counts as having none, since "Tiffany &" is no name.
 */
export function splitLegalForm(name: string): { readonly base: string; readonly form: string } | undefined {
  const found = name.includes(' ') ? atEnd.exec(name) : null;
  const base = found ? name.slice(0, found.index) : '';
  if (!found || base === '' || /(?:^|\s)(?:&|\+|and|und|et)$/i.test(base)) return undefined;
  const words = found[0].toLowerCase().replace(/[.,]/g, '').trim().split(' ');
  return { base, form: words.map((word) => written[word] ?? word).join(' ') };
}
