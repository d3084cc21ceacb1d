import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../lib/logger.js';

interface NotificationsOptions {
  /** Makes a connection outside of the pool. */
  readonly openSession: () => Promise<pg.Client>;
  readonly channel: string;
  readonly logger: Logger;
  readonly onMessage: (payload: string) => void;
  /** Called whenever the connection has proved to be alive. */
  readonly onAlive: () => void;
  readonly onLost: () => void;
  /** Called when it listens again after a loss: what was sent in between will never come. */
  readonly onGap: () => void;
}

const retryMsMin = 50;
const retryMsMax = 5000;
const heartbeatMs = 10_000;

/**
 * One connection that listens to a channel of Postgres. It is opened when first needed, and again whenever it
 * is lost.
 */
export class Notifications {
  private client: pg.Client | undefined;
  private listening: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: NotificationsOptions) {}

  /** Resolves once everything that is sent from now on will arrive. */
  ready(): Promise<void> {
    this.listening ??= this.connect();
    return this.listening;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.listening?.catch(() => undefined);
    clearInterval(this.heartbeat);
    const client = this.client;
    this.client = undefined;
    await client?.end();
  }

  private async connect(): Promise<void> {
    for (let delayMs = retryMsMin; ; delayMs = Math.min(delayMs * 2, retryMsMax)) {
      this.stopping.signal.throwIfAborted();
      try {
        return await this.listen();
      } catch (error) {
        this.options.logger.warn({ err: error }, 'cannot listen to notifications yet');
        await setTimeout(delayMs, undefined, { signal: this.stopping.signal });
      }
    }
  }

  private async listen(): Promise<void> {
    const { channel, onMessage, onAlive, openSession } = this.options;
    const client = await openSession();
    client.on('notification', ({ payload }) => {
      onAlive();
      onMessage(payload ?? '');
    });
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // Not before: one that is lost while it begins to listen is replaced by whoever began that.
    client.on('end', () => this.replace(client));
    this.client = client;
    this.heartbeat = setInterval(() => void this.beat(client), heartbeatMs).unref();
  }

  /** A connection whose other end has vanished does not say so by itself. */
  private async beat(client: pg.Client): Promise<void> {
    const answered = client.query('select 1').then(
      () => true,
      () => false,
    );
    const alive = await Promise.race([answered, setTimeout(heartbeatMs / 2, false, { ref: false })]);
    if (alive && client === this.client) this.options.onAlive();
    else if (!alive) this.replace(client);
  }

  private replace(client: pg.Client): void {
    if (client !== this.client || this.stopping.signal.aborted) return;
    clearInterval(this.heartbeat);
    this.client = undefined;
    this.options.onLost();
    void client.end().catch(() => undefined);
    this.listening = this.connect().then(() => this.options.onGap());
    // A failure reaches those who await it; nobody else needs to know.
    this.listening.catch(() => undefined);
  }
}
