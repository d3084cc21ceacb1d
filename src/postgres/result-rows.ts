import { runInThisContext } from 'node:vm';
import pg from 'pg';

type Parse = (text: string) => unknown;
type Row = Readonly<Record<string, unknown>>;
type MakeRow = (parsers: readonly Parse[], texts: readonly (string | null)[]) => Row;

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: string;
}

/** An internal of pg: a result whose rows are still arriving. */
interface ResultUnderWay {
  fields: readonly Column[];
  readonly _types: { getTypeParser(type: number, format: string): Parse };
  _parsers: Parse[];
  makeRow: MakeRow | undefined;
}

// Statements name their columns; if one invents names by the thousand, all functions are dropped.
const makersMax = 1000;
const makers = new Map<string, MakeRow>();
const separator = '\0';

const ofPg = pg.Result.prototype as unknown as {
  readonly addFields: (this: ResultUnderWay, fields: readonly Column[]) => void;
  readonly parseRow: (this: ResultUnderWay, texts: readonly (string | null)[]) => Row;
};
const { addFields, parseRow } = ofPg;

/**
 * Patches pg.Result for every connection of this process: rows are made by functions generated for their
 * columns and remembered by name. pg copies a template object for each row, which it makes anew for each
 * statement, and looks every column up in it: four times the work.
 */
export function patchRowParsing(): void {
  Object.assign(ofPg, {
    addFields(this: ResultUnderWay, fields: readonly Column[]) {
      if (fields.some(({ format }) => format !== 'text')) {
        this.makeRow = undefined;
        addFields.call(this, fields);
        return;
      }
      this.fields = fields;
      this._parsers = fields.map(({ dataTypeID }) => this._types.getTypeParser(dataTypeID, 'text'));
      this.makeRow = makerOf(fields.map(({ name }) => name));
    },
    parseRow(this: ResultUnderWay, texts: readonly (string | null)[]) {
      return this.makeRow ? this.makeRow(this._parsers, texts) : parseRow.call(this, texts);
    },
  });
}

function makerOf(names: readonly string[]): MakeRow {
  const key = names.join(separator);
  const known = makers.get(key);
  if (known) return known;
  if (makers.size >= makersMax) makers.clear();
  const properties = names.map((name, index) => {
    // In brackets it is an ordinary property.
    const written = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
    return `${written}: texts[${index}] === null ? null : parsers[${index}](texts[${index}])`;
  });
  const made = runInThisContext(`(parsers, texts) => ({ ${properties.join(', ')} })`) as MakeRow;
  makers.set(key, made);
  return made;
}
