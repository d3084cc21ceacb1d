/** The canonical form of a predicate that people wrote. */
export function canonicalPredicate(raw: string): string {
  return raw.trim().toLowerCase().replace(/\s+/g, '_');
}
