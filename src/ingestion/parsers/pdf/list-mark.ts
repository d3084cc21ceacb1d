const bullet = /^[•◦▪‣●○■□➢✓·*–—-]$/u;
/** `3.`, `(b)`, `iv)`, `1.2`, `3.b.i` */
const numeral = /^\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})(?:[.)]|(?:\.(?:\d{1,3}|[a-z]|[ivx]{2,5}))+[.)]?)$/u;
/** `[12]`, as references are numbered. */
const bracketed = /^\[\d{1,3}\]$/;
/** `Article 3.`, `§ 12` */
const namedNumeral = /^(?:\p{Lu}\p{L}+|§) \d{1,3}[.:)]?$/u;

/** Whether a text is what stands before the text of a list item: a bullet, or its number. */
export function isListMark(text: string): boolean {
  return bullet.test(text) || numeral.test(text) || bracketed.test(text) || namedNumeral.test(text);
}
