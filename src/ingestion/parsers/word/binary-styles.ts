import type { WordFile } from './binary-file.js';
import { readProperties } from './binary-properties.js';

/** The properties of a style that are used here. */
export interface BinaryStyle {
  readonly outlineLevel: number | undefined;
  readonly isTitle: boolean;
  readonly isBold: boolean;
  readonly list: number | undefined;
  readonly listDepth: number | undefined;
}

interface StyleEntry extends BinaryStyle {
  readonly base: number;
}

const plainStyle: BinaryStyle = {
  outlineLevel: undefined,
  isTitle: false,
  isBold: false,
  list: undefined,
  listDepth: undefined,
};
const titleStyle = 62;
const noBase = 0xfff;
const ancestorsMax = 20;

/**
 * Looks up styles by number, with what they inherit. Built-in styles are recognised by a number that is the
 * same in all languages.
 */
export function binaryStyles(file: WordFile): (number: number) => BinaryStyle {
  const entries = entriesOf(file.tableOf(1));
  return (number) => {
    let entry = entries[number];
    let { outlineLevel, isTitle, isBold, list, listDepth } = entry ?? plainStyle;
    for (let count = 0; entry !== undefined && entry.base !== noBase && count < ancestorsMax; count += 1) {
      entry = entries[entry.base];
      outlineLevel ??= entry?.outlineLevel;
      isTitle ||= entry?.isTitle ?? false;
      isBold ||= entry?.isBold ?? false;
      list ??= entry?.list;
      listDepth ??= entry?.listDepth;
    }
    return { outlineLevel, isTitle, isBold, list, listDepth };
  };
}

function entriesOf(sheet: Buffer): (StyleEntry | undefined)[] {
  if (sheet.length < 6) return [];
  const headerBytes = sheet.readUInt16LE(0);
  const [count, baseBytes] = [sheet.readUInt16LE(2), sheet.readUInt16LE(4)];
  const entries: (StyleEntry | undefined)[] = [];
  let at = 2 + headerBytes;
  for (let index = 0; index < count && at + 2 <= sheet.length; index += 1) {
    const bytes = sheet.readUInt16LE(at);
    entries.push(bytes < 10 ? undefined : entryOf(sheet.subarray(at + 2, at + 2 + bytes), baseBytes));
    at += 2 + bytes + (bytes % 2);
  }
  return entries;
}

function entryOf(style: Buffer, baseBytes: number): StyleEntry | undefined {
  if (style.length < baseBytes + 2 || baseBytes < 10) return undefined;
  const builtIn = style.readUInt16LE(0) & 0x0fff;
  const [kind, base] = [style.readUInt16LE(2) & 0x000f, style.readUInt16LE(2) >>> 4];
  const [paragraph, characters] = propertiesOf(style, baseBytes);
  const own = kind === 1 && paragraph !== undefined ? readProperties(paragraph.subarray(2)) : {};
  const heading = builtIn >= 1 && builtIn <= 9 ? builtIn - 1 : undefined;
  return {
    outlineLevel: own.outlineLevel ?? heading,
    isTitle: builtIn === titleStyle,
    isBold: characters !== undefined && readProperties(characters).isBold === true,
    list: own.list,
    listDepth: own.listDepth,
    base,
  };
}

/** The properties of paragraphs and of characters that follow a style's name. */
function propertiesOf(style: Buffer, baseBytes: number): (Buffer | undefined)[] {
  let at = baseBytes + 2 + style.readUInt16LE(baseBytes) * 2 + 2;
  const found: (Buffer | undefined)[] = [];
  for (let index = 0; index < 2; index += 1) {
    at += at % 2;
    if (at + 2 > style.length) break;
    const bytes = style.readUInt16LE(at);
    found.push(style.subarray(at + 2, at + 2 + bytes));
    at += 2 + bytes;
  }
  return found;
}
