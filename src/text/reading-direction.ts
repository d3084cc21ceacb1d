/** Letters that are written from right to left; the digits among them are not. */
const rightToLeft = /(?![\u0660-\u0669\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const leftToRight = /(?!(?![\u0660-\u0669\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u;

type Direction = 'left' | 'right' | undefined;

/** The words of a line as they stand beside each other, from left to right, in the order in which they are read. */
export function lineAsRead(line: string): string {
  if (!rightToLeft.test(line)) return line;
  return piecesAsRead(line.split(' '), (word) => word).join(' ');
}

/**
 * What stands side by side on a line, from left to right, in the order in which it is read: a line of Hebrew or Arabic from
 * right to left but for the Latin words in it, and Hebrew or Arabic within another line by itself.
 */
export function piecesAsRead<Piece>(
  pieces: readonly Piece[],
  textOf: (piece: Piece) => string,
): readonly Piece[] {
  const directions = pieces.map((piece) => directionOf(textOf(piece)));
  if (!directions.includes('right')) return pieces;
  const text = pieces.map(textOf).join(' ');
  const isReversed = count(text, rightToLeft) > count(text, leftToRight);
  if (!isReversed) return withRunsReversed(pieces, directions, 'right');
  return withRunsReversed([...pieces].reverse(), directions.reverse(), 'left');
}

function directionOf(text: string): Direction {
  if (rightToLeft.test(text)) return 'right';
  return leftToRight.test(text) ? 'left' : undefined;
}

function count(text: string, letters: RegExp): number {
  return text.match(new RegExp(letters, 'gu'))?.length ?? 0;
}

/** What has no letters belongs to a run when it stands within; a number beside Latin words too, as in `Windows 10`. */
function withRunsReversed<Piece>(
  pieces: readonly Piece[],
  directions: readonly Direction[],
  run: 'left' | 'right',
): Piece[] {
  const ordered = [...pieces];
  for (let start = 0; start < pieces.length; start += 1) {
    if (directions[start] !== run) continue;
    let first = start;
    while (run === 'left' && first > 0 && directions[first - 1] === undefined) first -= 1;
    let end = start + 1;
    for (let next = end; next < pieces.length && [run, undefined].includes(directions[next]); next += 1)
      if (directions[next] === run) end = next + 1;
    ordered.splice(first, end - first, ...pieces.slice(first, end).reverse());
    start = end - 1;
  }
  return ordered;
}
