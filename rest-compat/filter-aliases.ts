import { FILTER_ALIASES } from './aliases.js';
import { resolveAliases } from './resolve-aliases.js';
import type { DeprecatedUse } from './resolve-aliases.js';

/**
 * Metadata filters with the documented names of their keys; what has another form stays as it is. @throws AppError
 * INVALID_INPUT when a key stands beside its other name with another value
 */
export function resolveFilterAliases(
  filter: unknown,
  place: { path: string; uses: DeprecatedUse[] },
): unknown {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return filter;
  const resolved = resolveAliases(filter as Record<string, unknown>, FILTER_ALIASES, place);
  for (const combination of ['$and', '$or', '$not']) {
    const path = `${place.path}.${combination}`;
    const inner = resolved[combination];
    if (Array.isArray(inner))
      resolved[combination] = inner.map((each: unknown, index) =>
        resolveFilterAliases(each, { ...place, path: `${path}[${index}]` }),
      );
    else if (inner !== undefined) resolved[combination] = resolveFilterAliases(inner, { ...place, path });
  }
  return resolved;
}
