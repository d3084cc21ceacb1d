import { setTimeout } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { collectionName } from '../../databases/collections.service.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { Notifications } from '../../postgres/notifications.js';
import type { Postgres } from '../../postgres/postgres.js';
import { query } from '../../postgres/query.js';
import type { Corpus } from '../../postgres/stores.js';
import type { Acl } from '../acl.js';
import { ChangeQueue } from './change-queue.js';
import type { IndexingStatus } from './indexing-status.js';
import { databaseExists, findCurrentStatuses, findStatusesChangedSince } from './status-changes.queries.js';
import { decodeMessage, encodeChanges, encodeEnd } from './status-message.js';
import type { ReceivedChange } from './status-message.js';
import { StatusSubscription } from './status-subscription.js';
import type { StatusInterest, StatusReader } from './status-subscription.js';

/** A change of an item's indexing status. */
export interface StatusChange {
  readonly databaseId: number;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly id: string;
  readonly indexingStatus: IndexingStatus;
  readonly errorCode: string;
  readonly errorMessage: string;
  /** The item's access list: who may be told. */
  readonly acl: Acl;
}

interface StatusFeedOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openSession: Postgres['openSession'];
}

const channel = 'contexture_status';
/** Clocks of processes differ, and a change is stored a while after it was stamped. */
const marginMs = 60_000;
const attemptsMax = 5;
const retryMs = 500;

/**
 * Carries status changes to subscribers. On a native Postgres they travel by NOTIFY, in the transaction that
 * makes them, to every process with subscribers; the embedded one serves a single process. After a lost
 * connection the rows make up for what was missed: they show where items stand, but not every status they
 * passed.
 */
export class StatusFeed {
  private readonly subscriptions = new Set<StatusSubscription>();
  private readonly fences = new Map<string, ChangeQueue>();
  private readonly notifications: Notifications | undefined;
  private readonly reader: StatusReader;
  private lastAliveAt: Date;
  /** When the lost connection was last known to be alive. */
  private missedSince: Date | undefined;

  constructor(private readonly options: StatusFeedOptions) {
    const { openSession, logger, clock, postgres } = options;
    this.lastAliveAt = clock.now();
    const findChangedSince = sharingReads((databaseId, since) =>
      withRetries(() => findStatusesChangedSince(postgres.manager, databaseId, { since, now: clock.now() })),
    );
    this.reader = {
      databaseExists: (databaseId) => withRetries(() => databaseExists(postgres.manager, databaseId)),
      findCurrent: (databaseId, ids) =>
        withRetries(() => findCurrentStatuses(postgres.manager, databaseId, { ids, now: clock.now() })),
      findChangedSince,
      fence: (queue) => this.fence(queue),
      now: () => clock.now(),
    };
    this.notifications =
      openSession &&
      new Notifications({
        openSession,
        channel,
        logger,
        onMessage: (message) => this.receive(message),
        onAlive: () => {
          this.lastAliveAt = clock.now();
        },
        onLost: () => {
          this.missedSince ??= this.lastAliveAt;
        },
        onGap: () => this.reportGap(),
      });
  }

  /** Begins to listen to other processes, so that the first subscriber need not wait for that. */
  listen(): void {
    // A failure reaches the subscribers, who wait for it again.
    this.notifications?.ready().catch(() => undefined);
  }

  /** Whether changes must be announced in the transaction that makes them. */
  get announces(): boolean {
    return this.notifications !== undefined;
  }

  /** Tells every process once the transaction commits; does nothing where there is only this one. */
  async announce(manager: EntityManager, changes: readonly StatusChange[]): Promise<void> {
    if (this.announces && changes.length > 0) await notify(manager, encodeChanges(changes));
  }

  /** Tells this process where it is the only one; to be called after the commit. */
  publish(changes: readonly StatusChange[]): void {
    if (!this.announces) this.deliver(changes.map((change) => ({ ...change, incomplete: false })));
  }

  /**
   * Tells every process, once the transaction commits, that a database is gone; does nothing where there is
   * only this one.
   */
  async announceEnd(manager: EntityManager, databaseId: number): Promise<void> {
    if (this.announces) await notify(manager, [encodeEnd(databaseId)]);
  }

  /** Tells this process where it is the only one; to be called after the commit. */
  publishEnd(databaseId: number): void {
    if (!this.announces) this.end(databaseId);
  }

  /**
   * The changes from now on, until the database is deleted. With `ids` it begins with the current statuses of
   * those items, so that a client that subscribes again misses nothing that still matters. @throws AppError
   * INVALID_INPUT for an impossible name of a collection
   */
  async subscribe(interest: StatusInterest): Promise<AsyncIterableIterator<StatusChange>> {
    const collection = interest.collection === null ? null : collectionName(interest.collection);
    const queue = new ChangeQueue(this.options.clock);
    const subscription = new StatusSubscription({ ...interest, collection }, queue, this.reader);
    const end = () => {
      this.subscriptions.delete(subscription);
      for (const [token, waiting] of this.fences) if (waiting === queue) this.fences.delete(token);
      queue.close();
    };
    this.subscriptions.add(subscription);
    try {
      await this.notifications?.ready();
    } catch (error) {
      end();
      throw error;
    }
    return withEnd(subscription.changes(), end);
  }

  async close(): Promise<void> {
    for (const { queue } of this.subscriptions) queue.close();
    this.subscriptions.clear();
    await this.notifications?.close();
  }

  private receive(message: string): void {
    const fenced = this.fences.get(message);
    if (fenced) {
      this.fences.delete(message);
      fenced.push({ kind: 'fence', token: message });
    }
    // Fences of other processes mean nothing here.
    if (!message.startsWith('{')) return;
    try {
      const decoded = decodeMessage(message);
      if ('ended' in decoded) this.end(decoded.ended);
      else this.deliver(decoded);
    } catch (error) {
      this.options.logger.error({ err: error }, 'a notification that no server has sent');
    }
  }

  private deliver(changes: readonly ReceivedChange[]): void {
    for (const subscription of this.subscriptions) subscription.receive(changes);
  }

  private end(databaseId: number): void {
    for (const subscription of this.subscriptions) subscription.end(databaseId);
  }

  private reportGap(): void {
    const since = new Date((this.missedSince ?? this.lastAliveAt).getTime() - marginMs);
    this.missedSince = undefined;
    // Fences that were sent over the lost connection will not come.
    this.fences.clear();
    for (const { queue } of this.subscriptions) queue.push({ kind: 'gap', since });
  }

  private async fence(queue: ChangeQueue): Promise<string> {
    const token = uuidv4();
    if (this.announces) {
      this.fences.set(token, queue);
      await withRetries(() => notify(this.options.postgres.manager, [token]));
    } else queue.push({ kind: 'fence', token });
    return token;
  }
}

/**
 * The values of a generator; `end` is called when it is through, fails or is given up, also before its first value,
 * which a `finally` in it would not see.
 */
function withEnd<Value>(
  generator: AsyncGenerator<Value, undefined>,
  end: () => void,
): AsyncIterableIterator<Value> {
  const iterator: AsyncIterableIterator<Value> = {
    next: async () => {
      let goesOn = false;
      try {
        const result = await generator.next();
        goesOn = !result.done;
        return result;
      } finally {
        if (!goesOn) end();
      }
    },
    return: async () => {
      end();
      return generator.return(undefined);
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

async function notify(manager: EntityManager, messages: readonly string[]): Promise<void> {
  await query(manager, 'select pg_notify($1, message) from unnest($2::text[]) as message', [
    channel,
    messages,
  ]);
}

/** After a gap Postgres was away, so connections of the pool may be dead as well. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      await setTimeout(retryMs, undefined, { ref: false });
    }
  }
}

/**
 * After a gap all subscribers of a database ask for the same, with the same date object: one read serves
 * them.
 */
function sharingReads(read: StatusReader['findChangedSince']): StatusReader['findChangedSince'] {
  const reads = new WeakMap<Date, Map<number, Promise<StatusChange[]>>>();
  return (databaseId, since) => {
    const ofGap = reads.get(since) ?? new Map<number, Promise<StatusChange[]>>();
    reads.set(since, ofGap);
    const shared = ofGap.get(databaseId) ?? read(databaseId, since).finally(() => ofGap.delete(databaseId));
    ofGap.set(databaseId, shared);
    return shared;
  };
}
