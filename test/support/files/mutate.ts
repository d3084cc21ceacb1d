import type { Random } from '../random.js';

/** A few bytes changed, a piece doubled or left out. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (let count = 1 + random.below(8); count > 0; count -= 1) {
    changed[random.below(changed.length)] = random.below(256);
  }
  const [one, other] = [random.below(changed.length), random.below(changed.length)];
  const piece = changed.subarray(Math.min(one, other), Math.max(one, other));
  if (random.chance(0.3)) return Buffer.concat([changed.subarray(0, Math.max(one, other)), piece]);
  if (random.chance(0.3))
    return Buffer.concat([changed.subarray(0, Math.min(one, other)), changed.subarray(Math.max(one, other))]);
  return changed;
}
