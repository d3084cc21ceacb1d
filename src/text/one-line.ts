/** A text in one line: each run of white space becomes one space, with none at either end. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
