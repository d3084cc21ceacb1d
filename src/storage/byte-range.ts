/** A part of a file, asked for before its size is known: from `first` to `last`, or its last `last` bytes. */
export interface ByteRange {
  /** Undefined for the end of a file: its last `last` bytes. */
  readonly first: number | undefined;
  /** Undefined for the rest of a file. */
  readonly last: number | undefined;
}

/** A part of a file of known size; the last byte is included. */
export interface Cut {
  readonly first: number;
  readonly last: number;
}

/** The file has none of the bytes that were asked for. */
export class UnsatisfiableRange extends Error {
  constructor(readonly sizeBytes: number) {
    super(`the range holds no byte of ${sizeBytes}`);
  }
}

/**
 * The range that a Range header asks for. Undefined, which means the whole file, when it is malformed or asks
 * for several (RFC 9110, 14.2).
 */
export function readRange(header: string | undefined): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? undefined : bounded(from);
  const last = to === '' ? undefined : bounded(to);
  return first !== undefined && last !== undefined && last < first ? undefined : { first, last };
}

/** The part of a file that a range stands for. @throws UnsatisfiableRange */
export function cutOf({ first, last }: ByteRange, sizeBytes: number): Cut {
  const end = sizeBytes - 1;
  const cut =
    first === undefined
      ? { first: Math.max(0, sizeBytes - (last ?? 0)), last: end }
      : { first, last: Math.min(last ?? end, end) };
  if (cut.last < cut.first) throw new UnsatisfiableRange(sizeBytes);
  return cut;
}

/** The value of a Range header. */
export function rangeHeader({ first, last }: ByteRange): string {
  return `bytes=${first ?? ''}-${last ?? ''}`;
}

function bounded(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
