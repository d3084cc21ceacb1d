import { expect, test } from '@jest/globals';
import { PreparePool } from '../../src/ingestion/prepare-pool.js';

const words = (count: number) => ({
  title: 'words',
  file: undefined,
  app: undefined,
  wantsGraph: false,
  memory: { text: Array.from({ length: count }, (_, n) => `word${n}`).join(' ') },
});

test('an item that takes longer than its size explains is refused, and the next one is prepared', async () => {
  const pool = new PreparePool({ baseMs: 1, parsing: { ocrLanguages: ['eng'] } });
  try {
    // Claims to have no content: a millisecond is not enough to start a thread, let alone for a million words.
    const refused = await pool.prepare(words(1_000_000), 0);
    expect(refused).toEqual({
      errorCode: 'E1001',
      errorMessage: 'it could not be read in 0.001 seconds',
    });
    const prepared = await pool.prepare(words(3), 10_000_000);
    expect(prepared).toMatchObject({ chunks: [{ text: 'word0 word1 word2' }] });
  } finally {
    await pool.close();
  }
});
