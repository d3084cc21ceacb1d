/** The place of something, in any unit. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Every pair is compared. No slide that is meant to be read has more items. */
const itemsMax = 300;

/**
 * Puts items that are above or left of others before them. Otherwise the given order is kept, which knows
 * more than places tell, for example of columns; so it is for items without a place.
 */
export function inReadingOrder<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => Place | undefined,
): readonly Item[] {
  if (items.length > itemsMax) return items;
  let left = items.map((item) => ({ item, place: placeOf(item) }));
  const ordered: Item[] = [];
  while (left.length > 0) {
    const next = left.find(({ place }) => !left.some((other) => comesBefore(other.place, place))) ?? left[0];
    if (next === undefined) break;
    ordered.push(next.item);
    left = left.filter((each) => each !== next);
  }
  return ordered;
}

/** Whether an item is wholly above another in the same column, or wholly left of it in the same line. */
function comesBefore(one: Place | undefined, other: Place | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const sharesColumn = one.left < other.right && other.left < one.right;
  const sharesLine = one.top < other.bottom && other.top < one.bottom;
  return (sharesColumn && one.bottom <= other.top) || (sharesLine && one.right <= other.left);
}
