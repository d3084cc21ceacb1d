import { filesInArchive, isArchive } from './archive.js';
import { sentCharset } from './charset.js';
import { fileInObject } from './embedded-object.js';
import { requireContent, requireLabel } from './labels.js';
import { ParseError } from './parser.js';
import type { BlockStream, InnerFile, ParseContext, ParsedBlock, ParsedDocument } from './parser.js';
import { innerParserFor, parserFor } from './parsers.js';
import { titledDocument } from './titled-document.js';

/** The settings of a server for parsing. */
export interface ParseSettings {
  /** Languages as Tesseract names them, for example `eng`. */
  readonly ocrLanguages: readonly string[];
  /** The folder of their data; if unset, the built-in data for English. */
  readonly ocrDataDir?: string | undefined;
}

interface ParseOptions extends ParseSettings {
  /** The title of the item; a file with the same title does not repeat it. */
  readonly itemTitle?: string;
  readonly progress?: () => void;
}

/** How deep files may be nested: for example an attachment of a message that is attached to a message. */
const nestingMax = 3;
/** The limits for one uploaded file, at any depth. */
const innerFilesMax = 500;
const archivesMax = 10;

/**
 * Parses a file and the files inside it, by name or else by Content-Type. @throws ParseError, also while
 * blocks are read
 */
export async function streamFile(file: InnerFile, options: ParseOptions): Promise<BlockStream> {
  let [innerFiles, archives] = [0, 0];
  const read = async (each: InnerFile, depth: number): Promise<BlockStream> => {
    const parser = depth === 0 ? parserFor(each.name, each.contentType) : innerParserFor(each);
    if (!parser) throw new ParseError('E1001', 'no parser reads this file');
    requireContent(each);
    // Only for the uploaded file: the names of files within it were given by others.
    if (depth === 0) requireLabel(each);
    const context: ParseContext = {
      ...options,
      charset: sentCharset(each.contentType),
      readInner: (inner) => readInner(inner, depth + 1),
    };
    const document = await parser.parse(each.bytes, context);
    // A stream hands its title over itself.
    return isHeld(document)
      ? titledDocument(document, depth === 0 ? options.itemTitle : undefined)
      : document;
  };
  const blocksOf = async (inner: InnerFile, depth: number): Promise<ParsedBlock[]> => {
    if (!isArchive(inner)) return (await collect(await read(inner, depth))).blocks;
    archives += 1;
    const blocks: ParsedBlock[] = [];
    for (const each of archives > archivesMax ? [] : await filesInArchive(inner))
      for (const block of await readInner(each, depth + 1)) blocks.push(block);
    return blocks;
  };
  const readInner = async (given: InnerFile, depth: number): Promise<ParsedBlock[]> => {
    innerFiles += 1;
    if (depth > nestingMax || innerFiles > innerFilesMax) return [];
    const inner = innerParserFor(given) ? given : (fileInObject(given) ?? given);
    try {
      const blocks = await blocksOf(inner, depth);
      return blocks.map((block) => ({
        ...block,
        headings: [inner.name, ...block.headings],
        layout: { file: inner.name, ...block.layout },
      }));
    } catch (error) {
      if (error instanceof ParseError) return [];
      throw error;
    }
  };
  return read(file, 0);
}

async function collect(document: BlockStream): Promise<ParsedDocument> {
  if (isHeld(document)) return document;
  const blocks: ParsedBlock[] = [];
  for await (const block of document.blocks) blocks.push(block);
  return { ...document, blocks };
}

function isHeld(document: BlockStream): document is ParsedDocument {
  return Array.isArray(document.blocks);
}
