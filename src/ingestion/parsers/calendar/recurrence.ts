const units: Readonly<Record<string, string>> = {
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const weekdays: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const workdays = 'MO,TU,WE,TH,FR';
/** The parts of a rule that are told; one with others is told as it is written. */
const known = /^(?:FREQ|INTERVAL|COUNT|UNTIL|BYDAY|BYMONTHDAY|BYMONTH|BYSETPOS|WKST)$/;

type Rule = ReadonlyMap<string, string>;

/**
 * The rule of a recurring event (RFC 5545) in words: `every 2 weeks on Monday and Friday, until 2024-06-30`. One that
 * has no words here is returned as it is.
 */
export function recurrenceText(source: string, dateText: (date: string) => string): string {
  const rule = new Map(source.split(';').map((part) => partOf(part)));
  const unit = units[rule.get('FREQ') ?? ''];
  const days = daysText(rule);
  if (unit === undefined || days === undefined || ![...rule.keys()].every((key) => known.test(key)))
    return source;
  const interval = Number(rule.get('INTERVAL') ?? 1);
  const count = rule.get('COUNT');
  const until = rule.get('UNTIL');
  return [
    interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`,
    days && ` ${days}`,
    count === undefined ? '' : `, ${count} times`,
    until === undefined ? '' : `, until ${dateText(until)}`,
  ].join('');
}

function partOf(part: string): [string, string] {
  const [key = '', value = ''] = part.trim().toUpperCase().split('=', 2);
  return [key, value];
}

/** On which days of its weeks, months or years an event recurs; undefined when this has no words. */
function daysText(rule: Rule): string | undefined {
  const weekly = weekdaysText(rule.get('BYDAY'), rule.get('BYSETPOS'));
  const monthly = listText(rule.get('BYMONTHDAY'), (day) => (day === '-1' ? 'the last day' : `day ${day}`));
  const yearly = listText(rule.get('BYMONTH'), (month) => months[Number(month) - 1]);
  if ([weekly, monthly, yearly].includes(undefined)) return undefined;
  return [weekly && `on ${weekly}`, monthly && `on ${monthly}`, yearly && `in ${yearly}`]
    .filter(Boolean)
    .join(' ');
}

function weekdaysText(days: string | undefined, position: string | undefined): string | undefined {
  if (position === undefined) return listText(days, weekdayText);
  const which = ordinalText(Number(position));
  const day = days === workdays ? 'working day' : weekdays[days ?? ''];
  return which && day && `the ${which} ${day}`;
}

/** `MO` as `Monday`, `2MO` as `the second Monday`. */
function weekdayText(day: string): string | undefined {
  const [, position, code = ''] = /^([+-]?\d+)?(\w\w)$/.exec(day) ?? [];
  const name = weekdays[code];
  const which = position === undefined ? undefined : ordinalText(Number(position));
  return position === undefined ? name : which && name && `the ${which} ${name}`;
}

function ordinalText(position: number): string | undefined {
  if (position === -1) return 'last';
  return position < 0 ? undefined : ordinals[position] || undefined;
}

/** The values of a list in words, blank where there is none; undefined when one of them has no words. */
function listText(
  list: string | undefined,
  textOf: (value: string) => string | undefined,
): string | undefined {
  if (list === undefined) return '';
  const texts = list.split(',').map(textOf);
  if (texts.includes(undefined)) return undefined;
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}
