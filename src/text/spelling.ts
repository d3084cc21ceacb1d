const letters = 'abcdefghijklmnopqrstuvwxyz';
const charactersMin = 4;
const charactersMax = 24;

/**
 * The terms that are one slip of the fingers away: a letter too many, missing, wrong, or two swapped. None for short
 * words, where they would mean something else, and for codes, where every character counts. `rightMax`: of so many letters
 * at most the slip comes after.
 */
export function spellingVariants(term: string, rightMax = term.length): string[] {
  if (term.length < charactersMin || term.length > charactersMax || !/^[a-z]+$/.test(term)) return [];
  const variants = new Set<string>();
  for (let at = 0; at <= Math.min(term.length, rightMax); at += 1) {
    const [before, after] = [term.slice(0, at), term.slice(at)];
    if (after !== '') variants.add(before + after.slice(1));
    if (after.length > 1) variants.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of letters) {
      variants.add(before + letter + after);
      if (after !== '') variants.add(before + letter + after.slice(1));
    }
  }
  variants.delete(term);
  return [...variants];
}
