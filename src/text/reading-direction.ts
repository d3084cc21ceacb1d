/**
 * Letters that are written from right to left. Digits of these scripts are left
 * out: they run from left to right.
 */
const rightToLeft = /(?![\u0660-\u0669\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const leftToRight = /(?!(?![\u0660-\u0669\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u;

/** What ends a clause, at the left end of a word that is read from the right. */
const clauseEnd = /^[.,:;!?…،؛؟]+/u;

type Direction = 'left' | 'right' | undefined;

/** Puts a line whose words are in visual order, from left to right, into the order in which it is read. */
export function lineAsRead(line: string): string {
  if (!rightToLeft.test(line)) return line;
  return piecesAsRead(line.split(' ').map(wordAsRead), (word) => word).join(' ');
}

function wordAsRead(word: string): string {
  const [end = ''] = (rightToLeft.test(word) && clauseEnd.exec(word)) || [];
  return word.slice(end.length) + end;
}

/**
 * Puts pieces of a line that are in visual order, from left to right, into reading order. A mainly Hebrew
 * or Arabic line is reversed, except for the Latin words in it. In another line only the Hebrew or Arabic
 * runs are reversed.
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

/**
 * Reverses the runs of one direction. A piece without letters belongs to a run if it stands within it; a
 * number directly before Latin words does too, as in a reversed `Windows 10`.
 */
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
