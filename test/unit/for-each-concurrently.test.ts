import { describe, expect, test } from '@jest/globals';
import { forEachConcurrently } from '../../src/lib/for-each-concurrently.js';

const items = Array.from({ length: 10 }, (_, n) => n);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('work on many items', () => {
  test('reaches each once, never more at a time than allowed', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await forEachConcurrently(items, 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      done.push(item);
    });
    expect(done.sort((a, b) => a - b)).toEqual(items);
    expect(most).toBe(3);
  });

  test('begins nothing after a failure, and waits for what is under way before it throws', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = forEachConcurrently(items, 3, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('no');
      await turn();
      ended.push(item);
    });
    await expect(work).rejects.toThrow('no');
    expect(begun).toEqual([0, 1, 2]);
    expect(ended).toEqual([0, 2]);
  });
});
