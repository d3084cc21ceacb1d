/** A part of a file as it is asked for before its size is known: from `first` to `last`, or its `last` bytes. */
export interface ByteRange {
  /** Undefined of the end of a file, whatever its size. */
  readonly first: number | undefined;
  /** Undefined of the rest of a file. */
  readonly last: number | undefined;
}

/** A part of a file, its last byte included. */
export interface Cut {
  readonly first: number;
  readonly last: number;
}

/** No byte of what is asked for is there. */
export class UnsatisfiableRange extends Error {
  constructor(readonly sizeBytes: number) {
    super(`the range holds no byte of ${sizeBytes}`);
  }
}

/** The range that a Range header asks for; undefined, which is the whole file, where it is malformed or asks for several (RFC 9110, 14.2). */
export function readRange(header: string | undefined): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? undefined : bounded(from);
  const last = to === '' ? undefined : bounded(to);
  return first !== undefined && last !== undefined && last < first ? undefined : { first, last };
}

/** What a range is of a file. @throws UnsatisfiableRange */
export function cutOf({ first, last }: ByteRange, sizeBytes: number): Cut {
  const end = sizeBytes - 1;
  const cut =
    first === undefined
      ? { first: Math.max(0, sizeBytes - (last ?? 0)), last: end }
      : { first, last: Math.min(last ?? end, end) };
  if (cut.last < cut.first) throw new UnsatisfiableRange(sizeBytes);
  return cut;
}

/** As a Range header has it. */
export function rangeHeader({ first, last }: ByteRange): string {
  return `bytes=${first ?? ''}-${last ?? ''}`;
}

function bounded(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
