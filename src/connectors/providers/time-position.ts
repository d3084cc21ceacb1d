/**
 * Where the next page of a list that is ordered by time begins: at a time rather than at a cursor of the provider, because
 * entries change their places while the list is paged. Only where a page does not get past a time is the cursor used.
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

/** The position after a page, `cursor` being what the provider says of the next; undefined at the end. */
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

/** The entries of a page that no page before has shown. */
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
