import { isUtf8 } from 'node:buffer';

/** What a part of a multipart form says before its content. */
export interface PartHead {
  /** The name of its file that is written as RFC 5987 has it, `filename*=UTF-8''na%C3%AFve.txt`, without folders. */
  readonly extendedFilename: string | undefined;
  /** As its Content-Type names it. */
  readonly charset: string | undefined;
  /** Whether its names are UTF-8: as they came, not as they were decoded. */
  readonly isUtf8: boolean;
}

const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
/** As the reader of forms has it. */
const headBytesMax = 80 * 1024;
/** More parts than any form that is read. */
const headsMax = 10_000;
const plainHead: PartHead = {
  extendedFilename: undefined,
  charset: undefined,
  isUtf8: true,
};

/**
 * The heads of the parts of a form, read beside its reader, which drops the charset of a part, and of which
 * some put U+FFFD where a file name is not UTF-8 or leave out one that RFC 5987 escapes.
 */
export class PartHeads {
  private readonly delimiter: Buffer;
  /** What has come and is not done with. The first delimiter needs no line end before it. */
  private rest: Buffer = lineEnd;
  private isInHead = false;
  private readonly heads: PartHead[] = [];

  /** Of a request's own content type, which names the delimiter. */
  constructor(contentType: string) {
    const [, quoted, bare] = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
    this.delimiter = Buffer.from(`\r\n--${quoted ?? bare ?? ''}`);
  }

  /** The next piece of the body, before the form's reader has it. */
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

  /** Of the next part that the form's reader gives out. */
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
