import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { parserFor } from '../../../ingestion/parsers/parsers.js';
import { LIMITS } from '../../../limits.js';
import type { JsonObject } from '../../../sources/source.types.js';
import type { Item, ItemFile } from '../../provider.js';
import { filled, personOf } from '../item-fields.js';
import type { DriveApi, DriveFile } from './drive-api.js';
import { GoogleError } from './google-error.js';

/** A format in which Google's own documents are exported. */
interface ExportFormat {
  readonly mimeType: string;
  readonly extension: string;
}

const openXml = 'application/vnd.openxmlformats-officedocument';
const plainText: ExportFormat = { mimeType: 'text/plain', extension: 'txt' };
const commaSeparated: ExportFormat = { mimeType: 'text/csv', extension: 'csv' };

/**
 * For each type first the format that keeps most, then one for documents that are too large in the first;
 * without pictures they fit.
 */
const exportFormats: Readonly<Record<string, { readonly type: string; readonly formats: ExportFormat[] }>> = {
  'application/vnd.google-apps.document': {
    type: 'document',
    formats: [{ mimeType: `${openXml}.wordprocessingml.document`, extension: 'docx' }, plainText],
  },
  'application/vnd.google-apps.spreadsheet': {
    type: 'spreadsheet',
    formats: [{ mimeType: `${openXml}.spreadsheetml.sheet`, extension: 'xlsx' }, commaSeparated],
  },
  'application/vnd.google-apps.presentation': {
    type: 'presentation',
    formats: [{ mimeType: `${openXml}.presentationml.presentation`, extension: 'pptx' }, plainText],
  },
  'application/vnd.google-apps.drawing': {
    type: 'drawing',
    formats: [{ mimeType: 'application/pdf', extension: 'pdf' }],
  },
};

/** Whether a file has text that can be read. */
export function isReadable(file: DriveFile): boolean {
  if (file.capabilities?.canDownload === false) return false;
  if (exportFormats[file.mimeType ?? '']) return true;
  const size = Number(file.size ?? 0);
  return size > 0 && size <= LIMITS.fileBytesMax && filenameOf(file) !== undefined;
}

/** The item of a file; undefined when Google does not hand its content out. */
export async function driveItem(
  api: DriveApi,
  file: DriveFile,
  signal: AbortSignal,
): Promise<Item | undefined> {
  const exported = exportFormats[file.mimeType ?? ''];
  const content = exported ? await exportedFile(api, file, signal) : storedFile(api, file);
  if (!content) return undefined;
  return {
    kind: 'knowledge_base',
    title: titleOf(file),
    type: exported?.type ?? 'file',
    ...(file.description ? { description: file.description } : {}),
    ...(file.webViewLink ? { url: file.webViewLink } : {}),
    ...(file.createdTime ? { timestamp: file.createdTime } : {}),
    fields: fieldsOf(file),
    file: content,
    native: nativeOf(file),
  };
}

function titleOf({ name, id }: DriveFile): string {
  return name?.trim() || id || '';
}

function fieldsOf({ owners, lastModifyingUser, createdTime, modifiedTime }: DriveFile): JsonObject {
  return filled({
    created_by: personOf(owners?.[0]?.displayName, owners?.[0]?.emailAddress),
    updated_by: personOf(lastModifyingUser?.displayName, lastModifyingUser?.emailAddress),
    created_at: createdTime,
    updated_at: modifiedTime,
  });
}

function nativeOf({ id, parents, driveId, mimeType }: DriveFile): Record<string, string> {
  return filled({ file_id: id, folder_id: parents?.[0], drive_id: driveId, mime_type: mimeType });
}

/**
 * Exports a document, at most 10 MB, in the first format that works. It is read at once, while another format
 * can still be chosen.
 */
async function exportedFile(
  api: DriveApi,
  file: DriveFile,
  signal: AbortSignal,
): Promise<ItemFile | undefined> {
  for (const { mimeType, extension } of exportFormats[file.mimeType ?? '']?.formats ?? []) {
    const bytes = await exportBytes(api, { fileId: file.id ?? '', mimeType }, signal);
    if (!bytes) continue;
    const filename = `${plainName(file)}.${extension}`;
    return { filename, contentType: mimeType, open: () => Promise.resolve(bytes) };
  }
  return undefined;
}

/** The exported bytes; undefined when the document is too large in this format, or may not be exported. */
async function exportBytes(
  api: DriveApi,
  params: { fileId: string; mimeType: string },
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const data = await api.ask(signal, (drive, options) =>
      drive.files.export(params, { ...options, responseType: 'arraybuffer' }),
    );
    return Buffer.from(data as ArrayBuffer);
  } catch (error) {
    if (error instanceof GoogleError && (isRefusedContent(error) || error.kind === 'missing'))
      return undefined;
    throw error;
  }
}

/** Whether the content of this file is refused, and not the access to the folder. */
function isRefusedContent({ kind, reason }: GoogleError): boolean {
  return kind === 'refused' && /^(?:exportSizeLimitExceeded|cannot\w+|fileNot\w+)$/.test(reason);
}

function storedFile(api: DriveApi, file: DriveFile): ItemFile | undefined {
  const filename = filenameOf(file);
  if (filename === undefined) return undefined;
  const open = async (signal: AbortSignal) => {
    const data = await api.ask(signal, (drive, options) =>
      drive.files.get(
        { fileId: file.id ?? '', alt: 'media', supportsAllDrives: true },
        { ...options, responseType: 'stream' },
      ),
    );
    // It is typed as the stream of node-fetch, but our fetch gives a web stream.
    return Readable.fromWeb(data as unknown as ReadableStream);
  };
  return { filename, ...(file.mimeType ? { contentType: file.mimeType } : {}), open };
}

/** A name with an extension that we read: its own, or the one of its type; undefined when we read neither. */
function filenameOf(file: DriveFile): string | undefined {
  const name = plainName(file);
  if (parserFor(name)) return name;
  const extension = parserFor('', file.mimeType ?? '')?.extensions[0];
  return extension === undefined ? undefined : `${name}.${extension}`;
}

function plainName(file: DriveFile): string {
  return titleOf(file).replace(/[\\/]/g, '-');
}
