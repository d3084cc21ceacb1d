import { bytesOf, integerOf, messageOf, messageWithin, textOf, type Message } from './protobuf.js';

/** The lists of a table to which its cells refer by keys. */
export interface CellLists {
  readonly strings: ReadonlyMap<number, string>;
  readonly richTexts: ReadonlyMap<number, string>;
  readonly formats: ReadonlyMap<number, Message>;
  /** The choices of pop-up menus; the first choice of each is blank. */
  readonly menus: ReadonlyMap<number, readonly string[]>;
}

const firstOfJanuary2001 = Date.UTC(2001, 0, 1);
const cellTypes = { number: 2, text: 3, date: 5, boolean: 6, duration: 7, richText: 9, currency: 10 };
const cellBytesMin = 12;
const formatTypes = { currency: 257, percent: 258, menu: 266 };
const decimalsMax = 20;

/** Offsets in a cell of the values that this reader uses; -1 for a value that is missing. */
interface Places {
  readonly type: number;
  readonly decimal: number;
  readonly double: number;
  readonly seconds: number;
  readonly string: number;
  readonly richText: number;
  readonly format: number;
}

/** The text of a cell as people see it, dates as `2024-03-31`; empty for a damaged cell. */
export function cellText(cell: Buffer, lists: CellLists): string {
  if (cell.length < cellBytesMin) return '';
  const places = (cell[0] ?? 0) >= 5 ? newPlaces(cell) : oldPlaces(cell);
  const key = (place: number) => (place >= 0 && place + 4 <= cell.length ? cell.readUInt32LE(place) : -1);
  const float = (place: number) => (place >= 0 && place + 8 <= cell.length ? cell.readDoubleLE(place) : NaN);
  switch (places.type) {
    case cellTypes.text:
      return lists.strings.get(key(places.string)) ?? '';
    case cellTypes.richText:
      return lists.richTexts.get(key(places.richText)) ?? '';
    case cellTypes.date:
      return dateText(float(places.seconds));
    case cellTypes.boolean:
      return float(places.double) > 0 ? 'TRUE' : 'FALSE';
    case cellTypes.duration:
      return durationText(float(places.double));
    case cellTypes.number:
    case cellTypes.currency: {
      const { decimal, double } = places;
      const value = decimal >= 0 && decimal + 16 <= cell.length ? decimal128(cell, decimal) : float(double);
      return Number.isFinite(value) ? numberText(value, lists.formats.get(key(places.format)), lists) : '';
    }
    default:
      return '';
  }
}

/**
 * Steps through the values of a cell. Flags say which values are present; they follow in the order of the
 * flags.
 */
class Values {
  constructor(
    private readonly flags: number,
    public at: number,
  ) {}

  next(flag: number, bytes: number): number {
    if ((this.flags & flag) === 0) return -1;
    this.at += bytes;
    return this.at - bytes;
  }

  /** Steps over the values of all flags in a mask. */
  skip(mask: number): void {
    for (let flag = 1; flag <= mask; flag *= 2) if ((mask & flag) !== 0) this.next(flag, 4);
  }
}

function newPlaces(cell: Buffer): Places {
  const values = new Values(cell.readUInt32LE(8), 12);
  const [decimal, double, seconds] = [values.next(1, 16), values.next(2, 8), values.next(4, 8)];
  const [string, richText] = [values.next(8, 4), values.next(0x10, 4)];
  values.skip(0x1fe0);
  const [numeric, currency] = [values.next(0x2000, 4), values.next(0x4000, 4)];
  // A cell that has become an amount of money may keep its former format too.
  const format = currency >= 0 ? currency : numeric;
  return { type: cell[1] ?? 0, decimal, double, seconds, string, richText, format };
}

function oldPlaces(cell: Buffer): Places {
  const version = cell[0] ?? 0;
  const values = new Values(cell.readUInt32LE(4), version > 1 ? 12 : 8);
  const first = values.next(2, 4);
  values.skip(version > 1 ? 0xd8c : 0x18c);
  const richText = values.next(0x200, 4);
  values.skip(version > 1 ? 0x3000 : 0x1000);
  const [string, double, seconds] = [values.next(0x10, 4), values.next(0x20, 8), values.next(0x40, 8)];
  const type = cell[version >= 4 ? 1 : 2] ?? 0;
  const last = version > 1 && (cell[10] ?? 0) !== 0 ? values.at : -1;
  const format = first >= 0 ? first : last;
  return { type, decimal: -1, double, seconds, string, richText, format };
}

/** The choices of a pop-up menu, by the body of its object. */
export function menuOf(body: Buffer): string[] {
  return bytesOf(messageOf(body), 2).map((item) => textOf(messageWithin(messageOf(item), 5), 1));
}

function numberText(value: number, format: Message | undefined, { menus }: CellLists): string {
  const type = format && integerOf(format, 1);
  if (format === undefined || type === undefined) return String(value);
  if (type === formatTypes.menu) return menus.get(integerOf(format, 39) ?? -1)?.[value] ?? '';
  const decimals = integerOf(format, 2) ?? decimalsMax + 1;
  // A number of decimals that no number has means that all decimals are kept.
  const shown = (number: number) => (decimals > decimalsMax ? String(number) : number.toFixed(decimals));
  if (type === formatTypes.percent) return `${shown(Number((value * 100).toPrecision(15)))}%`;
  if (type === formatTypes.currency) return `${shown(value)} ${textOf(format, 3)}`.trim();
  return String(value);
}

/** Reads a decimal number with 113 bits of digits and an exponent. */
function decimal128(cell: Buffer, at: number): number {
  const exponent = ((((cell[at + 15] ?? 0) & 0x7f) << 7) | ((cell[at + 14] ?? 0) >> 1)) - 0x1820;
  let digits = BigInt((cell[at + 14] ?? 0) & 1);
  for (let index = 13; index >= 0; index -= 1) digits = digits * 256n + BigInt(cell[at + index] ?? 0);
  const sign = (cell[at + 15] ?? 0) >= 0x80 ? '-' : '';
  return Number(`${sign}${digits}e${exponent}`);
}

function dateText(seconds: number): string {
  const time = firstOfJanuary2001 + Math.round(seconds) * 1000;
  if (!(Math.abs(time) < 8.64e15)) return '';
  return new Date(time)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
    .replace(/ 00:00:00$/, '');
}

function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = Math.abs(seconds);
  return `${seconds < 0 ? '-' : ''}${Math.floor(whole / 3600)}:${two((whole / 60) % 60)}:${two(whole % 60)}`;
}
