/** A text as Postgres can store it: without NUL characters, and with U+FFFD for halves of surrogate pairs. */
export function cleanText(text: string): string {
  return (text.includes('\u0000') ? text.replaceAll('\u0000', '') : text).toWellFormed();
}

/** Cleans every string in a JSON value, keys included. */
export function cleanJson<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [cleanText(key), clean(entry)]));
}
