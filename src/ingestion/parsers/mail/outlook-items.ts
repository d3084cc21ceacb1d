import { inOneLine } from '../../../text/one-line.js';
import type { MapiProperties, NamedProperty } from './mapi-properties.js';

/** What Outlook stores beside mails: contacts, appointments and tasks. */
interface Item {
  readonly messageClass: string;
  readonly properties: MapiProperties;
  readonly named: NamedProperty;
  readonly text: (id: number | undefined) => string;
}

/** The sets of named properties, by the first four bytes of their GUIDs. */
const [appointment, task, address] = [0x00062002, 0x00062003, 0x00062004];

const contactFields: readonly [string, number][] = [
  ['Name', 0x3001],
  ['Company', 0x3a16],
  ['Department', 0x3a18],
  ['Title', 0x3a17],
  ['Business phone', 0x3a08],
  ['Home phone', 0x3a09],
  ['Mobile phone', 0x3a1c],
  ['Fax', 0x3a24],
  ['Address', 0x3a15],
  ['Web page', 0x3a51],
];
const contactNames: readonly [string, number][] = [
  ['E-mail', 0x8083],
  ['E-mail', 0x8093],
  ['E-mail', 0x80a3],
  ['Business address', 0x801b],
  ['Home address', 0x801a],
  ['Messenger', 0x8062],
];
const birthday = 0x3a42;
const location = 0x8208;
const [appointmentStart, appointmentEnd] = [0x820d, 0x820e];
const [taskStart, taskDue, taskOwner, taskShare] = [0x8104, 0x8105, 0x811f, 0x8102];

/** The fields of an item that is no mail, as lines `Label: value`; none for a mail. */
export function itemLines(item: Item): string[] {
  const kind = item.messageClass.toLowerCase();
  const fields = kind.startsWith('ipm.contact')
    ? contactOf(item)
    : kind.startsWith('ipm.task')
      ? taskOf(item)
      : appointmentOf(item);
  const lines = fields.flatMap(([label, value]) => {
    const shown = inOneLine(value);
    return shown === '' ? [] : [`${label}: ${shown}`];
  });
  return [...new Set(lines)];
}

type Field = readonly [string, string];

function contactOf({ text, named, properties }: Item): Field[] {
  return [
    ...contactFields.map(([label, id]): Field => [label, text(id)]),
    ...contactNames.map(([label, longId]): Field => [label, text(named(address, longId))]),
    ['Birthday', dayOf(properties.time(birthday))],
  ];
}

function appointmentOf({ text, named, properties }: Item): Field[] {
  const time = (longId: number) => minuteOf(properties.time(named(appointment, longId) ?? 0));
  return [
    ['Start', time(appointmentStart)],
    ['End', time(appointmentEnd)],
    ['Location', text(named(appointment, location))],
  ];
}

function taskOf({ text, named, properties }: Item): Field[] {
  const day = (longId: number) => dayOf(properties.time(named(task, longId) ?? 0));
  const share = properties.number(named(task, taskShare) ?? 0);
  return [
    ['Start', day(taskStart)],
    ['Due', day(taskDue)],
    ['Complete', share === undefined ? '' : `${Math.round(share * 100)} %`],
    ['Owner', text(named(task, taskOwner))],
  ];
}

function dayOf(time: Date | undefined): string {
  return time?.toISOString().slice(0, 10) ?? '';
}

function minuteOf(time: Date | undefined): string {
  return time === undefined ? '' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
