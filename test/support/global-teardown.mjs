import { rmSync } from 'node:fs';
import { onServer } from './global-setup.mjs';

export default async function teardown() {
  const { TEST_DATABASE_URL: url, TEST_TEMPLATE: template, TEST_RUN_FOLDER: folder } = process.env;
  if (url && template) await onServer(url, `drop database if exists ${template} with (force)`);
  if (folder) rmSync(folder, { recursive: true, force: true });
}
