/** A cell as SheetJS reads it with `cellNF`. */
export interface Cell {
  /** b, n, s, e: boolean, number, text, error. */
  readonly t?: string;
  readonly v?: string | number | boolean | Date;
  /** As the program shows it. */
  readonly w?: string;
  /** Its number format. */
  readonly z?: string | number;
}

export interface DateParts {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

export type DateReader = (serial: number) => DateParts | null;

/** A cell as people see it, but a date as `2024-03-31` or `2024-03-31 14:05`, whatever the local habit. */
export function cellText({ t, v, w, z }: Cell, readDate: DateReader): string {
  if (t === 'n' && typeof v === 'number' && isDateFormat(z)) {
    const date = readDate(v);
    if (date && date.y > 0) return isoDate(date);
  }
  return (w ?? (v instanceof Date ? v.toISOString() : String(v ?? ''))).trim();
}

/** Formats that show a whole day; those of months, years and times of day are left as they show. */
function isDateFormat(format: string | number | undefined): boolean {
  if (typeof format !== 'string' || format.length > 255) return false;
  const letters = format
    .split(';', 1)[0]
    ?.replace(/"[^"]*"?|\\.|\[[^\]]*\]|_./g, '')
    .toLowerCase();
  return letters !== undefined && /y/.test(letters) && /d/.test(letters);
}

function isoDate({ y, m, d, H, M, S }: DateParts): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`;
  if (H === 0 && M === 0 && S === 0) return day;
  return `${day} ${two(H)}:${two(M)}${S === 0 ? '' : `:${two(S)}`}`;
}
