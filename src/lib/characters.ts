const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** How many characters a text has: an emoji is one, in UTF-16 two units. */
export function characterCount(text: string): number {
  return text.replace(surrogatePairs, '_').length;
}

/** The first characters of a text; none is cut in two. */
export function clip(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return [...text.slice(0, 2 * charactersMax)].slice(0, charactersMax).join('');
}
