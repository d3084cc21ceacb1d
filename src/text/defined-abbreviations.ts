const shortForm = String.raw`\p{Lu}[\p{Lu}&]{1,7}`;
/**
 * "Service Level Agreement (SLA)", "(the “SLA”)". The words before the bracket are checked from the last
 * one backwards.
 */
const behindLong = new RegExp(String.raw`\((?:the\s+)?["“]?(${shortForm})s?["”]?\)`, 'gu');
const beforeLong = new RegExp(String.raw`(?<![\p{L}\p{N}])(${shortForm})\s\(([^()]{4,100})\)`, 'gu');
const longCharactersMax = 100;
const word = /[\p{L}\p{N}'’]+/gu;
/** Small words, whose first letter an abbreviation may have or leave out. */
const small = new Set('a an and as at by for from in of on or over the to under with'.split(' '));
const definitionsMax = 100;

interface Definition {
  readonly short: RegExp;
  readonly shortText: string;
  readonly long: string;
}

/**
 * The abbreviations that a text defines. They are collected while its parts are read in order, so that each
 * part can be extended by the form that it does not use.
 */
export class DefinedAbbreviations {
  private readonly definitions = new Map<string, Definition>();

  /**
   * Reads the definitions in the next part of the text. Returns, for each abbreviation known by then that
   * the part uses in one form only, the other form.
   */
  otherForms(text: string): string[] {
    this.read(text);
    if (this.definitions.size === 0) return [];
    const plain = oneSpaced(text);
    return [...this.definitions.values()].flatMap(({ short, shortText, long }) => {
      const hasShort = short.test(text);
      return hasShort === plain.includes(long) ? [] : [hasShort ? long : shortText];
    });
  }

  private read(text: string): void {
    for (const { 1: short = '', index } of text.matchAll(behindLong))
      this.define(short, longEndingIn(text.slice(Math.max(0, index - longCharactersMax), index), short));
    for (const { 1: short = '', 2: inside = '' } of text.matchAll(beforeLong)) {
      const long = longEndingIn(inside, short);
      if (long === oneSpaced(inside)) this.define(short, long);
    }
  }

  private define(short: string, long: string | undefined): void {
    if (long === undefined || this.definitions.has(short) || this.definitions.size === definitionsMax) return;
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${short}(?:['’]?s)?(?![\p{L}\p{N}])`, 'u');
    this.definitions.set(short, { short: pattern, shortText: short, long });
  }
}

/** The words at the end of a text whose initials make up an abbreviation; undefined if there are none. */
function longEndingIn(text: string, short: string): string | undefined {
  const plain = oneSpaced(text);
  const letters = [...short.toLowerCase().replaceAll('&', '')];
  for (const { 0: each, index } of [...plain.matchAll(word)].reverse()) {
    if (each.startsWith(letters.at(-1) ?? '')) letters.pop();
    else if (!small.has(each)) return undefined;
    if (letters.length === 0) return plain.slice(index).trim();
  }
  return undefined;
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
