import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderFake } from './provider-fake.js';

/** A folder on the disk of the test. */
export function startFilesystemFake(): ProviderFake & { readonly root: string; readonly folder: string } {
  const root = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'roots-'));
  const folder = join(root, 'handbook');
  mkdirSync(folder);
  let files = 0;
  return {
    root,
    folder,
    baseUrl: undefined,
    credentials: {},
    wrongCredentials: undefined,
    resource: { id: folder, type: 'folder' },
    missingResourceId: 'nothing',
    filesystemRoots: [root],
    requests: undefined,
    add: async (count, word) =>
      Array.from({ length: count }, () => {
        files += 1;
        const path = join(folder, `note-${files}.txt`);
        writeFileSync(path, `The ${word} in note ${files}.`);
        return path;
      }),
    edit: async (path, word) => {
      writeFileSync(path, `The ${word} is another.`);
      utimesSync(path, new Date(), new Date());
    },
    remove: async (path) => rmSync(path),
    fail: undefined,
    close: async () => rmSync(root, { recursive: true }),
  };
}
