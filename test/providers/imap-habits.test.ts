import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { imap } from '../../src/connectors/providers/imap.js';
import { noSignal, openFake } from '../support/connectors/reading.js';
import { ScriptedImap } from '../support/connectors/scripted-imap.js';

const scope = { id: 'INBOX', type: 'mailbox', oldest: new Date('2000-01-01'), filters: {} };
const mail = 'Message-ID: <a@b>\r\nSubject: Hello\r\nFrom: Ada <ada@x.test>\r\n\r\nAbout a zebra\r\n';
const head =
  'INTERNALDATE " 3-Feb-2026 04:06:00 +0100" ENVELOPE ("Tue, 3 Feb 2026 04:05:06 +0100" "Hello" (("Ada" NIL "ada" "x.test")) NIL NIL NIL NIL NIL NIL "<a@b>")';
const body = `BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7bit" 13 1) BODY[HEADER.FIELDS (REFERENCES)] {2}\r\n\r\n BODY[] {${mail.length}}\r\n${mail}`;
const opened = '* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid';

/** What a server says that knows IMAP4rev1 and no more. */
const plain: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1',
  'LIST "" ""': '* LIST (\\Noselect) "." ""',
  LIST: '* LIST () "." INBOX\r\n* LIST (\\NoSelect) "." Archiv\r\n* LIST () "." {12}\r\nArchiv.&AOQ-x\r\n* LIST () NIL "a \\"b\\""',
  EXAMINE: opened,
  'UID SEARCH': '* SEARCH 5',
  'UID FETCH 5 (UID FLAGS ENVELOPE': `* 1 FETCH (UID 5 RFC822.SIZE 100 ${head})`,
  'UID FETCH 5 (UID BODYSTRUCTURE': `* 1 FETCH (UID 5 RFC822.SIZE ${mail.length} ${head} ${body})`,
};

let server: ScriptedImap;
let session: ReturnType<typeof openFake>;

beforeEach(async () => {
  server = await ScriptedImap.start();
  server.answers = { ...plain };
  session = openFake(imap, { credentials: server.credentials, resource: scope } as never);
});
afterEach(async () => {
  await session.close();
  server.close();
});

const read = () => session.session.read(scope, '', noSignal);

describe('a mail server without extensions', () => {
  test('is read; what is only a folder is told by its flag in any case, names come as literals too', async () => {
    const { resources } = await session.session.discover({ cursor: '', limit: 10 }, noSignal);
    expect(resources.map(({ id }) => id)).toEqual(['Archiv.ä', 'INBOX', 'a "b"']);
    const { entries, cursor } = await read();
    expect(JSON.parse(cursor)).toEqual({ uidValidity: '7', uid: 5 });
    expect(await entries[0]?.load(noSignal)).toMatchObject({ title: 'Hello', fields: { thread_id: 'a@b' } });
  });

  test('may tell amid an answer that flags have changed, which is no mail', async () => {
    const news =
      '* 1 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 5 FLAGS (\\Seen))\r\n* 2 FETCH (UID 9 FLAGS ())\r\n';
    for (const key of Object.keys(plain).filter((each) => each.startsWith('UID FETCH')))
      server.answers[key] = `${news}${plain[key]}\r\n${news.trimEnd()}`;
    const { entries } = await read();
    expect(entries.map(({ id }) => id)).toEqual(['a@b']);
    const item = await entries[0]?.load(noSignal);
    expect(item?.title).toBe('Hello');
    expect(await item?.file?.open(noSignal)).toEqual(Buffer.from(mail));
  });
});

test('what its owner has deleted or moved elsewhere is not there, though it stays in the mailbox, marked so', async () => {
  server.answers['UID SEARCH'] = '* SEARCH 5 6';
  const kept = `* 2 FETCH (UID 6 RFC822.SIZE 100 FLAGS (\\Seen) ${head.replace('a@b', 'kept@b')})`;
  server.answers['UID FETCH 5,6 (UID FLAGS ENVELOPE'] =
    `* 1 FETCH (UID 5 RFC822.SIZE 100 FLAGS (\\Seen \\Deleted) ${head})\r\n${kept}`;
  for (const page of [await read(), await session.session.walk!(scope, '', noSignal)]) {
    expect(page.entries.map(({ id }) => id)).toEqual(['kept@b']);
    expect(JSON.parse(page.cursor)).toEqual({ uidValidity: '7', uid: 6 });
  }
});

describe('a command that is answered NO', () => {
  const failed = (work: Promise<unknown>) => work.catch((error: unknown) => error);

  test.each([
    ['EXAMINE', 'NO you may not', 'refused'],
    ['EXAMINE', 'NO [UNAVAILABLE] the store is away', 'unavailable'],
    ['UID SEARCH', 'NO sorry', 'unavailable'],
    ['UID FETCH 5 (UID FLAGS ENVELOPE', 'NO [SERVERBUG] internal error occurred', 'unavailable'],
    ['UID FETCH 5 (UID FLAGS ENVELOPE', 'NO sorry', 'unavailable'],
    ['UID FETCH 5 (UID FLAGS ENVELOPE', 'NO too many requests', 'limited'],
  ])('%s, %s: %s', async (command, answer, kind) => {
    server.answers[command] = answer;
    expect(await failed(read())).toMatchObject({ name: 'ProviderError', kind });
  });

  test('for a mail that was found leaves it for another try', async () => {
    const { entries } = await read();
    server.answers['UID FETCH 5 (UID BODYSTRUCTURE'] = 'NO the store is away';
    expect(await failed(entries[0]!.load(noSignal))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('what says nothing of whether mails are gone', () => {
  const failed = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const heads = 'UID FETCH 5,6,7,8 (UID FLAGS ENVELOPE';
  const headOf = (uid: number) =>
    `* ${uid - 4} FETCH (UID ${uid} RFC822.SIZE 100 ${head.replace('a@b', `mail-${uid}`)})`;
  const serve = (...uids: number[]) =>
    void (server.answers[`UID FETCH ${uids.join(',')} (UID FLAGS ENVELOPE`] = uids.map(headOf).join('\r\n'));
  const refuse = (...uids: number[]) =>
    void (server.answers[`UID FETCH ${uids.join(',')} (UID FLAGS ENVELOPE`] =
      'NO [SERVERBUG] internal error occurred');

  beforeEach(() => {
    server.answers['EXAMINE'] = opened.replace('1 EXISTS', '4 EXISTS');
    server.answers['UID SEARCH'] = '* SEARCH 5 6 7 8';
  });

  test('a search that finds nothing, though the last mail should be found', async () => {
    server.answers['UID SEARCH'] = '* SEARCH';
    server.answers['FETCH 4 '] = '* 4 FETCH (UID 8 INTERNALDATE " 3-Feb-2026 04:06:00 +0100")';
    expect(await failed(read())).toMatchObject({ kind: 'unavailable' });
    expect(await failed(session.session.walk!(scope, '', noSignal))).toMatchObject({ kind: 'unavailable' });
    // It is older than what is wanted.
    server.answers['FETCH 4 '] = '* 4 FETCH (UID 8 INTERNALDATE " 3-Feb-1999 04:06:00 +0100")';
    expect((await read()).entries).toEqual([]);
  });

  test('a mail that the server never hands over: the others are read, and no walk is believed', async () => {
    refuse(5, 6, 7, 8);
    serve(5, 6);
    refuse(7, 8);
    refuse(7);
    serve(8);
    serve(5);
    const page = await session.session.walk!(scope, '', noSignal);
    expect(page.entries.map(({ id }) => id)).toEqual(['mail-5', 'mail-6', 'mail-8']);
    expect(page.unlisted).toEqual([{ idPrefix: '', problem: expect.stringContaining('number 7') }]);
    expect(JSON.parse(page.cursor)).toMatchObject({ uid: 8 });
  });

  test('a mail that is left out of the answer, unless it is gone', async () => {
    server.answers[heads] = [5, 6, 8].map(headOf).join('\r\n');
    expect((await read()).unlisted).toMatchObject([{ idPrefix: '' }]);
    server.answers = { 'UID SEARCH UID 7': '* SEARCH', ...server.answers };
    const { entries, unlisted } = await read();
    expect([entries.length, unlisted]).toEqual([3, []]);
  });

  test('a server that stops to hand over anything', async () => {
    refuse(5, 6, 7, 8);
    serve(5, 6);
    for (const uids of [[7, 8], [7], [8], [5]]) refuse(...uids);
    expect(await failed(read())).toMatchObject({ kind: 'unavailable' });
    server.answers[heads] = '';
    expect(await failed(read())).toMatchObject({ kind: 'unavailable' });
  });

  test('a mailbox that is numbered anew before a mail is loaded', async () => {
    serve(5, 6, 7, 8);
    const { entries } = await read();
    server.answers['EXAMINE'] = opened.replace('UIDVALIDITY 7', 'UIDVALIDITY 8');
    for (const socket of server.sockets) socket.destroy();
    await failed(session.session.check(noSignal));
    expect(await failed(entries[0]!.load(noSignal))).toMatchObject({ kind: 'expired' });
  });

  test('a mail that is found, and loaded without its content', async () => {
    serve(5, 6, 7, 8);
    const { entries } = await read();
    server.answers['UID FETCH 5 (UID BODYSTRUCTURE'] = '';
    expect(await failed(entries[0]!.load(noSignal))).toMatchObject({ kind: 'refused' });
    server.answers = { 'UID SEARCH UID 5': '* SEARCH', ...server.answers };
    expect(await entries[0]!.load(noSignal)).toBeUndefined();
  });
});
