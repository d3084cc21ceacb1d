/**
 * What may change how an ampersand is read: the beginning of a stretch that has no entities, or an ampersand
 * that begins none.
 */
const turningPoint =
  /<!\[CDATA\[|<!--|<\?|&(?!#\d{1,7};|#[xX][\dA-Fa-f]{1,6};|[\p{L}_:][\p{L}\p{N}_:.-]{0,63};)/gu;
const ends: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };
/** No turning point is longer, with what has to be seen behind it. */
const charactersSeen = 160;

/**
 * XML, in pieces, whose ampersands all begin an entity: `Tom & Jerry` becomes `Tom &amp; Jerry`. A parser takes
 * all up to the next semicolon for the name of an entity, with the elements in it.
 */
export function* withWholeEntities(pieces: Iterable<string>): Generator<string> {
  const reader = new EntityReader();
  for (const piece of pieces) yield reader.read(piece);
  yield reader.rest();
}

class EntityReader {
  private held = '';
  /** What ends the stretch without entities that has begun. */
  private end: string | undefined;

  read(piece: string): string {
    const text = this.held + piece;
    return this.readUntil(text, text.length - charactersSeen);
  }

  rest(): string {
    return this.readUntil(this.held, this.held.length);
  }

  /** Reads what begins before a place, and holds the rest. */
  private readUntil(text: string, limit: number): string {
    let [read, at] = ['', 0];
    while (at < limit) {
      const { end } = this;
      const { place, what } = end === undefined ? turnAfter(text, at) : endAfter(text, at, end);
      if (place >= limit) {
        read += text.slice(at, limit);
        at = limit;
      } else {
        read += text.slice(at, place) + (what === '&' ? '&amp;' : what);
        at = place + what.length;
        this.end = end === undefined ? ends[what] : undefined;
      }
    }
    this.held = text.slice(at);
    return read;
  }
}

function turnAfter(text: string, at: number): { place: number; what: string } {
  turningPoint.lastIndex = at;
  const { index = Infinity, 0: what = '' } = turningPoint.exec(text) ?? {};
  return { place: index, what };
}

function endAfter(text: string, at: number, end: string): { place: number; what: string } {
  const place = text.indexOf(end, at);
  return { place: place < 0 ? Infinity : place, what: end };
}
