const wholeOrDecimal = /^\d{1,15}(?:\.\d+)?$/;

/**
 * How many milliseconds a Retry-After header asks to wait, from its seconds or its date; 0 for a date that
 * has passed, undefined when it is neither.
 */
export function readRetryAfterMs(
  header: string | readonly string[] | null | undefined,
  now: Date,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (wholeOrDecimal.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
