import type { Acl } from '../acl.js';
import type { ChangeQueue } from './change-queue.js';
import type { StatusChange } from './status-feed.js';
import type { ReceivedChange } from './status-message.js';

/** Which changes a subscriber wants, and may see. */
export interface StatusInterest {
  readonly databaseId: number;
  /** Null: any. */
  readonly collection: string | null;
  /** Null: all. */
  readonly ids: ReadonlySet<string> | null;
  readonly maySee: (acl: Acl) => boolean;
  /** Whether the subscriber's key is still valid; asked again and again. */
  readonly isAllowed: () => Promise<boolean>;
}

/** How a subscription learns what no message has told it. */
export interface StatusReader {
  /** Whether a database has not been deleted. */
  databaseExists(databaseId: number): Promise<boolean>;
  findCurrent(databaseId: number, ids: readonly string[]): Promise<StatusChange[]>;
  findChangedSince(databaseId: number, since: Date): Promise<StatusChange[]>;
  /** Asks for a fence to be put into a queue, and returns its token. */
  fence(queue: ChangeQueue): Promise<string>;
  now(): Date;
}

/** How many changes are sent between two checks of the subscriber's key. */
const changesPerCheck = 100;

/** Turns received messages, and after a gap the rows, into the changes that one client is sent. */
export class StatusSubscription {
  /** Changes that may be sent before the key is checked again. */
  private credit = 0;

  constructor(
    readonly interest: StatusInterest,
    readonly queue: ChangeQueue,
    private readonly reader: StatusReader,
  ) {}

  /** The database is gone: what was received is still sent, then the subscription ends. */
  end(databaseId: number): void {
    if (databaseId === this.interest.databaseId) this.queue.finish();
  }

  /** Queues the changes that concern the subscriber. */
  receive(changes: readonly ReceivedChange[]): void {
    for (const change of changes) if (this.concerns(change)) this.queue.push({ kind: 'change', change });
  }

  /** Ends when the queue is closed, the database is gone, or the subscriber's key is not valid any more. */
  async *changes(): AsyncGenerator<StatusChange, undefined> {
    const { databaseId } = this.interest;
    // If the database is deleted from now on, a message says so.
    if (!(await this.reader.databaseExists(databaseId))) return;
    if (this.interest.ids) yield* this.currentStatuses(this.reader.now());
    for (;;) {
      const entry = await this.queue.take();
      if (!entry) return;
      if (entry.kind === 'gap') {
        if (!(await this.reader.databaseExists(databaseId))) return;
        yield* this.currentStatuses(entry.since);
      }
      if (entry.kind !== 'change') continue;
      const change = await this.visibleChange(entry.change);
      if (!(await this.isStillAllowed())) return;
      if (change) yield change;
    }
  }

  /** Where items stand now, except those of which something newer is received while the rows are read. */
  private async *currentStatuses(from: Date): AsyncGenerator<StatusChange, undefined> {
    let since = from;
    let rows = await this.read(since);
    let received = await this.receiveUntilFence();
    while (received && 'since' in received) {
      // What was received is lost behind another gap, so the rows are read again. A new date object shares no
      // read with other subscribers.
      since = received.since < since ? received.since : new Date(since);
      rows = await this.read(since);
      received = await this.receiveUntilFence();
    }
    if (!received) return;
    const known = new Set(received.map(keyOf));
    const others = rows.filter((row) => this.concerns(row) && !known.has(keyOf(row)));
    this.credit = 0;
    for (const change of [...received, ...others.map((row) => ({ ...row, incomplete: false }))]) {
      const visible = await this.visibleChange(change);
      if (!(await this.isStillAllowed())) return;
      if (visible) yield visible;
    }
  }

  /**
   * What was received before the fence; or the gap that came instead; or undefined when the queue ended
   * first.
   */
  private async receiveUntilFence(): Promise<ReceivedChange[] | { readonly since: Date } | undefined> {
    const token = await this.reader.fence(this.queue);
    const received: ReceivedChange[] = [];
    for (;;) {
      const entry = await this.queue.take();
      if (!entry || entry.kind === 'gap') return entry;
      if (entry.kind === 'change') received.push(entry.change);
      else if (entry.token === token) return received;
    }
  }

  private read(since: Date): Promise<StatusChange[]> {
    const { ids, databaseId } = this.interest;
    return ids
      ? this.reader.findCurrent(databaseId, [...ids])
      : this.reader.findChangedSince(databaseId, since);
  }

  /**
   * The change, completed with what its message left out; undefined when the item is gone, or not for the
   * subscriber.
   */
  private async visibleChange(change: ReceivedChange): Promise<StatusChange | undefined> {
    let whole: StatusChange | undefined = change;
    if (change.incomplete) {
      const rows = await this.reader.findCurrent(change.databaseId, [change.id]);
      const row = rows.find((candidate) => keyOf(candidate) === keyOf(change));
      whole = row && { ...change, errorMessage: row.errorMessage, acl: row.acl };
    }
    return whole && this.interest.maySee(whole.acl) ? whole : undefined;
  }

  private async isStillAllowed(): Promise<boolean> {
    if (this.queue.hasWaited || this.credit === 0) {
      this.queue.hasWaited = false;
      this.credit = changesPerCheck;
      return this.interest.isAllowed();
    }
    this.credit -= 1;
    return true;
  }

  private concerns(change: StatusChange): boolean {
    const { databaseId, collection, ids } = this.interest;
    return (
      change.databaseId === databaseId &&
      (!collection || change.collection === collection) &&
      (!ids || ids.has(change.id))
    );
  }
}

function keyOf({ collection, corpus, id }: StatusChange): string {
  return JSON.stringify([collection, corpus, id]);
}
