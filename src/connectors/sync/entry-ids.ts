import type { Entry } from '../provider.js';
import { itemIdOf } from './synced-input.js';
import type { SyncedScope } from './synced-input.js';

/**
 * Entries by the ids of their items. One whose id is that of another thing, as known before (`holders`: versions by item
 * id) or earlier on the page, has the id of its own. Else, of several with one id the last counts.
 */
export function entriesByItemId(
  scope: SyncedScope,
  entries: readonly Entry[],
  holders: ReadonlyMap<string, string>,
): [string, Entry][] {
  const held = new Map<string, string | undefined>(holders);
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    const id = itemIdOf(scope, entry.id);
    const { ownId, version } = entry;
    if (ownId === undefined) found.set(id, entry);
    else if (held.has(id) && held.get(id) !== version)
      found.set(itemIdOf(scope, ownId), { ...entry, id: ownId });
    else if (!found.has(id)) {
      held.set(id, version);
      found.set(id, entry);
    }
  }
  return [...found];
}
