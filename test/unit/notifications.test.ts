import { EventEmitter } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { createLogger } from '../../src/lib/logger.js';
import { Notifications } from '../../src/postgres/notifications.js';

/** A connection that is lost, if so told, when it begins to listen. */
class Session extends EventEmitter {
  isOpen = true;

  constructor(private readonly isLost: boolean) {
    super();
  }

  async query(): Promise<void> {
    await Promise.resolve();
    if (!this.isLost) return;
    this.isOpen = false;
    // As pg does: those who listen hear of it before whoever waits for the statement.
    this.emit('end');
    throw new Error('Connection terminated unexpectedly');
  }

  async end(): Promise<void> {
    await Promise.resolve();
    this.isOpen = false;
  }
}

const sessions: Session[] = [];
const told: string[] = [];
const notifications = new Notifications({
  openSession: async () => {
    await Promise.resolve();
    const session = new Session(sessions.length === 0);
    sessions.push(session);
    return session as unknown as pg.Client;
  },
  channel: 'news',
  logger: createLogger('silent'),
  onMessage: (message) => told.push(message),
  onAlive: () => undefined,
  onLost: () => undefined,
  onGap: () => undefined,
});
const open = () => sessions.filter(({ isOpen }) => isOpen);
afterEach(async () => notifications.close());

test('of a connection that is lost while it begins to listen one other takes the place', async () => {
  await notifications.ready();
  for (const session of open()) session.emit('notification', { payload: 'once' });
  expect(told).toEqual(['once']);
  await notifications.close();
  expect(open()).toEqual([]);
});
