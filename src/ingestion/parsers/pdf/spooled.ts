import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../../lib/units.js';

/**
 * A larger PDF is given as a file: the library copies bytes twice for each question, but reads of a file only
 * what it needs.
 */
const bytesMaxInMemory = 4 * 1024 * 1024;
const prefix = 'contexture-pdf-';
/** No file takes that long to parse, so its process must have been killed. */
const leftOverMs = hourMs;

/**
 * Gives `use` the PDF in the form that takes the least memory: as bytes, or as the path of a temporary file,
 * which is removed afterwards.
 */
export async function spooled<Result>(
  pdf: Buffer,
  use: (source: Buffer | string) => Promise<Result>,
): Promise<Result> {
  if (pdf.byteLength <= bytesMaxInMemory) return use(pdf);
  await removeLeftOvers();
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    const path = join(folder, 'file.pdf');
    await writeFile(path, pdf, { mode: 0o600 });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftOvers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    const status = await stat(folder).catch(() => undefined);
    if (status && Date.now() - status.mtimeMs > leftOverMs) {
      // It may belong to another user.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
