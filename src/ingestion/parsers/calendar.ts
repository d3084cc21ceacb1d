import type { ParsedBlock } from './parser.js';

/** The properties of an event or task (RFC 5545) that people read, and what they are called in the text. */
const labels: Readonly<Record<string, string>> = {
  SUMMARY: 'Event',
  DTSTART: 'Start',
  DTEND: 'End',
  DUE: 'Due',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  STATUS: 'Status',
  RRULE: 'Repeats',
  DESCRIPTION: 'Description',
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
  const label = labels[name.toUpperCase()];
  if (label === undefined || !/\S/.test(value)) return undefined;
  const text = value.replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped));
  const shown = name.toUpperCase().startsWith('D')
    ? dateText(text, parameters)
    : personText(text, parameters);
  return `${label}: ${shown}`;
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

function personText(value: string, parameters: string): string {
  const address = value.replace(/^mailto:/i, '');
  const name = /;CN="?([^";]*)/i.exec(parameters)?.[1];
  return name && name !== address ? `${name} <${address}>` : address;
}
