/** A date and time, as SheetJS takes it apart. */
export interface DateParts {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

/** The number formats of SheetJS. */
export interface NumberFormats {
  get_table(): Readonly<Record<number, string | undefined>>;
  /** @throws for codes that it does not know */
  format(code: string, value: number, options: { date1904: boolean }): string;
  parse_date_code(serial: number, options: { date1904: boolean }): DateParts | null;
}

/** The numbers of East Asian date formats, for which the table has no code. */
const eastAsianDates = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);
const codeCharactersMax = 255;
const generalCode = /^(?:general|@)$/i;

/** A number format, and whether it shows a whole day. */
export interface CellFormat {
  readonly code: string;
  readonly isDate: boolean;
}

/** Formats the numbers of a workbook; it remembers the formats seen so far. */
export class CellFormats {
  private readonly known = new Map<string, CellFormat>();

  constructor(
    private readonly formats: NumberFormats,
    private readonly date1904: boolean,
  ) {}

  /** A number format as files name it: by its code, or by the number of a format that all programs know. */
  of(format: string | number | undefined): CellFormat {
    const code =
      typeof format === 'number'
        ? (this.formats.get_table()[format] ?? (eastAsianDates.has(format) ? 'yyyy-mm-dd' : 'General'))
        : (format ?? 'General');
    const known = this.known.get(code) ?? { code, isDate: isDateFormat(code) };
    this.known.set(code, known);
    return known;
  }

  /** A number as people see it. Dates become `2024-03-31` or `2024-03-31 14:05`, whatever their format. */
  text(value: number, { code, isDate }: CellFormat): string {
    const options = { date1904: this.date1904 };
    const date = isDate ? this.formats.parse_date_code(value, options) : null;
    if (date && date.y > 0) return isoDate(date);
    // A narrow cell shows 4.00638E+12, but nobody searches for an article number in that form.
    if (Number.isSafeInteger(value) && generalCode.test(code)) return String(value);
    try {
      return this.formats.format(code, value, options);
    } catch {
      return String(value);
    }
  }
}

/** Whether a format shows a whole day. Formats of months, years and times of day are shown as they are. */
function isDateFormat(code: string): boolean {
  if (code.length > codeCharactersMax) return false;
  const letters = code
    .split(';', 1)[0]
    ?.replace(/"[^"]*"?|\\.|\[[^\]]*\]|_./g, '')
    .toLowerCase();
  return letters !== undefined && letters.includes('y') && letters.includes('d');
}

function isoDate({ y, m, d, H, M, S }: DateParts): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`;
  if (H === 0 && M === 0 && S === 0) return day;
  return `${day} ${two(H)}:${two(M)}${S === 0 ? '' : `:${two(S)}`}`;
}
