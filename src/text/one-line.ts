/** The words of a text with one space between them, and none before or after. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
