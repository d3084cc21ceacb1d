import { isUtf8 } from 'node:buffer';

/** The headers of a part of a multipart form. */
export interface PartHead {
  /** The file name from `filename*` (RFC 5987: `filename*=UTF-8''na%C3%AFve.txt`), without folders. */
  readonly extendedFilename: string | undefined;
  /** The charset in its Content-Type. */
  readonly charset: string | undefined;
  /** Whether its names were UTF-8 before they were decoded. */
  readonly isUtf8: boolean;
}

const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
/** The limit of the multipart parser. */
const headBytesMax = 80 * 1024;
/** More parts than any form that is accepted has. */
const headsMax = 10_000;
const plainHead: PartHead = {
  extendedFilename: undefined,
  charset: undefined,
  isUtf8: true,
};

/**
 * Reads the heads of a form's parts alongside the multipart parser, which drops a part's charset, replaces
 * what is not UTF-8 in a file name with U+FFFD, and leaves out some names that RFC 5987 escapes.
 */
export class PartHeads {
  private readonly delimiter: Buffer;
  /** What has arrived and not been consumed. The first delimiter needs no line end before it. */
  private rest: Buffer = lineEnd;
  private isInHead = false;
  private readonly heads: PartHead[] = [];

  /** Takes the request's own content type, which names the delimiter. */
  constructor(contentType: string) {
    const [, quoted, bare] = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
    this.delimiter = Buffer.from(`\r\n--${quoted ?? bare ?? ''}`);
  }

  /** Adds the next piece of the body, before the parser gets it. */
  add(piece: Buffer): void {
    this.rest = Buffer.concat([this.rest, piece]);
    for (;;) {
      const sought = this.isInHead ? headEnd : this.delimiter;
      const at = this.rest.indexOf(sought);
      if (at < 0) break;
      if (this.isInHead) this.addHead(this.rest.subarray(0, at));
      this.rest = this.rest.subarray(at + sought.length);
      this.isInHead = !this.isInHead;
    }
    const keptMax = this.isInHead ? headBytesMax : this.delimiter.length - 1;
    this.rest = this.rest.subarray(Math.max(0, this.rest.length - keptMax));
  }

  /** The head of the next part that the parser delivers. */
  next(): PartHead {
    return this.heads.shift() ?? plainHead;
  }

  private addHead(bytes: Buffer): void {
    const head = bytes.toString('utf8');
    const disposition = /^content-disposition:[ \t]*form-data\b(.*)/im.exec(head)?.[1];
    if (disposition === undefined || this.heads.length >= headsMax) return;
    const charset = /^content-type:[^\r\n]*;[ \t]*charset[ \t]*=[ \t]*"?([\w.:+-]{1,40})/im.exec(head)?.[1];
    this.heads.push({
      extendedFilename: extendedFilename(disposition),
      charset,
      isUtf8: isUtf8(bytes),
    });
  }
}

function extendedFilename(disposition: string): string | undefined {
  const [, charset = '', escaped = ''] =
    /;[ \t]*filename\*[ \t]*=[ \t]*"?([\w.:+-]{1,40})'[\w-]*'([^\s;"]+)/i.exec(disposition) ?? [];
  if (escaped === '') return undefined;
  const characters = escaped.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  try {
    const name = new TextDecoder(charset, { fatal: true }).decode(Buffer.from(characters, 'latin1'));
    return name.replace(/^.*[/\\]/s, '');
  } catch {
    return undefined;
  }
}
