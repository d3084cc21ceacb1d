/**
 * JSON without its nulls: members that are null are absent, and so are elements of lists. Services write null, or leave a
 * field out, where their documentation shows a value; a reader then has one case to think of.
 */
export function withoutNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.filter((each) => each !== null).map(withoutNulls);
  if (typeof json !== 'object' || json === null) return json;
  const kept = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNulls(value)]));
}
