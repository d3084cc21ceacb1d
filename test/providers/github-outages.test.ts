import { expect, test } from '@jest/globals';
import { github } from '../../src/connectors/providers/github.js';
import { startGithubFake } from '../support/connectors/github-fake.js';
import type { GithubFake } from '../support/connectors/github-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { failureOf, idsOf, noSignal, readsOf, scopeOf } from '../support/connectors/reading.js';

let fake: GithubFake;
const opened = OpenedFake.forEachTest(github, async () => (fake = await startGithubFake()));

const { read, walk } = readsOf(opened);

test('files of a branch that GitHub does not find are not gone, and are looked for in each sync', async () => {
  for (const path of ['README.md', 'docs/a.md']) fake.push(path, `At ${path}`);
  const found = await read();
  fake.repository['default_branch'] = 'renamed';
  fake.hidesTrees = true;
  await opened.reopen();
  const { entries, pages } = await walk();
  expect(entries).toEqual([]);
  const spared = { unlisted: [{ idPrefix: 'acme/web/blob/', problem: expect.stringContaining('renamed') }] };
  expect(pages.at(-1)).toMatchObject(spared);
  const missed = await read(found.cursor);
  expect(missed.pages.at(-1)).toMatchObject(spared);
  fake.hidesTrees = false;
  expect(idsOf((await read(missed.cursor)).entries)).toHaveLength(2);
});

test('what a push has removed or renamed is told by the tree before it, unless GitHub has forgotten that', async () => {
  for (const path of ['README.md', 'docs/a.md', 'docs/b.md']) fake.push(path, `At ${path}`);
  const first = await read();
  const renamed = () => {
    fake.push('docs/a.md', undefined);
    fake.push('docs/c.md', 'At docs/a.md');
  };
  renamed();
  await opened.reopen();
  const second = await read(first.cursor);
  expect(second.deleted).toEqual(['acme/web/blob/docs/a.md']);
  expect(idsOf(second.entries)).toContain('acme/web/blob/docs/c.md');
  fake.trees.clear();
  fake.push('docs/b.md', undefined);
  await opened.reopen();
  const third = await read(second.cursor);
  expect([third.deleted, third.entries.length]).toEqual([[], 2]);
  await opened.reopen();
  fake.push('other.txt', 'text');
  expect((await read(third.cursor)).deleted).toEqual([]);
  expect((await walk()).deleted).toEqual([]);
});

test('only GitHub itself says that issues are switched off, not a proxy', async () => {
  fake.addTicket('Broken');
  // After this, the session knows the repository.
  expect((await walk()).entries).toHaveLength(1);
  fake.refusal = { status: 410, body: '<html>Gone</html>' };
  expect(await failureOf(walk())).toMatchObject({ kind: 'unavailable' });
});

test('a repository without pull requests has issues and files', async () => {
  const { number } = fake.addTicket('Broken');
  fake.push('README.md', 'Read');
  fake.repository['has_pull_requests'] = false;
  const expected = [`acme/web#${number}`, 'acme/web/blob/README.md'];
  expect(idsOf((await read()).entries)).toEqual(expected);
  expect(idsOf((await walk()).entries)).toEqual(expected);
});

test.each([0, -3_600_000, 3_600_000])(
  'the hourly limit ends when GitHub says, whose clock is %i ms off',
  async (offMs) => {
    const now = Date.now() + offMs;
    fake.refusal = {
      status: 403,
      headers: {
        date: new Date(now).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(now / 1000) + 90),
      },
      body: {},
    };
    const error = (await failureOf(opened.session.read(scopeOf(fake), '', noSignal))) as {
      retryAfterSeconds: number;
    };
    expect(error.retryAfterSeconds).toBeGreaterThan(60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(91);
  },
);
