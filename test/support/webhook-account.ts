import { expect } from '@jest/globals';
import { addOtherAccount } from './other-account.js';
import { TestServer } from './server.js';
import type { Answer } from './server.js';
import { WebhookReceiver } from './webhook-receiver.js';

export const webhookPath = '/webhooks/indexing';
/** What an item goes through. */
export const allStatuses = ['queued', 'processing', 'graph_creation', 'completed'];

/** A server whose items are told of, with a receiver and a database that are new for each test. */
export class WebhookAccount {
  server!: TestServer;
  receiver!: WebhookReceiver;
  database = '';

  readonly start = async (): Promise<void> => {
    // A receiver that holds a delivery back is not given up, however slow the machine.
    const webhooks = { timeoutMs: 120_000 };
    this.server = await TestServer.start({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' }, webhooks });
    await addOtherAccount(this.server);
  };

  readonly stop = async (): Promise<void> => this.server.stop();

  readonly reset = async (): Promise<void> => {
    this.receiver = await new WebhookReceiver().listen();
    await this.server.sql('delete from webhooks');
    await this.server.sql('delete from webhook_deliveries');
    this.database = await this.server.database();
  };

  readonly clear = async (): Promise<void> => this.receiver.close();

  readonly register = async (more: Record<string, unknown> = {}, key?: string): Promise<void> => {
    const json = { url: this.receiver.url, ...more };
    const answer = await this.server.rest('POST', webhookPath, { json, ...(key ? { key } : {}) });
    expect(answer.status).toBe(201);
  };

  readonly ingest = (id: string, more: Record<string, unknown> = {}): Promise<Answer> => {
    const memories = [{ id, text: 'otters swim' }];
    const json = { database: this.database, type: 'memory', memories, ...more };
    return this.server.rest('POST', '/context/ingest', { json });
  };

  readonly list = async (query = ''): Promise<any[]> => {
    const answer = await this.server.rest('GET', `${webhookPath}/deliveries${query}`);
    return answer.body.data.deliveries;
  };

  /** Item, status and sequence of what came. */
  readonly told = (): unknown[][] =>
    this.receiver.received.map(({ body }) => [body.id, body.indexing_status, body.sequence]);

  /** Lets time pass, and what is due then happen. */
  readonly after = async (seconds: number): Promise<void> => {
    this.server.clock.advance(seconds);
    await this.server.idle();
  };
}
