import { bufferOf } from '../../lib/buffer-of.js';
import { isCompoundFile, openCompoundFile, type CompoundStorage } from './office/compound-file.js';
import { ParseError, type InnerFile } from './parser.js';
import { isZip } from './zip.js';

/** Streams of compound files that hold a whole file of another format. */
const fileStreams = ['Package', 'CONTENTS', 'EmbeddedOdf'];
/** The stream of a file that was put into a document as it is, with its name. */
const packagedStream = '\u0001Ole10Native';
const isPackaged = 2;
/** Compound files that are documents themselves, by the name of a stream. */
const documentStreams: readonly (readonly [stream: string, extension: string])[] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['__properties_version1.0', 'msg'],
];
/** Names that stand unpacked in a zip archive of a document. */
const zippedNames: readonly (readonly [name: string, extension: string])[] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['opendocument.text', 'odt'],
  ['opendocument.spreadsheet', 'ods'],
  ['opendocument.presentation', 'odp'],
];

interface CompoundWriter {
  readonly CFB: {
    readonly utils: { cfb_new(): object; cfb_add(file: object, name: string, content: Uint8Array): void };
    write(file: object, options: { type: 'buffer' }): Buffer;
  };
}

/**
 * The file that an object of an office document holds, for an object whose own name (`oleObject1.bin`) does
 * not say of what kind it is. Undefined when it holds none of a kind that is known here.
 */
export function fileInObject({ name, bytes }: InnerFile): InnerFile | undefined {
  try {
    return isCompoundFile(bytes) ? fileInCompound(name, bytes) : named(name, bytes);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** The objects of an old Office document, each as a file; every storage is one. */
export async function objectsIn(storages: Iterable<CompoundStorage>): Promise<InnerFile[]> {
  const { CFB } = (await import('@e965/xlsx')) as unknown as CompoundWriter;
  return [...storages].map(({ streams }, index) => {
    const file = CFB.utils.cfb_new();
    for (const [name, stream] of streams) CFB.utils.cfb_add(file, `/${name}`, stream.read());
    return { name: `Object ${index + 1}`, bytes: CFB.write(file, { type: 'buffer' }) };
  });
}

function fileInCompound(name: string, bytes: Uint8Array): InnerFile | undefined {
  const { streams } = openCompoundFile(bytes);
  const extension = documentStreams.find(([stream]) => streams.has(stream))?.[1];
  if (extension !== undefined) return { name: withExtension(name, extension), bytes };
  const packaged = streams.get(packagedStream);
  if (packaged) return packagedFile(bufferOf(packaged.read()));
  const stream = fileStreams.find((each) => streams.has(each));
  return stream === undefined ? undefined : named(name, streams.get(stream)?.read() ?? new Uint8Array());
}

function named(name: string, bytes: Uint8Array): InnerFile | undefined {
  const source = bufferOf(bytes);
  const extension = isZip(bytes)
    ? zippedNames.find(([part]) => source.includes(part))?.[1]
    : source.toString('latin1', 0, 5) === '%PDF-'
      ? 'pdf'
      : undefined;
  return extension === undefined ? undefined : { name: withExtension(name, extension), bytes };
}

function withExtension(name: string, extension: string): string {
  return `${name.replace(/\.bin$/i, '')}.${extension}`;
}

/**
 * Reads what Windows stores of a file: after its size and a flag two names, then a path with its length, then
 * the content with its length.
 */
function packagedFile(source: Buffer): InnerFile | undefined {
  if (source.length < 6 || source.readUInt16LE(4) !== isPackaged) return undefined;
  const labelEnd = source.indexOf(0, 6);
  const nameEnd = source.indexOf(0, labelEnd + 1);
  const pathAt = nameEnd + 9;
  if (labelEnd < 0 || nameEnd < 0 || pathAt > source.length) return undefined;
  const sizeAt = pathAt + source.readUInt32LE(pathAt - 4);
  if (sizeAt + 4 > source.length) return undefined;
  const name = source.toString('latin1', 6, labelEnd).replace(/^.*[\\/]/, '');
  return { name, bytes: source.subarray(sizeAt + 4, sizeAt + 4 + source.readUInt32LE(sizeAt)) };
}
