import { addToList } from './add-to-list.js';

/** Values by their keys, in their order. */
export function groupBy<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) addToList(groups, keyOf(value), value);
  return groups;
}
