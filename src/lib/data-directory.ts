import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from './reason-of.js';
import { StartupError } from './startup-error.js';

/** Makes DATA_DIR where it is not there yet, for this user alone. @throws StartupError when it cannot be used */
export function makeDataDirectory(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be used: ${reasonOf(error)}`);
  }
}

/** Folder by folder: with `recursive` Node tries for ever where nothing can be made (/proc). */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
