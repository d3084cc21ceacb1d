type ValueKind = 'number' | 'quantity' | 'year' | 'date' | 'address' | 'code';

/** Units beside which a number is a quantity. In `30 days` and `2nd` a number is part of a name. */
const units =
  '[numckM]?m[²³23]?|km²|ha|in|ft|yd|mi|[mk]?g|t|lbs?|oz|[mch]?l|L|°\\s?[CF]?|K|[hkM]?Pa|bar|psi|[mk]?V|m?A|[kMG]?W|[kMG]?Wh|[kM]?J|k?cal|' +
  '[kMG]?Hz|[kKMGT]?B|[MG]bps|dB|k?Nm?|rpm|ms|s|sec|min|h|hrs?|km\\/h|mph|m\\/s|pcs?|‰|%|\\p{Sc}|[A-Z]{3}';

const kinds: readonly (readonly [ValueKind, RegExp])[] = [
  ['year', /^(?:1[5-9]|2[01])\d\d$/],
  ['date', /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d\d?:\d\d\S*)?$|^\d{1,2}[- ]\p{L}{3,9}[- ]\d{2,4}$/u],
  ['number', /^[-+(]?[€$£]?[-+]?\d[\d.,'’\s]*%?\)?$/],
  [
    'quantity',
    new RegExp(`^[-+<>≤≥~±(]?\\s?(?:\\p{Sc}\\s?|[A-Z]{3}\\s)?\\d[\\d.,'’\\s]*(?:${units})?\\)?$`, 'u'),
  ],
  ['address', /^[^\s@]+@[^\s@]+\.\w+$|^https?:\/\/\S+$/],
  // `INV-2041` and `AB12` are codes; `Q1` and `Col 3` are names.
  ['code', /^(?=\S*\d{2})(?=\S*\p{L})[\p{L}\d]+(?:[-_/.#][\p{L}\d]+)*$/u],
];

/** The kind of a value that is hardly the name of a column; undefined for words. */
export function kindOf(cell: string): ValueKind | undefined {
  return kinds.find(([, pattern]) => pattern.test(cell))?.[0];
}

const missing = /^(?:[-–—−]+|n\.?[/.]?a\.?|tb[acd]|unknown|none|null)$/i;

/**
 * Whether a cell is a figure, words, or a mark for nothing. `two months` are words; `3 May`, `2 people` and
 * `ann@example.com` count as figures.
 */
export function valueClassOf(cell: string): 'figure' | 'words' | 'missing' {
  if (cell === '' || missing.test(cell)) return 'missing';
  return kindOf(cell) !== undefined || /^[-+~<>≤≥(\s]*\p{Sc}?\s?\d/u.test(cell) ? 'figure' : 'words';
}
