/** What is searched of a chunk: the item's title and the headings above it count as its words. */
export function searchableText(title: string, chunk: { headings: readonly string[]; text: string }): string {
  return [title, ...chunk.headings, chunk.text].filter((part) => part !== '').join('\n');
}
