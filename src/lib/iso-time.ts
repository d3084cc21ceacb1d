const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:[Zz]|([+-]\d{2}):?(\d{2}))?)?$/;

/**
 * The moment that an ISO-8601 date or time of the years 1 to 9999 names; UTC without an offset. Undefined for
 * anything else, including days that do not exist.
 */
export function readIsoTime(text: string): Date | undefined {
  const [, day, time = '00:00', seconds = ':00', hours, minutes] = pattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date reads February 30 as March 2.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const moment = new Date(`${day}T${time}${seconds}${offset}`);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : undefined;
}
