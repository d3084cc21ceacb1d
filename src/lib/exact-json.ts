/**
 * The first whole number of JSON text that a double cannot hold, such as an id of 64 bits: reading would round
 * it. Digits in strings are text, and do not count. @returns it as it was written; undefined when there is none
 */
export function roundedNumber(json: string): string | undefined {
  if (!/\d{16}/.test(json)) return undefined;
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : quote;
    // Not \d{16,}: V8 counts such a repetition on a stack, which overflows at some millions of digits.
    for (const [number] of json.slice(at, end).matchAll(/(?<![\d.eE+-])-?\d{16}\d*(?![\d.eE])/g))
      if (isRounded(number)) return number;
    at = quote < 0 ? end : endOfString(json, quote);
  }
  return undefined;
}

/** Whether reading a whole number as a double would give another one. */
export function isRounded(wholeNumber: string): boolean {
  const read = Number(wholeNumber);
  // What is not finite is refused elsewhere.
  return Number.isFinite(read) && BigInt(read) !== BigInt(wholeNumber);
}

/** Behind the closing quotation mark. */
function endOfString(json: string, opening: number): number {
  for (let at = opening + 1; ; at += 1) {
    at = json.indexOf('"', at);
    if (at < 0) return json.length;
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}
