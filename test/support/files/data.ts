import { bytesOf } from './reading.js';
import type { Sample } from './sample.js';

/** Files of records and trees of values. */
export const dataSamples: readonly Sample[] = [
  {
    extension: 'json',
    bytes: () => bytesOf('{"shop":{"rooms":[{"room":"Blue","seats":12},{"room":"Zoë","seats":8}]}}'),
    text: 'room: Zoë; seats: 8',
    headings: ['shop', 'rooms'],
    layout: { row: 2 },
  },
  {
    extension: 'jsonl',
    bytes: () => bytesOf('{"room":"Blue","seats":12}\n{"room":"Zoë","seats":8}\n'),
    text: 'room: Zoë; seats: 8',
    headings: [],
    layout: { row: 2 },
  },
  {
    extension: 'xml',
    bytes: () =>
      bytesOf(
        '<shop><room seats="12"><name>Blue</name></room><room seats="8"><name>Zoë</name></room></shop>',
      ),
    text: 'seats: 8; name: Zoë',
    headings: [],
    layout: { row: 2 },
  },
];
