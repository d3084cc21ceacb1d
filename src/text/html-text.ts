import { inOneLine } from './one-line.js';

const elements =
  'html|head|body|p|div|span|table|tbody|tr|td|th|ul|ol|li|h[1-6]|blockquote|pre|a|b|i|u|em|strong|font|center|section|article';
const opening = new RegExp(`^\\s*<(?:!doctype html|!--|(?:${elements}|br|meta|style|img)\\b)`, 'i');
const closing = new RegExp(`</(?:${elements})\\s*>|<br\\s*/?>`, 'i');
const readCharactersMax = 10_000;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
};

/** Whether a text is an HTML page or fragment. A text that only mentions elements begins with words. */
export function looksLikeHtml(text: string): boolean {
  return opening.test(text) && closing.test(text);
}

/**
 * Whether the body of a mail is HTML. Unlike other texts it may begin with words
 * and break its lines with `<br>`.
 */
export function looksLikeHtmlMail(text: string): boolean {
  return closing.test(text);
}

/** Roughly the text at the beginning of an HTML document, in one line, without parsing it. */
export function firstWordsOfHtml(html: string): string {
  const words = html
    .slice(0, readCharactersMax)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^<>]*(?:>|$)/g, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => entities[name] ?? ' ');
  return inOneLine(words);
}
