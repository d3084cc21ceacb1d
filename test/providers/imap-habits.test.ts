import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { imap } from '../../src/connectors/providers/imap.js';
import { noSignal, openFake } from '../support/connectors/reading.js';

const scope = { id: 'INBOX', type: 'mailbox', oldest: new Date('2000-01-01'), filters: {} };
const mail = 'Message-ID: <a@b>\r\nSubject: Hello\r\nFrom: Ada <ada@x.test>\r\n\r\nAbout a zebra\r\n';
const head =
  'INTERNALDATE " 3-Feb-2026 04:06:00 +0100" ENVELOPE ("Tue, 3 Feb 2026 04:05:06 +0100" "Hello" (("Ada" NIL "ada" "x.test")) NIL NIL NIL NIL NIL NIL "<a@b>")';
const body = `BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7bit" 13 1) BODY[HEADER.FIELDS (REFERENCES)] {2}\r\n\r\n BODY[] {${mail.length}}\r\n${mail}`;
const opened = '* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid';

/** The lines before the final one of each answer, or the final one that is `NO`, by the beginning of the command: a server that knows IMAP4rev1 and no more. */
const plain: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1',
  'LIST "" ""': '* LIST (\\Noselect) "." ""',
  LIST: '* LIST () "." INBOX\r\n* LIST (\\NoSelect) "." Archiv\r\n* LIST () "." {12}\r\nArchiv.&AOQ-x\r\n* LIST () NIL "a \\"b\\""',
  EXAMINE: opened,
  'UID SEARCH': '* SEARCH 5',
  'UID FETCH 5 (UID ENVELOPE': `* 1 FETCH (UID 5 RFC822.SIZE 100 ${head})`,
  'UID FETCH 5 (UID BODYSTRUCTURE': `* 1 FETCH (UID 5 RFC822.SIZE ${mail.length} ${head} ${body})`,
};

let server: Server;
let answers: Record<string, string>;
let session: ReturnType<typeof openFake>;

beforeEach(async () => {
  answers = { ...plain };
  server = createServer((socket) => {
    socket.on('error', () => undefined).write('* OK ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
      const key = Object.keys(answers).find((each) => command.startsWith(each));
      const answer = key ? answers[key] : undefined;
      if (answer?.startsWith('NO ')) socket.write(`${tag} ${answer}\r\n`);
      else socket.write(`${answer ? `${answer}\r\n` : ''}${tag} OK done\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { host: '127.0.0.1', port, tls: false, user: 'u', password: 'p' };
  session = openFake(imap, { credentials, resource: scope } as never);
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
      answers[key] = `${news}${plain[key]}\r\n${news.trimEnd()}`;
    const { entries } = await read();
    expect(entries.map(({ id }) => id)).toEqual(['a@b']);
    const item = await entries[0]?.load(noSignal);
    expect(item?.title).toBe('Hello');
    expect(await item?.file?.open(noSignal)).toEqual(Buffer.from(mail));
  });
});

describe('a command that is answered NO', () => {
  const failed = (work: Promise<unknown>) => work.catch((error: unknown) => error);

  test.each([
    ['EXAMINE', 'NO you may not', 'refused'],
    ['EXAMINE', 'NO [UNAVAILABLE] the store is away', 'unavailable'],
    ['UID SEARCH', 'NO sorry', 'unavailable'],
    ['UID FETCH 5 (UID ENVELOPE', 'NO [SERVERBUG] internal error occurred', 'unavailable'],
    ['UID FETCH 5 (UID ENVELOPE', 'NO sorry', 'unavailable'],
    ['UID FETCH 5 (UID ENVELOPE', 'NO too many requests', 'limited'],
  ])('%s, %s: %s', async (command, answer, kind) => {
    answers[command] = answer;
    expect(await failed(read())).toMatchObject({ name: 'ProviderError', kind });
  });

  test('for a mail that was found leaves it for another try', async () => {
    const { entries } = await read();
    answers['UID FETCH 5 (UID BODYSTRUCTURE'] = 'NO the store is away';
    expect(await failed(entries[0]!.load(noSignal))).toMatchObject({ kind: 'unavailable' });
  });
});
