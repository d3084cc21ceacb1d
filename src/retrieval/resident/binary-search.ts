/**
 * The index of the first value that is not below `value`, within a range of ascending values; `end` when all
 * are below.
 */
export function firstNotBelow(
  values: Float64Array | Int32Array | Uint16Array,
  value: number,
  { from, end }: { from: number; end: number },
): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a value occurs among ascending ones. */
export function isAmong(values: Float64Array, value: number): boolean {
  return values[firstNotBelow(values, value, { from: 0, end: values.length })] === value;
}
