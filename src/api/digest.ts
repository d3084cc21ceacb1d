import { createHash } from 'node:crypto';
import { IncomingFile } from '../storage/incoming-file.js';

/**
 * The SHA-256 of everything that a request asks for. Forms count by their content, not by how their parts
 * were separated.
 */
export async function digest(asked: unknown): Promise<Buffer> {
  return createHash('sha256')
    .update(JSON.stringify(await describe(asked)))
    .digest();
}

async function describe(value: unknown): Promise<unknown> {
  if (value instanceof IncomingFile) {
    const { sha256, bytes } = await value.received;
    return { file: value.filename, contentType: value.contentType, sha256, bytes };
  }
  if (Array.isArray(value)) return Promise.all(value.map(describe));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(entries.map(async ([name, entry]) => [name, await describe(entry)]));
}
