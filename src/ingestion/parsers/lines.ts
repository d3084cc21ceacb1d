/** Yields the lines of a text without their ends. All of them at once would take several times its memory. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}
