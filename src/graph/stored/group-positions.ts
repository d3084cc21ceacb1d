/** How many positions after each moment are reserved for the groups that share it. */
export const roomBehind = 2 ** 44;

// A position is derived from a time, and must be a whole number that JSON preserves. From 1704 to 2236
// positions are microseconds. The years before and after share the remaining range, with two positions per
// millisecond. Room is left at the end for groups that share a moment.
const positionStartMax = 2 ** 53 - roomBehind;
const microsecondsMax = 8.4e15;
const millisecondsMax = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const positionsPerMillisecond =
  (positionStartMax - microsecondsMax) / (millisecondsMax - microsecondsMax / 1000);

/** The first position for a moment. Later moments have higher positions. */
export function positionOf(date: Date): number {
  const milliseconds = Math.min(Math.abs(date.getTime()), millisecondsMax);
  const beyond = milliseconds - microsecondsMax / 1000;
  const position =
    beyond <= 0 ? milliseconds * 1000 : microsecondsMax + Math.floor(beyond * positionsPerMillisecond);
  return Math.sign(date.getTime()) * position;
}
