import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { ImapFlow } from 'imapflow';
import { startDovecot } from './dovecot.js';
import type { Dovecot } from './dovecot.js';
import type { ProviderFake } from './provider-fake.js';

const mailbox = 'INBOX';

export interface ImapFake extends ProviderFake {
  readonly dovecot: Dovecot;
  readonly credentials: { host: string; port: number; tls: boolean; user: string; password: string };
  /** The account as its owner uses it. */
  readonly owner: ImapFlow;
  /** What was asked through the connections of `credentials`, a line for each command. */
  readonly commands: readonly string[];
  /** Ends these connections, and takes no more. */
  cut(): void;
}

/** An account of a real mail server, one for each `user`; undefined where it is not installed. */
export async function startImapFake(user = 'ada'): Promise<ImapFake | undefined> {
  const dovecot = await startDovecot();
  if (!dovecot) return undefined;
  const owner = new ImapFlow({
    host: '127.0.0.1',
    port: dovecot.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: 'pw' },
    logger: false,
    disableAutoIdle: true,
  });
  owner.on('error', () => undefined);
  await owner.connect();
  const door = await openDoor(dovecot.port);
  const credentials = { host: '127.0.0.1', port: door.port, tls: false, user, password: 'pw' };
  let mails = 0;
  const append = async (id: string, text: string, flags: string[] = []) => {
    mails += 1;
    const date = new Date(Date.now() - 3_600_000 + mails * 1000);
    await owner.append(mailbox, plainMail({ id, text, date, subject: `Mail ${mails}` }), flags, date);
  };
  const remove = async (id: string) => {
    await owner.mailboxOpen(mailbox);
    const [uid] = (await owner.search({ header: { 'message-id': `<${id}>` } }, { uid: true })) || [];
    await owner.messageDelete(String(uid), { uid: true });
  };
  return {
    dovecot,
    owner,
    commands: door.commands,
    cut: door.cut,
    baseUrl: undefined,
    credentials,
    wrongCredentials: { ...credentials, password: 'another' },
    resource: { id: mailbox, type: 'mailbox' },
    missingResourceId: 'No such mailbox',
    get requests() {
      return door.commands.length;
    },
    add: async (count, word) => {
      const ids = Array.from({ length: count }, (_, index) => `${mails + index + 1}@example.com`);
      for (const id of ids) await append(id, `The ${word} says hello.`);
      return ids;
    },
    // As a mail program does with a draft.
    edit: async (id, word) => {
      await remove(id);
      await append(id, `The ${word} says hello.`, ['\\Draft']);
    },
    remove,
    fail: undefined,
    close: async () => {
      door.cut();
      owner.close();
      await dovecot.kill();
    },
  };
}

/** A way to the server that hears what is asked on it. */
async function openDoor(
  behind: number,
): Promise<{ port: number; commands: readonly string[]; cut: () => void }> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const door = createServer((outer) => {
    const inner = connect(behind, '127.0.0.1');
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
    outer.on('data', (part) => {
      for (const line of part.toString().split('\r\n')) if (/^\w+ \w/.test(line)) commands.push(line);
    });
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const cut = () => {
    door.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (door.address() as AddressInfo).port, commands, cut };
}

/** A short mail from Ada to Bob. */
export function plainMail(mail: {
  id?: string;
  text: string;
  date: Date;
  subject: string;
  head?: string[];
}): string {
  return [
    'From: Ada Lovelace <ada@example.com>',
    'To: Bob <bob@example.com>',
    `Subject: ${mail.subject}`,
    `Date: ${mail.date.toUTCString().replace('GMT', '+0000')}`,
    ...(mail.id === undefined ? [] : [`Message-ID: <${mail.id}>`]),
    ...(mail.head ?? []),
    'Content-Type: text/plain; charset=utf-8',
    '',
    mail.text,
    '',
  ].join('\r\n');
}
