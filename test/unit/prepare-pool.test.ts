import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { PrepareTask } from '../../src/ingestion/preparation/prepare.js';
import { PreparePool } from '../../src/ingestion/preparation/prepare-pool.js';
import type { PreparedItem } from '../../src/ingestion/preparation/prepare-pool.js';
import type { PreparedChunk } from '../../src/ingestion/preparation/prepared-chunks.js';
import { runCancellable } from '../../src/lib/cancellation.js';
import { memoryContent } from '../support/memory-content.js';

const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'pool-'));
const hostile = new URL('../support/hostile-child.mjs', import.meta.url);
let spooled = 0;
let pool: PreparePool;
afterEach(() => pool.close());

function open(options: Partial<ConstructorParameters<typeof PreparePool>[0]> = {}): PreparePool {
  pool = new PreparePool({
    parsing: { ocrLanguages: ['eng'] },
    newSpoolPath: () => join(folder, `spool-${(spooled += 1)}`),
    ...options,
  });
  return pool;
}

const taskOf = (title: string) => ({
  title,
  file: undefined,
  app: undefined,
  memory: undefined,
  key: null,
  wantsGraph: false,
});
async function prepareOne(task: PrepareTask, contentBytes: number, signal?: AbortSignal): Promise<object> {
  const prepare = () => pool.prepare([{ task, contentBytes }]);
  const [prepared] = await (signal ? runCancellable(signal, prepare) : prepare());
  if (!prepared) throw new Error('no answer');
  return prepared;
}
const words = (count: number) => ({
  ...taskOf('words'),
  memory: memoryContent({ text: Array.from({ length: count }, (_, n) => `word${n}`).join(' ') }),
});

async function chunksOf(prepared: object): Promise<PreparedChunk[]> {
  const { chunks } = prepared as PreparedItem;
  const all: PreparedChunk[] = [];
  for await (const some of chunks) all.push(...some);
  await chunks.close();
  return all;
}

/** What the child process that prepared an item says of itself. */
async function childOf(prepared: object): Promise<{ pid: number; environment: Record<string, string> }> {
  return JSON.parse((await chunksOf(prepared))[0]?.text ?? '');
}

test('an item that takes longer than its size explains is refused, and the next one is prepared', async () => {
  open({ baseMs: 1 });
  // Claims to have no content: a millisecond is not enough for a million words.
  expect(await prepareOne(words(1_000_000), 0)).toEqual({
    errorCode: 'E1001',
    errorMessage: 'it could not be read in 0.001 seconds',
  });
  const prepared = await prepareOne(words(3), 10_000_000);
  expect(await chunksOf(prepared)).toMatchObject([{ text: 'word0 word1 word2' }]);
});

test('a large item goes through a file that is gone before it is read', async () => {
  open();
  const path = join(folder, 'large.txt');
  const paragraphs = Array.from({ length: 400 }, (_, n) => `Paragraph ${n}. ${'walrus '.repeat(200)}`);
  writeFileSync(path, paragraphs.join('\n\n'));
  const task = { ...taskOf('large'), file: { name: 'large.txt', contentType: undefined, path } };
  const prepared = await prepareOne(task, 600_000);
  expect(readdirSync(folder)).toEqual(['large.txt']);
  const chunks = await chunksOf(prepared);
  expect(chunks.map(({ position }) => position)).toEqual(paragraphs.map((_, n) => n));
  expect(chunks.at(-1)).toMatchObject({ text: paragraphs.at(-1)?.trimEnd(), length: 203 });
  expect((prepared as PreparedItem).chunks).toMatchObject({ count: 400, length: 400 * 203 });
});

describe('a child process', () => {
  const start = (options = {}) => open({ module: hostile, baseMs: 10_000, ...options });
  const prepare = (title: string, signal?: AbortSignal) => prepareOne(taskOf(title), 0, signal);

  test.each([
    ['loop', 'it could not be read in 0.5 seconds'],
    ['hang', 'it could not be read in 0.5 seconds'],
    ['heap', 'it is too large to be read in 140 MB of memory'],
    ['buffers', 'it is too large to be read in 140 MB of memory'],
    ['abort', 'it could not be read: the process that read it crashed'],
    ['kill', 'it could not be read: the process that read it was killed, twice'],
  ])('that meets "%s" ends that item and no other', async (title, errorMessage) => {
    const endless = title === 'loop' || title === 'hang';
    start({ residentMebibytesMax: 140, ...(endless && { baseMs: 500 }) });
    const [refused, other] = await Promise.all([prepare(title), prepare('quiet')]);
    expect(refused).toEqual({ errorCode: 'E1001', errorMessage });
    expect(other).toHaveProperty('chunks');
    expect(await prepare('quiet')).toHaveProperty('chunks');
  });

  test('that cannot start says why', async () => {
    const module = new URL(`file://${join(folder, 'broken.mjs')}`);
    writeFileSync(module, `import './missing.mjs';`);
    start({ module });
    await expect(prepare('quiet')).rejects.toThrow(/could not start: exit code 1: Error .*missing\.mjs/);
  });

  test('that is killed from outside is no fault of its item, which has another try', async () => {
    start();
    expect(await prepare(`kill ${join(folder, 'killed')}`)).toHaveProperty('chunks');
  });

  test('that dies of one of several items prepares the others again', async () => {
    start();
    const titles = ['quiet', 'abort', 'quiet'];
    const prepared = await pool.prepare(titles.map((title) => ({ task: taskOf(title), contentBytes: 0 })));
    expect(prepared).toEqual([
      expect.objectContaining({ graph: undefined }),
      expect.objectContaining({ errorCode: 'E1001' }),
      expect.objectContaining({ graph: undefined }),
    ]);
  });

  test('may take longer as long as it makes progress', async () => {
    start({ baseMs: 500 });
    expect(await prepare('steps')).toHaveProperty('chunks');
  });

  test('may take longer while the machine does not let it work', async () => {
    start({ baseMs: 500 });
    expect(await prepare('starve')).toHaveProperty('chunks');
  });

  test('that dies of what an earlier item left behind is not held against the next', async () => {
    start({ residentMebibytesMax: 140 });
    for (const left of ['stray', 'leak', 'leak', 'leak', 'leak'])
      expect(await prepare(left)).toHaveProperty('chunks');
  });

  test('is told nothing of what the server is told', async () => {
    process.env['LLM_API_KEY'] = 'secret';
    try {
      start();
      expect((await childOf(await prepare('quiet'))).environment).toEqual({ TZ: 'UTC', LANG: 'C.UTF-8' });
    } finally {
      delete process.env['LLM_API_KEY'];
    }
  });

  test('whose disk is full says that the storage is at fault, not the item', async () => {
    start();
    await expect(prepare('full')).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  });

  test('ends when its item is not wanted any more, and when the pool is closed', async () => {
    start();
    const reason = new Error('not now');
    const stopped = new AbortController();
    const waiting = prepare('loop', stopped.signal);
    stopped.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const busy = Promise.allSettled(['loop', 'loop', 'loop', 'loop'].map((title) => prepare(title)));
    pool.close();
    const closed = {
      status: 'rejected',
      reason: expect.objectContaining({ message: expect.stringMatching('closed') }),
    };
    expect(await busy).toEqual([closed, closed, closed, closed]);
  });

  test('ends with a server that is killed, however busy it is', async () => {
    const owner = spawn(process.execPath, [
      fileURLToPath(new URL('../support/pool-owner.mjs', import.meta.url)),
    ]);
    const [printed] = (await once(owner.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    owner.kill('SIGKILL');
    while (isAlive(pid)) await pause(10);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
