import { createHash } from 'node:crypto';
import { IncomingFile } from '../storage/incoming-file.js';

/**
 * The SHA-256 of everything that a request asks for, whose files have been received. Forms count by their
 * content, not by how their parts were separated.
 */
export function digest(asked: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(describe(asked)))
    .digest();
}

function describe(value: unknown): unknown {
  if (value instanceof IncomingFile) {
    if (!value.settled) throw new Error(`the file ${value.filename} is still arriving`);
    const { sha256, bytes } = value.settled;
    return { file: value.filename, contentType: value.contentType, sha256, bytes };
  }
  if (Array.isArray(value)) return value.map(describe);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, entry]) => [name, describe(entry)]);
}
