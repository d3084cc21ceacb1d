import { expect, test } from '@jest/globals';
import type { Entry, ResourceScope } from '../../src/connectors/provider.js';
import { gmail } from '../../src/connectors/providers/gmail.js';
import { GmailFake } from '../support/connectors/gmail-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { noSignal, openFake, readAll, scopeOf, textOf } from '../support/connectors/reading.js';

let fake: GmailFake;
let inbox: ResourceScope;
const opened = OpenedFake.forEachTest(gmail, async () => {
  fake = await GmailFake.start();
  inbox = scopeOf(fake);
  return fake;
});

const read = (from = '', resource = inbox) =>
  readAll((cursor) => opened.session.read(resource, cursor, noSignal), from);
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id).sort();
const itemOf = async (id: string, resource = inbox) =>
  (await read('', resource)).entries.find((entry) => entry.id === id)?.load(noSignal);

test('a mail has everything that its head says', async () => {
  const mail = fake.receive({
    subject: 'Grüße =?UTF-8?B?8J+mmA==?=',
    body: 'the quokka sleeps',
    labels: ['INBOX', 'UNREAD', 'IMPORTANT'],
    headers: ['Cc: "Dora, D." <dora@example.com>'],
    receivedAt: new Date(Date.now() - 3600_000),
  });
  const item = await itemOf(mail.id);
  const writtenAt = new Date(mail.internalDate).toISOString();
  expect(item).toMatchObject({
    kind: 'email',
    title: 'Grüße 🦘',
    url: `https://mail.google.com/mail/u/0/#all/${mail.id}`,
    timestamp: writtenAt,
    fields: {
      subject: 'Grüße 🦘',
      from: 'Ann Archer <ann@example.com>',
      to: ['Bob Baker <bob@example.com>', 'carol@example.com'],
      cc: ['Dora, D. <dora@example.com>'],
      thread_id: mail.threadId,
      reply_to_id: null,
      created_at: writtenAt,
    },
    native: { message_id: mail.messageId, thread_id: mail.threadId, label_ids: 'INBOX,IMPORTANT' },
    file: { filename: 'message.eml', contentType: 'message/rfc822' },
  });
  expect(await textOf(item)).toContain('the quokka sleeps');
});

test('a mail without a usable head is dated when it came', async () => {
  const receivedAt = new Date(Date.now() - 3600_000);
  const mail = fake.receive({ subject: '', receivedAt, raw: Buffer.from('To: b@example.com\r\n\r\nbody') });
  const item = await itemOf(mail.id);
  expect(item).toMatchObject({
    timestamp: new Date(mail.internalDate).toISOString(),
    fields: { from: null },
  });
  expect(item).not.toHaveProperty('title');
});

test.each([
  'Fri, 1 Jan 12024 00:00:00 +0000',
  'Thu, 1 Jan 2099 00:00:00 +0000',
  'Fri, 1 Jan 1904 00:00:00 +0000',
])('a mail that cannot have been written on %s is dated when it came', async (date) => {
  const raw = Buffer.from(`From: b@example.com\r\nDate: ${date}\r\n\r\nbody`);
  const mail = fake.receive({ subject: '', receivedAt: new Date(Date.now() - 3600_000), raw });
  const timestamp = new Date(mail.internalDate).toISOString();
  expect(await itemOf(mail.id)).toMatchObject({ timestamp, fields: { created_at: timestamp } });
});

test('a reply names the mail that it answers, a thread is asked for once', async () => {
  const question = fake.receive({ subject: 'Question' });
  const answers = [1, 2, 3].map(() => fake.receive({ subject: 'Re: Question', inReplyTo: question }));
  const { entries, cursor } = await read();
  const items = new Map(
    await Promise.all(entries.map(async (entry) => [entry.id, await entry.load(noSignal)] as const)),
  );
  for (const { id } of answers)
    expect(items.get(id)?.fields).toMatchObject({ thread_id: question.threadId, reply_to_id: question.id });
  expect(items.get(question.id)?.fields).toMatchObject({ reply_to_id: null });
  const threads = () => fake.server.paths.filter((path) => path.includes('/threads/')).length;
  expect(threads()).toBe(1);

  const last = answers[2] as (typeof answers)[number];
  const late = fake.receive({ subject: 'Re: Question', inReplyTo: last });
  const [entry] = (await read(cursor)).entries;
  expect((await entry?.load(noSignal))?.fields).toMatchObject({ reply_to_id: last.id });
  expect(entry?.id).toBe(late.id);
  expect(threads()).toBe(2);
});

test('an answer to a mail that is not in the thread stands alone', async () => {
  const other = fake.receive({ subject: 'Elsewhere' });
  const mail = fake.receive({
    subject: 'Re: Nowhere',
    headers: ['In-Reply-To: <unknown@example.com>', `References: <${other.messageId}> <unknown@example.com>`],
  });
  expect((await itemOf(mail.id))?.fields).toMatchObject({ thread_id: mail.threadId, reply_to_id: null });
});

test('what happens to mails is told by the history in one request', async () => {
  const [kept, archived, binned, erased] = ['a', 'b', 'c', 'd'].map((subject) => fake.receive({ subject }));
  const filed = fake.receive({ subject: 'e', labels: ['Label_1'] });
  if (!kept || !archived || !binned || !erased) throw new Error('no mails');
  const { entries, cursor } = await read();
  expect(entries).toHaveLength(4);
  fake.removeLabels(kept, ['UNREAD']);
  fake.removeLabels(archived, ['INBOX']);
  fake.addLabels(binned, ['TRASH']);
  await fake.remove(erased.id);
  fake.addLabels(filed, ['INBOX']);
  const added = fake.receive({ subject: 'f' });
  fake.receive({ subject: 'spam', labels: ['SPAM'] });
  const before = fake.requests;
  const changes = await read(cursor);
  expect(idsOf(changes.entries)).toEqual([filed.id, added.id].sort());
  expect(changes.deleted).toEqual(expect.arrayContaining([archived.id, binned.id, erased.id]));
  expect(changes.deleted).not.toContain(kept.id);
  expect(fake.requests - before).toBe(1);
  expect(await read(changes.cursor)).toMatchObject({ entries: [], deleted: [] });

  fake.removeLabels(binned, ['TRASH']);
  fake.removeLabels(added, ['INBOX']);
  fake.addLabels(added, ['INBOX']);
  expect(await read(changes.cursor)).toMatchObject({
    entries: [{ id: binned.id }, { id: added.id }],
    deleted: [],
  });
});

test('a long history comes in pages and goes on from any of them', async () => {
  const { cursor } = await read();
  const ids = await fake.add(450, 'x');
  const first = await opened.session.read(inbox, cursor, noSignal);
  expect(first.more).toBe(true);
  const late = fake.receive({ subject: 'late' });
  const another = openFake(gmail, fake);
  const rest = await readAll((from) => another.session.read(inbox, from, noSignal), first.cursor);
  await another.close();
  const shown = new Set(idsOf([...first.entries, ...rest.entries, ...(await read(rest.cursor)).entries]));
  expect([...shown].sort()).toEqual([...ids, late.id].sort());
});

test('what arrives while the first reading goes on is not lost', async () => {
  await fake.add(250, 'x');
  const first = await opened.session.read(inbox, '', noSignal);
  const late = fake.receive({ subject: 'late' });
  const { entries, cursor } = await read(first.cursor);
  expect(idsOf([...entries, ...(await read(cursor)).entries])).toContain(late.id);
});

test('a history that is no longer kept, or a page token that is refused, is expired', async () => {
  await fake.add(250, 'x');
  const first = await opened.session.read(inbox, '', noSignal);
  const { cursor } = await read();
  fake.oldestHistory = 1e9;
  await expect(opened.session.read(inbox, cursor, noSignal)).rejects.toMatchObject({ kind: 'expired' });
  const broken = first.cursor.replace(/"page":"[^"]+"/, '"page":"1"');
  expect(broken).not.toBe(first.cursor);
  await expect(opened.session.read(inbox, broken, noSignal)).rejects.toMatchObject({ kind: 'expired' });
  await expect(opened.session.read(inbox, '{}', noSignal)).rejects.toMatchObject({ kind: 'expired' });
});

test('nothing older than the lookback is read, also when it is labelled later', async () => {
  const old = fake.receive({ subject: 'old', labels: ['Label_1'], receivedAt: new Date('2019-01-01') });
  fake.receive({ subject: 'older', receivedAt: new Date('2018-01-01') });
  const { entries, cursor } = await read();
  expect(entries).toEqual([]);
  fake.addLabels(old, ['INBOX']);
  const [entry] = (await read(cursor)).entries;
  expect(entry?.id).toBe(old.id);
  expect(await entry?.load(noSignal)).toBeUndefined();
  expect(idsOf((await read('', { ...inbox, oldest: new Date(0) })).entries)).toHaveLength(2);
});

test('labels that are left out, and mails that have left by now, are not loaded', async () => {
  const advert = fake.receive({ subject: 'Sale', labels: ['INBOX', 'CATEGORY_PROMOTIONS'] });
  const archived = fake.receive({ subject: 'b' });
  const erased = fake.receive({ subject: 'c' });
  const { entries } = await read('', { ...inbox, filters: { exclude_labels: ['CATEGORY_PROMOTIONS'] } });
  const load = (id: string) => entries.find((entry) => entry.id === id)?.load(noSignal);
  fake.removeLabels(archived, ['INBOX']);
  await fake.remove(erased.id);
  expect(await load(advert.id)).toBeUndefined();
  expect(await load(archived.id)).toBeUndefined();
  await expect(load(erased.id)).rejects.toMatchObject({ kind: 'missing' });
});

test('a mail that gets a label that is left out goes, and comes back without it; other filters load mails anew', async () => {
  const filtered = { ...inbox, filters: { exclude_labels: ['CATEGORY_PROMOTIONS'] } };
  const mail = fake.receive({ subject: 'a' });
  const { cursor, entries } = await read('', filtered);
  fake.addLabels(mail, ['CATEGORY_PROMOTIONS']);
  const left = await read(cursor, filtered);
  expect(left).toMatchObject({ entries: [], deleted: [mail.id] });
  fake.removeLabels(mail, ['CATEGORY_PROMOTIONS']);
  const back = await read(left.cursor, filtered);
  expect(back).toMatchObject({ entries: [{ id: mail.id }], deleted: [] });
  const [unfiltered] = (await readAll((at) => opened.session.walk!(inbox, at, noSignal))).entries;
  expect(unfiltered?.version).not.toBe(entries[0]?.version);
  expect(back.entries[0]?.version).toBe(entries[0]?.version);
});

test('a mail that got a label that is left out is not listed any more, even if no change tells it', async () => {
  const labels = ['CATEGORY_PROMOTIONS', 'Label_that_is_gone'];
  const filtered = { ...inbox, filters: { exclude_labels: labels } };
  const adverts = Array.from({ length: 120 }, (_, index) => fake.receive({ subject: `Sale ${index}` }));
  const kept = fake.receive({ subject: 'kept' });
  expect((await read('', filtered)).entries).toHaveLength(121);
  for (const advert of adverts) fake.addLabels(advert, ['CATEGORY_PROMOTIONS']);
  // As after the history has expired, and in the daily walk.
  expect(idsOf((await read('', filtered)).entries)).toEqual([kept.id]);
  const walk = await readAll((at) => opened.session.walk!(filtered, at, noSignal));
  expect(idsOf(walk.entries)).toEqual([kept.id]);
  const all = { ...filtered, id: 'all' };
  expect(idsOf((await read('', all)).entries)).toEqual([kept.id]);
});

test('all mail is all but drafts, spam and bin', async () => {
  const all = { ...inbox, id: 'all' };
  const sent = fake.receive({ subject: 'sent', labels: ['SENT'] });
  const archived = fake.receive({ subject: 'archived', labels: [] });
  for (const label of ['DRAFT', 'SPAM', 'TRASH']) fake.receive({ subject: label, labels: [label] });
  const { entries, cursor } = await read('', all);
  expect(idsOf(entries)).toEqual([sent.id, archived.id].sort());
  fake.addLabels(sent, ['TRASH']);
  fake.receive({ subject: 'draft', labels: ['DRAFT'] });
  const added = fake.receive({ subject: 'new' });
  const changes = await read(cursor, all);
  expect(idsOf(changes.entries)).toEqual([added.id]);
  expect(changes.deleted).toContain(sent.id);
});

test('the bin can be read when somebody asks for it', async () => {
  const binned = fake.receive({ subject: 'binned', labels: ['TRASH'] });
  const bin = { ...inbox, id: 'TRASH' };
  expect(idsOf((await read('', bin)).entries)).toEqual([binned.id]);
  expect(await itemOf(binned.id, bin)).toMatchObject({ title: 'binned' });
});

test('resources are all mail, and labels that are worth it, in pages', async () => {
  fake.labels.set('Label_7', 'Customers/ACME');
  const first = await opened.session.discover({ cursor: '', limit: 3 }, noSignal);
  const second = await opened.session.discover({ cursor: first.nextCursor ?? '', limit: 3 }, noSignal);
  expect([...first.resources, ...second.resources].map(({ id, name }) => [id, name])).toEqual([
    ['all', 'All mail'],
    ['INBOX', 'INBOX'],
    ['SENT', 'SENT'],
    ['STARRED', 'STARRED'],
    ['IMPORTANT', 'IMPORTANT'],
    ['Label_7', 'Customers/ACME'],
  ]);
  expect(second.nextCursor).toBeNull();
  expect(await opened.session.describe('all', noSignal)).toMatchObject({ id: 'all', name: 'All mail' });
});

test('a label that was deleted is missing', async () => {
  const gone = { ...inbox, id: 'Label_7' };
  await expect(opened.session.read(gone, '', noSignal)).rejects.toMatchObject({ kind: 'missing' });
});
