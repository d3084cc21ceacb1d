type ValueKind = 'number' | 'year' | 'date' | 'address' | 'code';

const kinds: readonly (readonly [ValueKind, RegExp])[] = [
  ['year', /^(?:1[5-9]|2[01])\d\d$/],
  ['date', /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d\d?:\d\d\S*)?$|^\d{1,2}[- ]\p{L}{3,9}[- ]\d{2,4}$/u],
  ['number', /^[-+(]?[€$£]?[-+]?\d[\d.,'’\s]*%?\)?$/],
  ['address', /^[^\s@]+@[^\s@]+\.\w+$|^https?:\/\/\S+$/],
  // `INV-2041` and `AB12`; `Q1` and `Col 3` are names.
  ['code', /^(?=\S*\d{2})(?=\S*\p{L})[\p{L}\d]+(?:[-_/.#][\p{L}\d]+)*$/u],
];

/** What a cell holds that is hardly the name of its column; undefined for words. */
export function kindOf(cell: string): ValueKind | undefined {
  return kinds.find(([, pattern]) => pattern.test(cell))?.[0];
}
