const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const millisecondsPerDay = 86_400_000;
/** The day of 1970 as charts count days, and the last day that they show. */
const [dayOfEpoch, lastDay] = [25_569, 2_958_465];

/** A stored number of a chart as it is drawn: percentages, days as `2024-03-31`, months as `Mar 2024`. */
export function chartNumber(value: string, code: string): string {
  const number = Number(value);
  const signs = code.split(';', 1)[0]?.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '') ?? '';
  if (value === '' || !Number.isFinite(number)) return value;
  if (signs.includes('%')) return `${(number * 100).toFixed(/\.(0+)/.exec(signs)?.[1]?.length ?? 0)}%`;
  if (!/y/i.test(signs) || number < 1 || number > lastDay) return value;
  const date = new Date((number - dayOfEpoch) * millisecondsPerDay);
  if (/d/i.test(signs)) return date.toISOString().slice(0, 10);
  const year = String(date.getUTCFullYear());
  return /m/i.test(signs) ? `${months[date.getUTCMonth()] ?? ''} ${year}` : year;
}
