import { encryptedFile } from '../parser.js';
import { numberAt, RecordReader, recordTypes, type PowerPointRecord } from './records.js';

const encryptedToken = 0xf3d1c4df;
const editsMax = 10_000;
/** The offset of the last field of an edit, which only encrypted files have. */
const encryptionOffset = 28;

/** The newest version of a binary PowerPoint document. */
export interface PersistedDocument {
  readonly document: PowerPointRecord | undefined;
  /** Finds a slide, master or notes page in its newest version. */
  readonly find: (persistId: number) => PowerPointRecord | undefined;
}

/**
 * Opens the newest versions of all parts of a file; each save may append only what was changed.
 * @throws ParseError E1001 when the file is encrypted
 */
export function persistedDocument(stream: Buffer, currentUser: Buffer | undefined): PersistedDocument {
  const reader = new RecordReader(stream);
  const offsets = new Map<number, number>();
  let documentId: number | undefined;
  if (currentUser && currentUser.length >= 20) {
    if (currentUser.readUInt32LE(12) === encryptedToken) throw encryptedFile();
    let edit = currentUser.readUInt32LE(16);
    for (const seen = new Set<number>(); edit !== 0 && !seen.has(edit) && seen.size < editsMax;) {
      seen.add(edit);
      const atom = reader.at(edit);
      if (atom?.type !== recordTypes.userEdit) break;
      if (atom.body.length >= encryptionOffset + 4) throw encryptedFile();
      documentId ??= numberAt(atom, 16);
      addOffsets(offsets, reader.at(numberAt(atom, 12)));
      edit = numberAt(atom, 8);
    }
  }
  const find = (id: number) => {
    const offset = offsets.get(id);
    return offset === undefined ? undefined : reader.at(offset);
  };
  return { document: documentId === undefined ? undefined : find(documentId), find };
}

/**
 * Reads a directory of offsets. An entry has the first id in 20 bits, their number in 12, and then the
 * offsets. Ids that are already known come from a newer edit and stay.
 */
function addOffsets(offsets: Map<number, number>, directory: PowerPointRecord | undefined): void {
  if (directory?.type !== recordTypes.persistDirectory) return;
  for (let at = 0; at + 4 <= directory.body.length;) {
    const entry = numberAt(directory, at);
    const [first, count] = [entry & 0xfffff, entry >>> 20];
    for (let index = 0; index < count; index += 1) {
      const offset = at + 4 * (index + 1);
      if (offset + 4 <= directory.body.length && !offsets.has(first + index))
        offsets.set(first + index, numberAt(directory, offset));
    }
    at += 4 * (count + 1);
  }
}
