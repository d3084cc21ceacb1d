import { describe, expect, test } from '@jest/globals';
import { overlapped } from '../../src/lib/overlapped.js';

async function* numbers(last: number, failure?: Error) {
  for (let number = 1; number <= last; number += 1) yield number;
  if (failure) throw failure;
}

/** A promise that the test resolves. */
function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((whenDone) => (resolve = whenDone));
  return { promise, resolve };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('two stages over parts', () => {
  test('a part is prepared while the one before is finished, and finished after it', async () => {
    const steps: string[] = [];
    const firstFinished = deferred();
    const run = overlapped(
      numbers(3),
      async (part) => {
        steps.push(`prepare ${part}`);
        return part * 10;
      },
      async (part, prepared) => {
        steps.push(`finish ${part}: ${prepared}`);
        if (part === 1) await firstFinished.promise;
      },
    );
    await soon();
    expect(steps).toEqual(['prepare 1', 'finish 1: 10', 'prepare 2']);
    firstFinished.resolve();
    await run;
    expect(steps.slice(3)).toEqual(['finish 2: 20', 'prepare 3', 'finish 3: 30']);
  });

  test('ends only when nothing is being finished any more, even if there are no further parts to be had', async () => {
    const finished = deferred();
    let hasEnded = false;
    const run = overlapped(
      numbers(1, new Error('the disk failed')),
      async (part) => part,
      () => finished.promise,
    ).finally(() => {
      hasEnded = true;
    });
    run.catch(() => undefined);
    await soon();
    expect(hasEnded).toBe(false);
    finished.resolve();
    await expect(run).rejects.toThrow('the disk failed');
  });

  test.each([
    ['preparing', 'prepare 2'],
    ['finishing', 'finish 2'],
    ['finishing the last one', 'finish 3'],
  ])('a failure of %s is what it ends with', async (_stage, failing) => {
    const fail = async (step: string) => {
      if (step === failing) throw new Error(step);
    };
    const run = overlapped(
      numbers(3),
      (part) => fail(`prepare ${part}`),
      (part) => fail(`finish ${part}`),
    );
    await expect(run).rejects.toThrow(failing);
  });
});
