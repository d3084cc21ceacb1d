import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const bytesPerId = 16;
// Random bytes are drawn for many ids at once: asking the kernel for sixteen costs as much as for thousands,
// 20 µs on a virtual machine.
const pool = new Uint8Array(256 * bytesPerId);
let used = pool.length;

/** A UUIDv7 for things made in large numbers; those of one millisecond are in no order. */
export function unorderedUuid(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + bytesPerId);
  used += bytesPerId;
  return uuidv7({ random });
}
