import { reasonOf } from '../../lib/reason-of.js';

/** A piece of a document that can stand alone: a paragraph, a list item, a table row, a code block. */
export interface ParsedBlock {
  text: string;
  /** The headings that the block stands under, outermost first. */
  headings: string[];
  /**
   * Set for a table row, a list item or code: cut only when it is too long for a chunk, and then at line
   * ends.
   */
  keepTogether?: boolean;
  /** Set for text of earlier mails that a mail repeats; it never shares a chunk with the mail's own text. */
  quoted?: boolean;
  /** Where in the file it came from: `page`, `slide` and `row` count from 1, `sheet` and `file` are names. */
  layout?: Record<string, unknown>;
}

/** A document whose blocks are all in memory. */
export interface ParsedDocument {
  title?: string;
  /** When it was sent, for a mail that says so. */
  readonly sentAt?: Date;
  blocks: ParsedBlock[];
}

/**
 * A document whose blocks are made one by one, since the file may be too large to hold all. Asking for the
 * next one may throw a ParseError.
 */
export interface BlockStream {
  readonly title?: string;
  readonly sentAt?: Date;
  readonly blocks: Iterable<ParsedBlock> | AsyncIterable<ParsedBlock>;
}

/** A file inside a file: an attachment, or a forwarded message. */
export interface InnerFile {
  readonly name: string;
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

/** What a parser is given beside the file. */
export interface ParseContext {
  /** Languages as Tesseract names them, for example `eng`. */
  readonly ocrLanguages: readonly string[];
  /** The folder of their data, as openOcrData found it; if unset, the built-in data for English. */
  readonly ocrDataDir?: string | undefined;
  /** The charset that the sender of the file named; what the file itself shows takes precedence. */
  readonly charset?: string | undefined;
  /**
   * The blocks of a file within this one, under its name as heading. Empty when its kind is not supported, it
   * cannot be read, or files are nested too deep.
   */
  readInner(file: InnerFile): Promise<ParsedBlock[]>;
  /**
   * Reports that a part which takes seconds is done, for example a recognised page. The next part then gets
   * as much time as a small file.
   */
  progress?(): void;
}

/**
 * Turns files of one family of formats into blocks. Each family has one file, and one line in parsers.ts.
 * That list is also used where nothing is parsed, so libraries are imported only when `parse` runs.
 */
export interface Parser<Document extends BlockStream = ParsedDocument> {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Lower case, without parameters; they decide only for file names that have no extension. */
  readonly contentTypes: readonly string[];
  /** Rejects with ParseError only. What grows with the file, as rows do, is better streamed than held. */
  parse(bytes: Uint8Array, context: ParseContext): Promise<Document>;
}

/**
 * Why a file cannot be parsed. E1001: it is corrupt, or of another kind than it claims. E2002: it has no
 * readable text.
 */
export class ParseError extends Error {
  constructor(
    readonly code: 'E1001' | 'E2002',
    message: string,
  ) {
    super(message);
    this.name = 'ParseError';
  }
}

/** The error for an encrypted file; `reason` is a clause. */
export function encryptedFile(reason = 'it opens only with a password'): ParseError {
  return new ParseError('E1001', `The file is encrypted: ${reason}.`);
}

/** The error for a mislabelled file; `found` is a clause such as `it is no PDF`. */
export function mislabelledFile(found: string): ParseError {
  return new ParseError('E1001', `The file is not what its extension says: ${found}.`);
}

/**
 * Returns a document without its blank blocks. @throws ParseError E2002, naming the `owner`, when nothing is
 * left
 */
export function requireText(document: ParsedDocument, owner = 'file'): ParsedDocument {
  const blocks = document.blocks.filter(({ text }) => isReadable(text));
  if (blocks.length === 0) throw nothingReadable(owner);
  return { ...document, blocks };
}

/**
 * Runs a parser's own work. Whatever a library throws, including a stack overflow, becomes ParseError E1001.
 */
export async function parseSafely(
  work: () => ParsedDocument | Promise<ParsedDocument>,
): Promise<ParsedDocument> {
  try {
    return requireText(await work());
  } catch (error) {
    throw toParseError(error);
  }
}

/** The same for blocks that are made one by one; errors after the first come out of the stream. */
export async function streamSafely(work: () => BlockStream | Promise<BlockStream>): Promise<BlockStream> {
  try {
    const stream = await work();
    return { ...stream, blocks: filledBlocks(stream.blocks) };
  } catch (error) {
    throw toParseError(error);
  }
}

async function* filledBlocks(blocks: BlockStream['blocks']): AsyncGenerator<ParsedBlock> {
  let isEmpty = true;
  try {
    for await (const block of blocks) {
      if (!isReadable(block.text)) continue;
      isEmpty = false;
      yield block;
    }
  } catch (error) {
    throw toParseError(error);
  }
  if (isEmpty) throw nothingReadable('file');
}

/** Whether a text has more than spaces and characters without width, such as U+200B. */
export function isReadable(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** The error for a file, or a part of one, without any text. */
export function nothingReadable(owner: string): ParseError {
  return new ParseError('E2002', `The ${owner} contains no readable text.`);
}

function toParseError(error: unknown): ParseError {
  if (error instanceof ParseError) return error;
  const reason = reasonOf(error);
  return new ParseError('E1001', `The file cannot be read: ${reason}`);
}
