import { invalidInput } from '../../errors.js';
import { checkCount } from '../../lib/bounded-number.js';
import { LIMITS } from '../../limits.js';

/** The ids whose status is asked for, each once. @throws AppError INVALID_INPUT naming the bound. */
export function readStatusIds(given: readonly string[]): string[] {
  const ids = [...new Set(given.filter((id) => id.trim() !== ''))];
  if (ids.length === 0) throw invalidInput('ids', 'must name at least one id');
  checkCount(ids.length, 'ids', { noun: 'ids', max: LIMITS.statusIdsMax });
  return ids;
}
