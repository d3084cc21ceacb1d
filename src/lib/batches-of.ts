/** The entries of a list in order, in lists of `size` of them; the last one may be shorter. */
export function* batchesOf<Entry>(list: readonly Entry[], size: number): Generator<Entry[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
