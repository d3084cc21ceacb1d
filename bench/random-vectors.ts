/** A number that is normally distributed, from ones of 0 to 1 (Box and Muller). */
export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The vector of length 1 in the same direction; one of zeros stays as it is. */
export function unit(values: Float32Array): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1;
  return values.map((value) => value / length);
}

/** A unit vector in any direction. */
export function randomDirection(dimensions: number, random: () => number): Float32Array {
  return unit(Float32Array.from({ length: dimensions }, () => gaussian(random)));
}
