import { codeString } from '../../text/word-codes.js';
import { grown } from './grown-array.js';

const rowsMin = 1024;
const bytesMin = 64 * 1024;
const growth = 1.5;

/** The packed word codes of rows in memory, one after another. */
export class CodeCopy {
  /** Where the codes of each row begin; the last entry is the end of all. */
  private starts = new Uint32Array(rowsMin);
  private codes = new Uint8Array(bytesMin);
  private rows = 0;

  /** Adds rows: `lengths` says how many bytes of codes each has, and `codes` holds them all in that order. */
  append(lengths: readonly number[], codes: Uint8Array): void {
    let end = this.starts[this.rows] ?? 0;
    this.makeRoom(this.rows + lengths.length, end + codes.length);
    this.codes.set(codes, end);
    for (const length of lengths) this.starts[++this.rows] = end += length;
  }

  /** The codes of a row as a string (see codeString); empty for a row without any. */
  of(row: number): string {
    return codeString(this.codes.subarray(this.starts[row], this.starts[row + 1]));
  }

  /** Removes the rows whose new number is negative; the others keep their order. */
  renumber(numbers: Int32Array): void {
    let kept = 0;
    let end = 0;
    for (let row = 0; row < this.rows; row += 1) {
      const [from, to] = [this.starts[row] ?? 0, this.starts[row + 1] ?? 0];
      if ((numbers[row] ?? -1) < 0) continue;
      this.codes.copyWithin(end, from, to);
      this.starts[kept++] = end;
      end += to - from;
    }
    this.starts[kept] = end;
    this.rows = kept;
  }

  private makeRoom(rows: number, bytes: number): void {
    if (rows >= this.starts.length)
      this.starts = grown(this.starts, new Uint32Array(Math.ceil(rows * growth) + 1));
    if (bytes > this.codes.length) this.codes = grown(this.codes, new Uint8Array(Math.ceil(bytes * growth)));
  }
}
