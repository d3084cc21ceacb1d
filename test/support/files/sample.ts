/** A small honest file of one kind. */
export interface Sample {
  /** Names its kind. */
  readonly extension: string;
  bytes(): Uint8Array | Promise<Uint8Array>;
  /** What a block must say. */
  readonly text: string;
  /** Of that block. */
  readonly headings?: readonly string[];
  readonly layout?: Readonly<Record<string, unknown>>;
  /** Takes long to read: it is damaged fewer times. */
  readonly isSlow?: boolean;
}
