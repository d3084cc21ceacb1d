import { expect, test } from '@jest/globals';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

/** Mails with one Message-ID, sent at different times. */
const mail = (name: string) => ({
  text: name,
  shown: { id: `${on.a}-known`, version: name, ownId: `${on.a}-digest-of-${name}` },
});
const known = () => `scripted:${on.a}-known`;
const own = (name: string) => `scripted:${on.a}-digest-of-${name}`;

const titles = async (connected: Awaited<ReturnType<typeof on.connect>>) =>
  Object.fromEntries((await connected.items()).map(({ id, title }) => [id, title]));

test('a thing with the id of another takes its place neither in its resource nor from another one', async () => {
  on.account.write(on.a, '1', mail('genuine'));
  const connected = await on.connect({ resources: [on.a, on.b] });
  await on.server.idle();
  on.account.write(on.a, '2', mail('forged'));
  on.account.write(on.b, '1', mail('spam'));
  // The same mail in another mailbox.
  on.account.write(on.b, '2', mail('genuine'));
  await connected.pass(hour);
  const all = { [known()]: 'genuine', [own('forged')]: 'forged', [own('spam')]: 'spam' };
  expect(await titles(connected)).toEqual(all);
  await connected.pass(day);
  await connected.pass(day);
  expect(await titles(connected)).toEqual(all);
  expect((await connected.fields())['documents_dispatched']).toBe(4);
});

test('on one page, the first of two things with one id has it', async () => {
  for (const name of ['first', 'second']) on.account.write(on.a, name, mail(name));
  const connected = await on.connect();
  await on.server.idle();
  expect(await titles(connected)).toEqual({ [known()]: 'first', [own('second')]: 'second' });
});

test('once the first is gone, the id is free for the other', async () => {
  for (const name of ['first', 'second']) on.account.write(on.a, name, mail(name));
  const connected = await on.connect();
  await on.server.idle();
  on.account.remove(on.a, 'first');
  for (let days = 0; days < 3; days += 1) await connected.pass(day);
  expect(await titles(connected)).toEqual({ [known()]: 'second' });
});
