import { recurrenceText } from './calendar/recurrence.js';
import { decodeText } from './charset.js';
import { parseSafely, type ParsedBlock, type Parser } from './parser.js';

type ValueText = (value: string, parameters: string) => string;
const asWritten: ValueText = (value) => value;

/** The properties of an event or task (RFC 5545) that people read, and what they are called in the text. */
const properties: Readonly<Record<string, readonly [label: string, text: ValueText]>> = {
  SUMMARY: ['Event', asWritten],
  DTSTART: ['Start', dateText],
  DTEND: ['End', dateText],
  DURATION: ['Duration', durationText],
  DUE: ['Due', dateText],
  LOCATION: ['Location', asWritten],
  ORGANIZER: ['Organizer', personText],
  ATTENDEE: ['Attendee', personText],
  STATUS: ['Status', asWritten],
  RRULE: ['Repeats', (value, parameters) => recurrenceText(value, (date) => dateText(date, parameters))],
  EXDATE: ['Except', datesText],
  RDATE: ['Also on', datesText],
  'RECURRENCE-ID': ['Instead of', dateText],
  CATEGORIES: ['Categories', asWritten],
  URL: ['Link', asWritten],
  DESCRIPTION: ['Description', asWritten],
};
const component = /^(BEGIN|END):(VEVENT|VTODO|VJOURNAL)$/i;
/** Reminders stand within what they remind of. */
const reminder = /^(BEGIN|END):VALARM$/i;

/** Makes one block per event, task or journal entry of an iCalendar text. */
export function calendarBlocks(source: string): ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let lines: string[] | undefined;
  let isReminder = false;
  for (const line of source.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const remind = reminder.exec(line.trim());
    if (remind) isReminder = remind[1]?.toUpperCase() === 'BEGIN';
    const edge = component.exec(line.trim());
    if (edge === null) {
      const shown = lines && !isReminder && shownLine(line);
      if (shown) lines?.push(shown);
    } else {
      isReminder = false;
      if (lines && lines.length > 0)
        blocks.push({ text: lines.join('\n'), headings: [], keepTogether: true });
      lines = edge[1]?.toUpperCase() === 'BEGIN' ? [] : undefined;
    }
  }
  return blocks;
}

function shownLine(line: string): string | undefined {
  const [, name = '', parameters = '', value = ''] =
    /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^;:"]*))*):(.*)$/.exec(line) ?? [];
  const property = properties[name.toUpperCase()];
  if (property === undefined || !/\S/.test(value)) return undefined;
  const text = value.replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped));
  const [label, textOf] = property;
  return `${label}: ${textOf(text, parameters)}`;
}

/**
 * `20240131T093000Z` as `2024-01-31 09:30 UTC`, a local time with the name of its zone; any other value is
 * returned as it is.
 */
function dateText(value: string, parameters: string): string {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(value.trim()) ?? [];
  if (year === undefined) return value;
  const zone = utc ? 'UTC' : /;TZID="?([^";]*)/i.exec(parameters)?.[1];
  const time = hour === undefined ? '' : ` ${hour}:${minute}${zone ? ` ${zone}` : ''}`;
  return `${year}-${month}-${day}${time}`;
}

function datesText(value: string, parameters: string): string {
  return value
    .split(',')
    .map((date) => dateText(date, parameters))
    .join(', ');
}

/** `P1DT1H30M` as `1 d 1 h 30 min`; any other value is returned as it is. */
function durationText(value: string): string {
  const [, weeks, days, hours, minutes] =
    /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:0+S)?)?$/.exec(value.trim()) ?? [];
  const parts = [
    weeks && `${weeks} wk`,
    days && `${days} d`,
    hours && `${hours} h`,
    minutes && `${minutes} min`,
  ];
  return parts.filter(Boolean).join(' ') || value;
}

function personText(value: string, parameters: string): string {
  const address = value.replace(/^mailto:/i, '');
  const name = /;CN="?([^";]*)/i.exec(parameters)?.[1];
  return name && name !== address ? `${name} <${address}>` : address;
}

export const calendar: Parser = {
  name: 'calendar',
  extensions: ['ics'],
  contentTypes: ['text/calendar', 'application/ics'],
  parse: (bytes, { charset }) => parseSafely(() => ({ blocks: calendarBlocks(decodeText(bytes, charset)) })),
};
