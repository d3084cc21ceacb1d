/** One piece of a document that stands by itself: a paragraph, a list item, a table row, a code block. */
export interface ParsedBlock {
  text: string;
  /** The headings that the block stands under, outermost first. */
  headings: string[];
  /** A table row, a list item or code: cut at line ends, and only when it is too long for a chunk. */
  keepTogether?: boolean;
  /** Where in the file it came from: `page`, `slide` and `row` count from 1, `sheet` and `file` are names. */
  layout?: Record<string, unknown>;
}

export interface ParsedDocument {
  title?: string;
  blocks: ParsedBlock[];
}

/** A file within a file: an attachment, a message that was forwarded. */
export interface InnerFile {
  readonly name: string;
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

export interface ParseContext {
  /** By the names of Tesseract, e.g. `eng`. */
  readonly ocrLanguages: readonly string[];
  /** The folder of their data, as openOcrData found it; unset: the built-in one, of English. */
  readonly ocrDataDir?: string | undefined;
  /**
   * The blocks of a file within this one, under its name as a heading; none when its kind is not read, when it cannot
   * be read, or when files are nested too deep.
   */
  readInner(file: InnerFile): Promise<ParsedBlock[]>;
}

/**
 * Turns the bytes of one family of files into blocks. One file per family, one line in parsers.ts. The list is also read
 * where nothing is parsed: libraries are imported when `parse` runs.
 */
export interface Parser {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Lower case, without parameters; they decide only for file names that have no extension. */
  readonly contentTypes: readonly string[];
  /** Rejects with ParseError only. */
  parse(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument>;
}

/** E1001: the file is corrupt or of another kind than it claims; E2002: it holds no readable text. */
export class ParseError extends Error {
  constructor(
    readonly code: 'E1001' | 'E2002',
    message: string,
  ) {
    super(message);
    this.name = 'ParseError';
  }
}

/** The document without its blank blocks; throws ParseError E2002 when nothing is left. */
export function requireText(document: ParsedDocument): ParsedDocument {
  const blocks = document.blocks.filter((block) => /\S/.test(block.text));
  if (blocks.length === 0) throw new ParseError('E2002', 'The file contains no readable text.');
  return { ...document, blocks };
}

/** Runs a parser's own work; whatever a library throws, a stack overflow included, becomes ParseError E1001. */
export async function parseSafely(
  work: () => ParsedDocument | Promise<ParsedDocument>,
): Promise<ParsedDocument> {
  try {
    return requireText(await work());
  } catch (error) {
    if (error instanceof ParseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ParseError('E1001', `The file cannot be read: ${reason}`);
  }
}
