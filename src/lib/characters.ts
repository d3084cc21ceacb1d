const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * The number of characters (code points) in a text: an emoji counts as one, though UTF-16 has two units for
 * it.
 */
export function characterCount(text: string): number {
  return text.replace(surrogatePairs, '_').length;
}

/** The first characters of a text; none is cut in two. */
export function clip(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return [...text.slice(0, 2 * charactersMax)].slice(0, charactersMax).join('');
}
