import type { Config } from '../config.js';
import { DiskOriginals } from './disk-originals.js';
import type { Originals } from './originals.js';
import type { UploadSpool } from './upload-spool.js';

/** Opens the store that the configuration chooses. */
export async function openOriginals(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  spool: UploadSpool,
): Promise<Originals> {
  if (s3) {
    // The SDK is loaded only where it is used.
    const { S3Originals } = await import('./s3-originals.js');
    return new S3Originals(s3, spool);
  }
  const disk = new DiskOriginals(dataDir);
  await disk.prepare();
  return disk;
}
