import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../lib/logger.js';

interface NotificationsOptions {
  /** Makes a connection outside of the pool. */
  readonly openSession: () => Promise<pg.Client>;
  readonly channel: string;
  readonly logger: Logger;
  readonly onMessage: (payload: string) => void;
  /** The connection has just shown that it lives. */
  readonly onAlive: () => void;
  readonly onLost: () => void;
  /** Listening again: what was sent since the loss never comes. */
  readonly onGap: () => void;
}

const retryMsMin = 50;
const retryMsMax = 5000;
const heartbeatMs = 10_000;

/** One connection that listens to a channel of Postgres, made when it is first needed and made again whenever it is lost. */
export class Notifications {
  private client: pg.Client | undefined;
  private listening: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: NotificationsOptions) {}

  /** Resolves once what is sent from now on will come. */
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
    client.on('end', () => this.replace(client));
    this.client = client;
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      this.client = undefined;
      void client.end().catch(() => undefined);
      throw error;
    }
    this.heartbeat = setInterval(() => void this.beat(client), heartbeatMs).unref();
  }

  /** A connection whose other end has vanished says nothing by itself. */
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
    // Whoever waits for it hears of it; nobody else needs to.
    this.listening.catch(() => undefined);
  }
}
