const bins = 4096;

/**
 * Where the largest of many values are, in no order: so many, and those that are hardly less. `bound` is what no value
 * exceeds, nor its negative.
 */
export function findLargest(
  values: Float32Array,
  { limit, bound }: { limit: number; bound: number },
): number[] {
  // What rounding may add must not leave the last bin.
  const perValue = bound > 0 ? (bins / 2 - 1) / bound : 0;
  const counts = new Uint32Array(bins);
  for (let n = 0; n < values.length; n += 1) counts[Math.trunc(values[n]! * perValue + bins / 2)]! += 1;
  let lowest = bins;
  for (let found = 0; found < limit && lowest > 0;) found += counts[(lowest -= 1)]!;
  const places: number[] = [];
  for (let n = 0; n < values.length; n += 1)
    if (Math.trunc(values[n]! * perValue + bins / 2) >= lowest) places.push(n);
  return places;
}
