const ending = /[>"']/g;
/** Longer values are taken for a quotation mark that was forgotten. */
const valueCharactersMax = 10_000;

/**
 * Where the tag that begins at a place ends, that is the `>` of it; -1 without one. A `>` within a quoted value is none, as
 * in `<p class="[&>svg]:size-4">`.
 */
export function tagEnd(source: string, start: number): number {
  ending.lastIndex = start + 1;
  for (let found = ending.exec(source); found; found = ending.exec(source)) {
    const { 0: sign, index } = found;
    if (sign === '>') return index;
    // Elsewhere than behind its equals sign it is a part of an unquoted value.
    if (!/=\s*$/.test(source.slice(Math.max(start, index - 10), index))) continue;
    const length = source.slice(index + 1, index + 1 + valueCharactersMax).indexOf(sign);
    if (length >= 0) ending.lastIndex = index + length + 2;
  }
  return -1;
}
