const titleCharactersMax = 90;
const parts =
  /^(?:article|chapter|part|schedule|exhibit|appendix|annex|title)\s+(?:[ivxlc]+|\d{1,3}|[a-z])\b[.:]?/i;
const section = /^(?:section|§)\s*\d{1,3}(?:\.\d{1,3})*[.:]?/i;
const numbered = /^(\d{1,2})((?:\.\d{1,3}){0,4})(\.?)\s+(?=\p{Lu})/u;

/** The numbered caption of a section. */
export interface Caption {
  readonly text: string;
  /**
   * Counted from 1: articles 1, sections 2, captions with only a number from 3 on, by the parts of the
   * number.
   */
  readonly depth: number;
  /** Whether it could also be an item of a numbered list. */
  readonly mayBeItem: boolean;
}

/**
 * The caption that a paragraph is, if it is the numbered heading of those below it: `ARTICLE IV`, `SECTION 5.
 * Term`, `2.3 Scope`. Otherwise undefined.
 */
export function captionOf(paragraph: string): Caption | undefined {
  const lines = paragraph.trim().split('\n');
  const text = lines.map((line) => line.trim()).join(' ');
  const number = parts.exec(text)?.[0] ?? section.exec(text)?.[0] ?? numbered.exec(text)?.[0];
  if (number === undefined || text.length > titleCharactersMax) return undefined;
  // `ARTICLE IV` and its title may be on two lines.
  if (lines.length > 2 || (lines.length === 2 && lines[0]?.trim().length !== number.trim().length))
    return undefined;
  const title = text.slice(number.length).trim();
  const isSentence = /[.,;:!?]$/.test(title) && title !== title.toUpperCase();
  if (isSentence || (title !== '' && !/^[\p{Lu}\d"“(—–-]/u.test(title))) return undefined;
  if (parts.test(text)) return { text, depth: 1, mayBeItem: false };
  if (section.test(text)) return { text, depth: 2, mayBeItem: false };
  const [, , deeper = '', dot] = numbered.exec(text) ?? [];
  if (deeper === '' && dot === '') return undefined;
  return { text, depth: 3 + deeper.split('.').length - 1, mayBeItem: true };
}
