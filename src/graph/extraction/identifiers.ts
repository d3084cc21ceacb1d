import { numberedKind } from './numbered-things.js';

/** A name that can be recognised by its form alone, in any language. */
export interface Identifier {
  readonly type: 'EMAIL' | 'URL' | 'TICKET' | 'HANDLE' | 'VERSION' | 'CODE' | 'PRODUCT' | 'OTHER';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

// All quantifiers are bounded, so that no text makes them slow.
const forms: readonly (readonly [Identifier['type'], RegExp])[] = [
  ['URL', /\bhttps?:\/\/[^\s<>"'`()[\]{}|\\^]{3,500}/gi],
  ['EMAIL', /(?<![\w.+%-])[a-z0-9][\w.+%-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}\b/gi],
  ['TICKET', /(?<![\w-])(?:[A-Z][A-Z0-9]-\d{2,7}|[A-Z][A-Z0-9]{2,9}-\d{1,7})(?![\w-])/g],
  ['TICKET', /(?<![\w-])CVE-\d{4}-\d{4,7}(?![\w-])/g],
  ['HANDLE', /(?<![\w@./])@(?!(?:all|channel|everyone|here|team)\b)[a-z][\w-]{1,38}\b(?![.@/]\w)/gi],
  // `OrderService`, `retries = 3`
  ['CODE', /(?<![`\w])`(?:[^\s`]{1,100}|[^`\n]{1,80}[=(){}<>_$\\|:;][^`\n]{0,80})`(?![`\w])/g],
  [
    'VERSION',
    /(?<![\w.])v?\d{1,5}(?:\.\d{1,5}){2,3}(?:-[\w.]{1,20})?(?![\w.]*\w)|(?<![\w.])v\d{1,5}(?:\.\d{1,5})?(?![\w.]*\w)/gi,
  ],
];
/** Standards, codes and machines that look like ticket ids. */
const noTickets =
  /^(?:UTF|ISO|SHA|MD|RFC|IPV|BASE|COVID|GPT|MPEG|MP|IEEE|IEC|EN|DIN|ANSI|US|EU|UK|UN|GMT|UTC|AES|RSA|CP|TLS|SSL|HTTP|ASCII|WINDOWS|RS|USB|DDR|PCI|ARM|X|F|B|MIG|SU|TU|AK|DC|MD|CH|UH|AH|KC|Q|FY|CY|PHASE|TIER|LEVEL|TYPE|CLASS|STEP|PART|SECTION|CHAPTER|PAGE|FIG|WW|GDPR|SOC|PM|PH|H|ROUTE|HWY|I|A|M)-/;

/** Whether a name is that of a standard: "UTF-8", "SHA-256". */
export function isStandard(name: string): boolean {
  return noTickets.test(name);
}

/** The e-mail addresses, URLs, ticket ids, handles and versions of a text, in order and without overlaps. */
export function findIdentifiers(text: string): Identifier[] {
  const found = forms.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map((match): Identifier => {
      const name = type === 'URL' ? match[0].replace(/[.,;:!?'"*_~]{1,20}$/, '') : match[0];
      return { type, name, start: match.index, end: match.index + name.length };
    }),
  );
  const ends = new Map(found.map(({ start, end }) => [start, end]));
  const safe = found.flatMap((each): Identifier[] => {
    // "`OPS-7`" is a ticket still.
    if (each.type === 'CODE' && ends.get(each.start + 1) === each.end - 1) return [];
    if (each.type !== 'TICKET' || each.name.startsWith('CVE-')) return [each];
    return noTickets.test(each.name) ? [] : [{ ...each, type: numberedKind(text, each.start, each.end) }];
  });
  safe.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return safe.filter((each) => {
    if (each.start < end) return false;
    end = each.end;
    return true;
  });
}

/** What a piece of code is called: "PaymentGateway.charge(amount)" is a part of the gateway and has no name. */
export function codeName(code: string): string | undefined {
  return /^`([\p{L}_][\p{L}\p{N}_-]{1,60})`$/u.exec(code)?.[1];
}

/** The strength of an identifier's type; 0 for a number whose kind is not known. */
export function strengthOf({ type }: Pick<Identifier, 'type'>): number {
  return type === 'OTHER' ? 0 : 9;
}

/**
 * Replaces each identifier by an invented name of the same length, so that the tagger reads it as one word.
 */
export function maskIdentifiers(text: string, identifiers: readonly Identifier[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end } of identifiers) {
    masked += text.slice(at, start) + 'Q' + 'z'.repeat(Math.max(end - start - 1, 0));
    at = end;
  }
  return masked + text.slice(at);
}
