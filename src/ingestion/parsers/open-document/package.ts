import { bufferOf } from '../../../lib/buffer-of.js';
import { encryptedFile, mislabelledFile } from '../parser.js';
import { childrenOf, descendantsOf, type XmlElement } from '../xml/reader.js';
import { unzip } from '../zip.js';

const described = /^mimetype$|^META-INF\/manifest\.xml$/;
const margins = ['header', 'header-first', 'header-left', 'footer', 'footer-first', 'footer-left'];

/** The parts of a document by path. */
export type OpenDocumentParts = ReadonlyMap<string, Uint8Array>;

/**
 * Unpacks the parts whose paths are wanted; content.xml has to be among them.
 * @throws ParseError E1001 when the file is encrypted, or not of the `kind` (`text`, `spreadsheet`, …)
 */
export async function unpackOpenDocument(
  bytes: Uint8Array,
  { kind, wanted }: { readonly kind: string; readonly wanted: RegExp },
): Promise<{ parts: OpenDocumentParts; content: Uint8Array }> {
  const parts = await unzip(bytes, (name) => described.test(name) || wanted.test(name));
  const latin1 = (name: string) => bufferOf(parts.get(name)).toString('latin1');
  if (latin1('META-INF/manifest.xml').includes('encryption-data')) throw encryptedFile();
  const content = parts.get('content.xml');
  const type = latin1('mimetype');
  if (content === undefined || (type.includes('opendocument') && !type.includes(kind))) {
    throw mislabelledFile(`it is no ${kind} of OpenDocument`);
  }
  return { parts, content };
}

/** The headers and footers of pages that are shown, from styles.xml. */
export function pageMargins(styles: XmlElement | undefined): XmlElement[] {
  const pages = styles ? descendantsOf(styles, 'master-page') : [];
  return pages
    .flatMap((page) => childrenOf(page, ...margins))
    .filter(({ attributes }) => attributes.display !== 'false');
}
