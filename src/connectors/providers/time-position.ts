/**
 * Where the next page of a list ordered by time begins. It is a time and not a cursor of the provider,
 * because entries move while the list is paged. The cursor is used only when all entries of a page have the
 * same time.
 */
export interface TimePosition {
  /** The time of the last entry that was shown; null at the beginning. */
  readonly at: string | null;
  /** Set after a page whose entries all had the time `at`: the provider's cursor that continues it. */
  readonly after: string | null;
  /** The ids of entries of the time `at` that were shown already. */
  readonly seen: readonly string[];
}

/** The position before the first page. */
export const timeBeginning: TimePosition = { at: null, after: null, seen: [] };

interface Timed {
  readonly id: string;
  readonly time: string;
}

/** The position after a page; undefined at the end. `cursor` is the provider's own for the next page. */
export function positionAfter(
  position: TimePosition,
  shown: readonly Timed[],
  cursor: string | null,
): TimePosition | undefined {
  if (cursor === null) return undefined;
  const last = shown.at(-1);
  // A page may be empty, and not the last one.
  if (!last) return { ...position, after: cursor };
  if (last.time === position.at) return { at: last.time, after: cursor, seen: [] };
  const seen = shown.filter(({ time }) => time === last.time).map(({ id }) => id);
  return { at: last.time, after: null, seen };
}

/** The entries of a page that no earlier page has shown. */
export function unseen<Entry extends { readonly id: string }>(
  { seen }: TimePosition,
  entries: readonly Entry[],
): Entry[] {
  const known = new Set(seen);
  return entries.filter(({ id }) => !known.has(id));
}

/** The later of two ISO times. */
export function laterOf(time: string, other: string): string {
  return Date.parse(time) >= Date.parse(other) ? time : other;
}
