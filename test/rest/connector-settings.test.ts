import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TestServer, copyTemplate } from '../support/server.js';

const starting = (environment: NodeJS.ProcessEnv) => TestServer.start({ environment });

test('a provider that there is not stops the start, and is told which there are', async () => {
  await expect(starting({ CONNECTORS_DISABLED: 'github, slak' })).rejects.toThrow(
    /CONNECTORS_DISABLED: there is no provider "slak"; there are rss, .*gmail/,
  );
});

test('a file in the place of a folder stops the start; a folder that is not there yet, and an address of no provider, are warned of', async () => {
  const { dataDir } = await copyTemplate();
  const file = join(dataDir, 'a.txt');
  writeFileSync(file, 'text');
  await expect(starting({ FILESYSTEM_ROOTS: `${dataDir},${file}` })).rejects.toThrow(
    `FILESYSTEM_ROOTS: must be folders, not the file "${file}"`,
  );
  const lines: string[] = [];
  const missing = join(dataDir, 'missing');
  const server = await TestServer.start({
    environment: {
      FILESYSTEM_ROOTS: `${dataDir},${missing}`,
      CONNECTORS_DISABLED: 'slack,google-drive',
      CONNECTOR_GOOGLEDRIVE_URL: 'http://localhost:1',
    },
    log: (line) => lines.push(line),
  });
  await server.stop();
  const warnings = lines.filter((line) => /FILESYSTEM_ROOTS|CONNECTOR_</.test(line));
  expect(warnings).toEqual([
    expect.stringContaining('"provider":"googledrive"'),
    expect.stringContaining(`"folder":"${missing}"`),
  ]);
});
