import { expect, test } from '@jest/globals';
import { notion } from '../../src/connectors/providers/notion.js';
import { NotionFake, richText } from '../support/connectors/notion-fake.js';
import type { NotionThing } from '../support/connectors/notion-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { idsOf, loadOf, noSignal, readAll, readsOf, scopeOf, textOf } from '../support/connectors/reading.js';

let fake: NotionFake;
let root: NotionThing;
const opened = OpenedFake.forEachTest(notion, async () => {
  fake = await NotionFake.start();
  root = fake.page('Handbook', null, 'Welcome');
  return fake;
});
const reads = readsOf(opened);
const tree = () => ({ id: root.id, type: 'page' });

/** A page with so many blocks that have one in them. */
function putToggles(page: NotionThing, count: number): NotionThing[] {
  return Array.from({ length: count }, (_, index) => {
    const toggle = fake.put('toggle', page, { rich_text: [richText(`Toggle ${index}`)] });
    fake.put('paragraph', toggle, { rich_text: [richText(`within ${index}.`)] });
    return toggle;
  });
}

test('of a page with more blocks within blocks than can be asked for the last ones are left out; pages in them are found', async () => {
  const large = fake.page('Minutes', root, 'text');
  const toggles = putToggles(large, 520);
  const within = fake.page('Within', toggles.at(-1) as NotionThing, 'text');
  const after = fake.page('After', root, 'text');
  const begun = fake.requests;
  const next = (cursor: string) => opened.session.walk!({ ...scopeOf(fake), ...tree() }, cursor, noSignal);
  const page = await next('');
  // So that a step of the sync takes minutes, and not hours, at three requests a second.
  expect(fake.requests - begun).toBeLessThan(600);
  expect(idsOf(page.entries)).toContain(large.id);
  const text = await textOf(await loadOf(page.entries, large.id));
  expect(text).toContain('Toggle 519');
  expect(text).toContain('within 400.');
  expect(text).not.toContain('within 519.');
  const rest = page.more ? (await readAll(next, page.cursor)).entries : [];
  expect(idsOf([...page.entries, ...rest]).sort()).toEqual(
    [root, large, within, after].map(({ id }) => id).sort(),
  );
});

test('a limit amid a page of many requests is waited for, since all of them would be made again', async () => {
  putToggles(root, 60);
  const limitAfter = (answers: number) => {
    fake.afterAnswer = () =>
      answers > 1 ? limitAfter(answers - 1) : fake.fail({ status: 429, retryAfterSeconds: 1 }, 1);
  };
  limitAfter(50);
  const { entries } = await reads.walk(tree());
  expect(await textOf(await loadOf(entries, root.id))).toContain('within 59.');
});
