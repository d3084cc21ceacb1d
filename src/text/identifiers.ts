const mayHaveHumps = /[a-z\d][A-Z]/;
const joined = /(?<![\p{L}\p{N}_])[A-Za-z][A-Za-z\d]{5,63}(?![\p{L}\p{N}])/gu;
const hump = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const wordsMin = 3;
// "iPhone", "macOS" and "eBay" are product names, not words.
const lettersOfPairMin = 3;

/**
 * The words in the camel-case identifiers of a text, in lower case: http, request and handler for
 * `HttpRequestHandler`, get and user for `getUser`. Two capitalised words (JavaScript, YouTube) are left
 * out, because many names look like that.
 */
export function wordsOfIdentifiers(text: string): string[] {
  if (!mayHaveHumps.test(text)) return [];
  return [...text.matchAll(joined)].flatMap(([whole]) => {
    const words = whole.split(hump);
    const isPair = words.length === 2 && /^[a-z]/.test(whole);
    const isWanted =
      words.length >= wordsMin || (isPair && words.every(({ length }) => length >= lettersOfPairMin));
    return isWanted ? words.filter(({ length }) => length > 1).map((word) => word.toLowerCase()) : [];
  });
}
