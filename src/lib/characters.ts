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

/** The beginning of a text, of at most so many UTF-16 units; no character is cut in two. */
export function clipUnits(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\ud800-\udbff]$/, '');
}
