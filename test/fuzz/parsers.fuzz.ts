// npm run test:fuzz-parsers: damaged files of every kind, read in child processes as the server reads them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PreparePool } from '../../src/ingestion/preparation/prepare-pool.js';
import { mutate } from '../support/files/mutate.js';
import { SAMPLES } from '../support/files/samples.js';
import { Random } from '../support/random.js';

const firstSeed = Number(process.env['FUZZ_SEED']);
const rounds = Number(process.env['FUZZ_ROUNDS']);
const only = process.env['FUZZ_EXTENSION'];
/** What the pool says when a file has ended its process; a parser never says so. */
const death = /^it (?:could not be read|is too large to be read in)/;

test.each(SAMPLES.filter(({ extension }) => !only || extension === only))(
  'damaged files of .$extension are read or refused',
  async (kind) => {
    const { extension } = kind;
    const folder = mkdtempSync(join(tmpdir(), 'contexture-fuzz-'));
    const path = join(folder, `file.${extension}`);
    const pool = new PreparePool({
      parsing: { ocrLanguages: ['eng'] },
      newSpoolPath: () => join(folder, 'spool'),
    });
    const sample = await kind.bytes();
    const failures: string[] = [];
    const read = async () => {
      const task = { title: '', key: null, memory: undefined, app: undefined, wantsGraph: true };
      const file = { name: `file.${extension}`, contentType: undefined, path };
      const [item] = await pool.prepare([{ task: { ...task, file }, contentBytes: sample.length }]);
      if (item && 'chunks' in item) return item.chunks.close();
      if (item && death.test(item.errorMessage)) throw new Error(item.errorMessage);
    };
    try {
      for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
        const random = new Random(seed);
        let damaged = mutate(sample, random);
        while (random.chance(0.5) && damaged.length > 0) damaged = mutate(damaged, random);
        writeFileSync(path, damaged);
        await read().catch((error: Error) => failures.push(`seed ${seed}: ${error.message}`));
      }
    } finally {
      pool.close();
      rmSync(folder, { recursive: true });
    }
    expect(failures).toEqual([]);
  },
  3_600_000,
);
