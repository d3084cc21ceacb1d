import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../src/errors.js';
import type { Alias } from './aliases.js';

/** A deprecated name that a request used. */
export interface DeprecatedUse {
  readonly field: string;
  readonly preferred: string;
}

/**
 * Moves values sent under an alias to the documented name, and records the deprecated ones. @throws AppError
 * INVALID_INPUT when both were sent with different values, unless the alias yields
 */
export function resolveAliases<Value>(
  values: Readonly<Record<string, Value>>,
  aliases: readonly Alias[],
  {
    path,
    uses,
    equal = isDeepStrictEqual,
  }: { path: string; uses: DeprecatedUse[]; equal?: (a: Value, b: Value) => boolean },
): Record<string, Value> {
  const resolved: Record<string, Value> = { ...values };
  for (const { alias, name, deprecated, yields } of aliases) {
    if (!Object.hasOwn(resolved, alias)) continue;
    const value = resolved[alias] as Value;
    delete resolved[alias];
    if (deprecated) uses.push({ field: alias, preferred: name });
    if (!Object.hasOwn(resolved, name)) resolved[name] = value;
    else if (!yields && !equal(resolved[name] as Value, value)) {
      const prefix = path === '' ? '' : `${path}.`;
      throw invalidInput(`${prefix}${name}`, `and its other name ${alias} were sent with different values`);
    }
  }
  return resolved;
}
