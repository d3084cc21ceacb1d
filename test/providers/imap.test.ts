import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Item } from '../../src/connectors/provider.js';
import { imap } from '../../src/connectors/providers/imap.js';
import { systemClock } from '../../src/lib/clock.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { dovecotProblem } from '../support/connectors/dovecot.js';
import { plainMail, startImapFake } from '../support/connectors/imap-fake.js';
import type { ImapFake } from '../support/connectors/imap-fake.js';
import { noSignal, openFake, readAll, textOf } from '../support/connectors/reading.js';
import { parseFile } from '../support/parse-file.js';
import { documentReaders } from '../support/shared/document-readers.mjs';

const provider = imap as never;
const longAgo = new Date('2000-01-01');
const date = new Date('2026-02-03T04:05:06Z');
const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
const isSkipped = dovecotProblem() !== undefined && process.env['CI'] !== 'true';

/** As the server reads an .eml file. */
async function readText(item: Item | undefined): Promise<string> {
  const bytes = (await item?.file?.open(noSignal)) as Buffer;
  const { blocks } = await parseFile({ name: 'mail.eml', bytes }, { ocrLanguages: [] });
  return blocks.map(({ text }) => text).join('\n');
}

test('what is entered is checked', () => {
  const { host, port, tls } = imap.credentials.parse({
    host: ' mail.example.com ',
    user: 'a',
    password: ' b ',
  });
  expect({ host, port, tls }).toEqual({ host: 'mail.example.com', port: 993, tls: true });
  for (const given of [
    { host: '' },
    { host: 'imaps://mail.example.com' },
    { port: 0 },
    { user: ' ' },
    { password: '' },
  ])
    expect(imap.credentials.safeParse({ host: 'h', user: 'a', password: 'b', ...given }).success).toBe(false);
});

(isSkipped ? describe.skip : describe)(`a mail server${isSkipped ? `: ${dovecotProblem()}` : ''}`, () => {
  let fake: ImapFake;
  let opened: ReturnType<typeof openFake>;
  let mailboxes = 0;

  beforeAll(async () => {
    const started = await startImapFake();
    if (!started) throw new Error(dovecotProblem());
    fake = started;
    opened = openFake(provider, fake);
  });
  afterAll(async () => {
    await opened?.close();
    await fake?.close();
  });

  const newMailbox = async () => {
    mailboxes += 1;
    return (await fake.owner.mailboxCreate(`Box ${mailboxes}`)).path;
  };
  const append = (path: string, mail: string, at = date) => fake.owner.append(path, mail, [], at);
  const scope = (
    id: string,
    { oldest = longAgo, filters = {} }: { oldest?: Date; filters?: JsonObject } = {},
  ) => ({
    id,
    type: 'mailbox',
    oldest,
    filters,
  });
  const read = (path: string, options?: { oldest?: Date; filters?: JsonObject }, from = '') =>
    readAll((cursor) => opened.session.read(scope(path, options), cursor, noSignal), from);
  const walk = (path: string) => readAll((cursor) => opened.session.walk!(scope(path), cursor, noSignal));
  const subjects = async (path: string, options?: { oldest?: Date; filters?: JsonObject }) => {
    const items = [];
    for (const entry of (await read(path, options)).entries) items.push(await entry.load(noSignal));
    return items.map((item) => item?.title);
  };

  test('a mail is an item with people, thread, time, text and attachments', async () => {
    const path = await newMailbox();
    const mail = [
      'From: =?utf-8?q?J=C3=BCrgen_=22J=22_M=C3=BCller?= <jm@example.com>',
      'To: "Bob, the builder" <bob@example.com>, carol@example.com',
      'Cc: Dora <dora@example.com>',
      'Subject: =?utf-8?b?UGzDpG5l?= for',
      ' tomorrow',
      'Date: Tue, 03 Feb 2026 05:05:06 +0100',
      'Message-ID: <third@example.com>',
      'In-Reply-To: <second@example.com> (mail of Bob)',
      'References: <first@example.com>',
      ' <second@example.com>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>The <b>zebra</b> arrives at noon.</p>',
      '--b',
      'Content-Type: text/csv; name="list.csv"',
      'Content-Disposition: attachment; filename="list.csv"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('animal,legs\r\ngiraffe,4\r\n').toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
    await append(path, mail, new Date('2026-02-03T06:00:00Z'));
    const [entry] = (await read(path)).entries;
    const item = await entry?.load(noSignal);
    expect(entry).toMatchObject({ id: 'third@example.com', version: '2026-02-03T04:05:06.000Z' });
    expect(item).toMatchObject({
      kind: 'email',
      title: 'Pläne for tomorrow',
      url: 'mid:third%40example.com',
      timestamp: '2026-02-03T04:05:06.000Z',
      fields: {
        subject: 'Pläne for tomorrow',
        from: 'Jürgen J Müller <jm@example.com>',
        to: ['Bob, the builder <bob@example.com>', 'carol@example.com'],
        cc: ['Dora <dora@example.com>'],
        thread_id: 'first@example.com',
        reply_to_id: 'second@example.com',
        created_at: '2026-02-03T04:05:06.000Z',
      },
      attachments: [{ title: 'list.csv', contentType: 'text/csv', sizeBytes: 24 }],
      native: { message_id: 'third@example.com' },
    });
    const text = await readText(item);
    expect(text).toContain('zebra arrives at noon');
    expect(text).toContain('giraffe');
  });

  test('a mail may begin a thread, lack a subject, or have a date that cannot be', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'root@x', text: 'one', date, subject: 'Begin' }));
    await append(path, plainMail({ id: 'bare@x', text: 'two', date: new Date('2099-01-01'), subject: '' }));
    const items = [];
    for (const entry of (await read(path)).entries) items.push(await entry.load(noSignal));
    expect(items[0]?.fields).toMatchObject({ thread_id: 'root@x' });
    expect(items[0]?.fields).not.toHaveProperty('reply_to_id');
    expect(items[0]?.attachments).toEqual([]);
    expect(items[1]).not.toHaveProperty('title');
    expect(items[1]?.timestamp).toBe(date.toISOString());
  });

  test('nothing is marked as read', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'unread@x', text: 'one', date, subject: 'Unread' }));
    expect(await subjects(path)).toEqual(['Unread']);
    expect(await fake.owner.status(path, { unseen: true })).toMatchObject({ unseen: 1 });
  });

  test('a mail that was moved, or stands in two mailboxes, is the same one, without a Message-ID too', async () => {
    const [path, other] = [await newMailbox(), await newMailbox()];
    await append(path, plainMail({ id: 'known@x', text: 'one', date, subject: 'Known' }));
    await append(path, plainMail({ text: 'two', date, subject: 'Unknown' }));
    const shown = async (from: string) =>
      (await read(from)).entries.map(({ id, version }) => `${id} ${version}`);
    const before = await shown(path);
    expect(before[0]).toContain('known@x');
    expect(before[1]).toMatch(/^sha256:[0-9a-f]{64} /);
    await fake.owner.mailboxOpen(path);
    await fake.owner.messageCopy('1:*', other);
    expect(await shown(other)).toEqual(before);
    await fake.owner.messageDelete('1:*');
    expect(await shown(path)).toEqual([]);
    expect((await walk(path)).entries).toEqual([]);
  });

  test('of two mails with one Message-ID each has an id of its own to fall back on; a draft takes the place of the one before', async () => {
    const path = await newMailbox();
    for (const text of ['zebra', 'okapi'])
      await append(path, plainMail({ id: 'twice@x', text, date, subject: text }));
    await fake.owner.append(path, plainMail({ id: 'twice@x', text: 'gnu', date, subject: 'gnu' }), [
      '\\Draft',
    ]);
    const { entries } = await read(path);
    expect(entries.map(({ id }) => id)).toEqual(['twice@x', 'twice@x', 'twice@x']);
    const own = entries.map(({ ownId }) => ownId);
    expect(own).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      undefined,
    ]);
    expect(new Set(own).size).toBe(3);
    expect(await textOf(await entries[1]?.load(noSignal))).toContain('okapi');
  });

  test('what came before the lookback, by the time it came, is neither read nor walked', async () => {
    const path = await newMailbox();
    const oldest = new Date('2026-02-03T04:00:00Z');
    const came = ['2026-02-03T03:59:59Z', '2026-02-03T04:00:00Z', '2026-03-01T00:00:00Z'];
    for (const at of came)
      await append(path, plainMail({ id: at, text: at, date: longAgo, subject: at }), new Date(at));
    expect(await subjects(path, { oldest })).toEqual(came.slice(1));
    const walked = await readAll((cursor) => opened.session.walk!(scope(path, { oldest }), cursor, noSignal));
    expect(walked.entries).toHaveLength(2);
  });

  test('filters choose sender and subject', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'a@x', text: 'one', date, subject: 'Züge nach Köln' }));
    await append(path, plainMail({ id: 'b@x', text: 'two', date, subject: 'Lunch' }).replace(/ada@/, 'eve@'));
    expect(await subjects(path, { filters: { subject: 'köln' } })).toEqual(['Züge nach Köln']);
    expect(await subjects(path, { filters: { from: 'EVE@example' } })).toEqual(['Lunch']);
    expect(await subjects(path, { filters: { from: 'nobody' } })).toEqual([]);
  });

  test('mails that come while a mailbox is read are read, once', async () => {
    const path = await newMailbox();
    const add = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, index) =>
          append(path, plainMail({ id: `${from + index}@x`, text: 'text', date, subject: 'Subject' })),
        ),
      );
    await add(0, 60);
    const first = await opened.session.read(scope(path), '', noSignal);
    expect(first).toMatchObject({ more: true, entries: { length: 50 } });
    await add(60, 65);
    const another = openFake(provider, fake);
    for (const { session } of [opened, another]) {
      const rest = await readAll((cursor) => session.read(scope(path), cursor, noSignal), first.cursor);
      const next = await readAll((cursor) => session.read(scope(path), cursor, noSignal), rest.cursor);
      const ids = [first, rest, next].flatMap(({ entries }) => entries.map(({ id }) => id));
      expect(ids).toHaveLength(65);
      expect(new Set(ids).size).toBe(65);
      const [last] = (await readAll((cursor) => session.read(scope(path), cursor, noSignal), next.cursor))
        .entries;
      expect(last).toBeUndefined();
    }
    await another.close();
  });

  test('a mail that is gone when it is loaded is nothing', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'gone@x', text: 'one', date, subject: 'Gone' }));
    const [entry] = (await read(path)).entries;
    await fake.owner.mailboxOpen(path);
    await fake.owner.messageDelete('1:*');
    await opened.session.describe('INBOX', noSignal);
    expect(await entry?.load(noSignal)).toBeUndefined();
  });

  test('a mailbox that was made anew makes its cursors expire, and says nothing of what was found in it', async () => {
    const path = await newMailbox();
    const mail = plainMail({ id: 'old@x', text: 'one', date, subject: 'Old' });
    await append(path, mail);
    const { cursor, entries } = await read(path);
    await opened.session.describe('INBOX', noSignal);
    await fake.owner.mailboxDelete(path);
    await fake.owner.mailboxCreate(path);
    await append(path, mail.replaceAll('Old', 'New'));
    expect(await failure(read(path, {}, cursor))).toMatchObject({ name: 'ProviderError', kind: 'expired' });
    expect(await failure(entries[0]!.load(noSignal))).toMatchObject({ kind: 'expired' });
    expect(await failure(read(path, {}, '{"uid":1}'))).toMatchObject({ kind: 'expired' });
    expect(await subjects(path)).toEqual(['New']);
  });

  test('mailboxes are found by the names that the server gives them, but for those that hold none', async () => {
    await fake.owner.mailboxCreate('Listen/Bücher & Ähnliches');
    const { resources } = await opened.session.discover({ cursor: '', limit: 100 }, noSignal);
    const ids = resources.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(ids).toContain('Listen/Bücher & Ähnliches');
    expect(ids).not.toContain('Listen');
    expect(resources.find(({ id }) => id === 'Sent')?.metadata).toEqual({ special_use: '\\Sent' });
    expect(await opened.session.describe('Listen/Bücher & Ähnliches', noSignal)).toMatchObject({
      type: 'mailbox',
      metadata: { messages: 0 },
    });
    for (const id of ['Listen', '*', '', 'INBOX/..'])
      expect(await failure(opened.session.describe(id, noSignal))).toMatchObject({
        kind: expect.stringMatching(/^(missing|refused)$/),
      });
  });

  test('no failure tells the password, to whoever looks into it', async () => {
    const wrong = openFake(provider, fake, { ...fake.credentials, password: 'hunter2' });
    const error = (await failure(wrong.session.check(noSignal))) as Error;
    await wrong.close();
    expect(error).toMatchObject({ kind: 'credentials' });
    expect(error.cause).toBeUndefined();
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('hunter2');
  });

  test('a server whose certificate nobody trusts is not told the password', async () => {
    const { tlsPort } = fake.dovecot;
    const secure = openFake(provider, fake, {
      ...fake.credentials,
      host: 'localhost',
      port: tlsPort,
      tls: true,
    });
    const error = await failure(secure.session.check(noSignal));
    await secure.close();
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('certificate') });
  });

  test('a port where TLS is not spoken says so', async () => {
    const secure = openFake(provider, fake, { ...fake.credentials, tls: true });
    const error = await failure(secure.session.check(noSignal));
    await secure.close();
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('no TLS') });
  });

  test('a server in a private network is not connected to', async () => {
    const connections: unknown[] = [];
    const trap = createServer((socket) => connections.push(socket.destroy())).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const network = new GuardedNetwork({ allowPrivate: false });
    const { port } = trap.address() as AddressInfo;
    const session = imap.open({
      credentials: { ...fake.credentials, port },
      baseUrl: undefined,
      network,
      clock: systemClock,
      documents: documentReaders,
      filesystemRoots: [],
      saveCredentials: async () => {},
    });
    expect(await failure(session.check(noSignal))).toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('private'),
    });
    expect(connections).toEqual([]);
    await session.close();
    await network.close();
    trap.close();
  });

  test('what was stopped, or cut off, is begun anew by the next one who asks', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'on@x', text: 'one', date, subject: 'On' }));
    const stop = new AbortController();
    const reading = failure(opened.session.read(scope(path), '', stop.signal));
    const waiting = opened.session.read(scope(path), '', noSignal);
    stop.abort(new Error('stopped'));
    expect(await reading).toMatchObject({ message: 'stopped' });
    expect((await waiting).entries).toHaveLength(1);
  });

  test('a server that goes away is unavailable, and no mail is passed over', async () => {
    const another = await startImapFake('eve');
    if (!another) throw new Error(dovecotProblem());
    await another.add(3, 'zebra');
    const { session, close } = openFake(provider, another);
    await session.check(noSignal);
    another.cut();
    expect(await failure(session.read(scope('INBOX'), '', noSignal))).toMatchObject({ kind: 'unavailable' });
    expect(await failure(session.check(noSignal))).toMatchObject({ kind: 'unavailable' });
    await close();
    await another.close();
  });

  test('a mailbox without news is asked for once, a mail with one request', async () => {
    const path = await newMailbox();
    await append(path, plainMail({ id: 'asked@x', text: 'one', date, subject: 'Asked' }));
    const { cursor, entries } = await read(path);
    expect(entries).toHaveLength(1);
    const commands = async (work: Promise<unknown>) => {
      const before = fake.commands.length;
      await work;
      return fake.commands.slice(before).map((line) => line.split(' ').slice(1, 3).join(' '));
    };
    expect(await commands(read(path, {}, cursor))).toEqual(['EXAMINE "Box']);
    for (const entry of entries) expect(await commands(entry.load(noSignal))).toEqual(['UID FETCH']);
  });
});
