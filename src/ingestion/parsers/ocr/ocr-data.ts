import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { packageRoot } from '../../../lib/package-root.js';
import { StartupError } from '../../../lib/startup-error.js';

/** The built-in data for English, which the build unpacks into dist/tessdata. */
export const builtInOcrData = join(packageRoot, 'dist', 'tessdata');
const systemFolders = ['/usr/share/tesseract-ocr', '/usr/share/tessdata', '/usr/local/share/tessdata'];

/**
 * The folder with the data of all these languages: the built-in one, or the operator's own in the data
 * directory. Languages installed as @tesseract.js-data/<language>, or with Tesseract itself, are copied into
 * the latter. Nothing is downloaded.
 * @throws StartupError naming the languages without data
 */
export async function openOcrData(languages: readonly string[], dataDir: string): Promise<string> {
  const own = join(dataDir, 'tessdata');
  const isOwn = languages.some((language) => existsSync(dataFile(own, language)));
  if (!isOwn && hasOcrData(builtInOcrData, languages)) return builtInOcrData;
  await mkdir(own, { recursive: true });
  const missing: string[] = [];
  for (const language of languages) {
    if (!existsSync(dataFile(own, language)) && !(await install(language, own))) missing.push(language);
  }
  if (missing.length === 0) return own;
  throw new StartupError(
    `configuration: OCR_LANGUAGES: no data for ${missing.join(', ')}: put ${missing[0]}.traineddata into ${own}, ` +
      `or install @tesseract.js-data/${missing[0]} or the system's package tesseract-ocr-${missing[0]}`,
  );
}

/** Whether a folder has the data of all these languages. */
export function hasOcrData(folder: string, languages: readonly string[]): boolean {
  return languages.every((language) => existsSync(dataFile(folder, language)));
}

function dataFile(folder: string, language: string): string {
  return join(folder, `${language}.traineddata`);
}

/** Copies the data of a language into a folder; false when it is nowhere on this machine. */
async function install(language: string, folder: string): Promise<boolean> {
  const packed = await packagedData(language);
  const installed = packed ? undefined : await systemData(language);
  if (!packed && !installed) return false;
  // Written under another name first, so that a process that starts at the same time never sees half a file.
  const draft = join(folder, `.${language}.${process.pid}`);
  if (packed) await writeFile(draft, await promisify(gunzip)(await readFile(packed)));
  else if (installed) await copyFile(installed, draft);
  await rename(draft, dataFile(folder, language));
  return true;
}

async function packagedData(language: string): Promise<string | undefined> {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`);
    const folders = (await readdir(dirname(manifest))).filter((name) => /^\d/.test(name)).sort();
    // The last folder by name: `4.0.0_best_int` reads better than `4.0.0`.
    return folders
      .reverse()
      .map((name) => `${dataFile(join(dirname(manifest), name), language)}.gz`)
      .find((file) => existsSync(file));
  } catch {
    return undefined;
  }
}

/** The data installed with Tesseract. Debian has a folder for each of its versions. */
async function systemData(language: string): Promise<string | undefined> {
  for (const folder of systemFolders) {
    if (!existsSync(folder) || !(await stat(folder)).isDirectory()) continue;
    const versions = (await readdir(folder)).sort().reverse();
    const folders = [folder, ...versions.map((version) => join(folder, version, 'tessdata'))];
    const found = folders.map((each) => dataFile(each, language)).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return undefined;
}
