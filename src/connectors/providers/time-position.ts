/**
 * Where the next page of a list begins that is ordered by time: at a time, and not at a cursor of the
 * provider, because entries move while the list is paged. The cursor is used only where a page does not get
 * past a single time.
 */
export interface TimePosition {
  /** The time of the last entry that was shown; null at the beginning. */
  readonly at: string | null;
  /** Continues a page that had entries of the time `at` alone. */
  readonly after: string | null;
  /** Entries of the time `at` that were shown already. */
  readonly seen: readonly string[];
}

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
  const last = shown.at(-1);
  if (!last || cursor === null) return undefined;
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
