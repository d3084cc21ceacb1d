import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hasOcrData, openOcrData } from '../../src/ingestion/parsers/ocr/ocr-data.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ocr-data-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true });
});

test('English is built in', async () => {
  const folder = await openOcrData(['eng'], dataDir);
  expect(hasOcrData(folder, ['eng'])).toBe(true);
  expect(folder.startsWith(dataDir)).toBe(false);
});

test('what the operator has put into the data folder is used, with English from its package beside it', async () => {
  await mkdir(join(dataDir, 'tessdata'));
  await writeFile(join(dataDir, 'tessdata', 'tlh.traineddata'), 'data');
  const folder = await openOcrData(['eng', 'tlh'], dataDir);
  expect(folder).toBe(join(dataDir, 'tessdata'));
  expect((await readFile(join(folder, 'eng.traineddata'))).byteLength).toBeGreaterThan(1_000_000);
});

test('a language that is nowhere is told when the server starts, with where to put it', async () => {
  await expect(openOcrData(['eng', 'tlh'], dataDir)).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/OCR_LANGUAGES.*tlh\.traineddata.*tessdata/),
  });
});
