import { decodeText } from './charset.js';
import { parseSafely, type Parser } from './parser.js';

/**
 * The charset that a page declares, in `<meta charset="…">` or `<meta http-equiv … content="text/html;
 * charset=…">`.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  return /<meta\b[^>]*?charset\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1];
}

export const html: Parser = {
  name: 'html',
  extensions: ['html', 'htm'],
  contentTypes: ['text/html'],
  parse: (bytes, { charset }) =>
    parseSafely(async () => {
      const { htmlDocument } = await import('./html/document.js');
      return htmlDocument(decodeText(bytes, charset ?? declaredCharset(bytes)));
    }),
};
