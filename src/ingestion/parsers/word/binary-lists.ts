import type { WordFile } from './binary-file.js';
import { levelsMax, type ListLevel, type NumberedList } from './numbering.js';

const definitions = 73;
const lists = 74;
const definitionBytes = 28;
const listBytes = 16;
const levelHeadBytes = 28;
const simpleList = 0x01;
const startIsOverridden = 0x10;
const levelIsOverridden = 0x20;
/** The formats of numbers by their code (MSONFC); others are shown as decimal. */
const formats: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
};

/** Reads numbers one after the other; behind the end all are 0. */
class Cursor {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  take(count: number): Buffer {
    const taken = Buffer.alloc(count);
    this.bytes.copy(taken, 0, this.at, this.at + count);
    this.at += count;
    return taken;
  }

  number(): number {
    return this.take(4).readInt32LE(0);
  }
}

/**
 * The lists of a Word 97 document (PlfLst, PlfLfo) by the numbers that paragraphs name, from 1. Levels name
 * their styles by number.
 */
export function binaryLists(file: WordFile): Map<string, NumberedList> {
  const found = new Map<string, NumberedList>();
  const defined = definedLists(file);
  const table = file.tableOf(lists);
  if (table.length < 4) return found;
  const count = Math.min(table.readUInt32LE(0), Math.floor((table.length - 4) / listBytes));
  const changes = new Cursor(table, 4 + count * listBytes);
  for (let index = 0; index < count; index += 1) {
    const list = table.subarray(4 + index * listBytes);
    const definition = list.readInt32LE(0);
    changes.take(4);
    const levels = new Map(defined.get(definition));
    const changed = Math.min(list[12] ?? 0, levelsMax);
    for (let change = 0; change < changed && !changes.isAtEnd; change += 1) overrideLevel(levels, changes);
    const counters = changed > 0 ? `own ${index}` : String(definition);
    found.set(String(index + 1), { counters, levels });
  }
  return found;
}

function overrideLevel(levels: Map<number, ListLevel>, changes: Cursor): void {
  const start = changes.number();
  const flags = changes.number();
  const depth = flags & 0x0f;
  if (flags & levelIsOverridden) levels.set(depth, readLevel(changes, undefined));
  const level = levels.get(depth);
  if (flags & startIsOverridden && level && !(flags & levelIsOverridden))
    levels.set(depth, { ...level, start });
}

/** The levels of each definition of a list, by its id. */
function definedLists(file: WordFile): Map<number, Map<number, ListLevel>> {
  const found = new Map<number, Map<number, ListLevel>>();
  const table = file.tableOf(definitions);
  if (table.length < 2) return found;
  const count = Math.min(table.readUInt16LE(0), Math.floor((table.length - 2) / definitionBytes));
  // The levels of all lists follow the table, which does not count them.
  const levels = new Cursor(
    file.table,
    table.byteOffset - file.table.byteOffset + 2 + count * definitionBytes,
  );
  for (let index = 0; index < count && !levels.isAtEnd; index += 1) {
    const definition = table.subarray(2 + index * definitionBytes, 2 + (index + 1) * definitionBytes);
    const isSimple = ((definition[26] ?? 0) & simpleList) !== 0;
    const own = new Map<number, ListLevel>();
    for (let depth = 0; depth < (isSimple ? 1 : levelsMax) && !levels.isAtEnd; depth += 1)
      own.set(depth, readLevel(levels, String(definition.readUInt16LE(8 + depth * 2))));
    found.set(definition.readInt32LE(0), own);
  }
  return found;
}

function readLevel(cursor: Cursor, style: string | undefined): ListLevel {
  const head = cursor.take(levelHeadBytes);
  cursor.take(head.readUInt8(24) + head.readUInt8(25));
  const label = cursor.take(cursor.take(2).readUInt16LE(0) * 2).toString('utf16le');
  return {
    format: formats[head.readUInt8(4)] ?? 'decimal',
    // eslint-disable-next-line no-control-regex -- the numbers of levels whose counters are to be inserted
    text: label.replace(/[\u0000-\u0008]/g, (level) => `%${level.charCodeAt(0) + 1}`),
    start: head.readInt32LE(0),
    style,
  };
}
