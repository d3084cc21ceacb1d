import { mislabelled } from './mislabelled.js';
import { parseSafely, type ParsedDocument, type Parser } from './parser.js';
import type { Iconv } from './rtf/charset.js';
import { RtfReader } from './rtf/reader.js';

/** @throws ParseError E1001 when the file is no RTF, or nested too deep */
async function rtfDocument(bytes: Uint8Array): Promise<ParsedDocument> {
  if (
    !/^\s*\{\\(?:rtf|urtf)/.test(
      Buffer.from(bytes.subarray(0, 64))
        .toString('latin1')
        .replace(/^\u00ef\u00bb\u00bf/, ''),
    )
  ) {
    throw mislabelled(bytes, 'RTF');
  }
  const { default: iconv } = (await import('iconv-lite')) as unknown as { default: Iconv };
  const reader = new RtfReader(iconv);
  reader.read(bytes);
  const title = reader.title.trim() || reader.outline.title;
  const { blocks } = reader.outline;
  return title ? { title, blocks } : { blocks };
}

export const rtf: Parser = {
  name: 'rtf',
  extensions: ['rtf'],
  contentTypes: ['application/rtf', 'text/rtf'],
  parse: (bytes) => parseSafely(() => rtfDocument(bytes)),
};
