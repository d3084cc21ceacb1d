import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { TestServer } from '../server.js';
import { Connected } from './connected.js';
import type { ConnectedOptions } from './connected.js';
import { ScriptedAccount, scriptedProvider } from './scripted-provider.js';

export const hour = 3600;
export const day = 24 * hour;

/** A server with two scripted providers; for each test a database, and two resources in each account. */
class Scripted {
  server!: TestServer;
  database!: string;
  readonly account = new ScriptedAccount();
  /** Of the provider `whole`, whose reads show everything each time. */
  readonly whole = new ScriptedAccount();
  a = '';
  b = '';
  private number = 0;

  async start(): Promise<void> {
    this.server = await TestServer.start({
      connectorProviders: [
        scriptedProvider(this.account),
        scriptedProvider(this.whole, { id: 'whole', coverage: 'all', versions: true }),
      ],
    });
  }

  async begin(): Promise<void> {
    this.number += 1;
    this.a = `a${this.number}`;
    this.b = `b${this.number}`;
    for (const each of [this.account, this.whole]) {
      each.mend();
      each.pageSize = 3;
      each.calls.length = 0;
      each.addResource(this.a);
      each.addResource(this.b);
    }
    this.database = await this.server.database();
  }

  /** Schedules of one test would be due in the next. */
  async end(): Promise<void> {
    const { body } = await this.server.rest('GET', '/connectors');
    for (const { connector_id: id } of body.connectors) await this.server.rest('DELETE', `/connectors/${id}`);
  }

  /** A connector of the first resource, unless said otherwise. */
  connect(options: Partial<ConnectedOptions> = {}): Promise<Connected> {
    return Connected.make(this.server, { database: this.database, resources: [this.a], ...options });
  }

  /** Objects of the first resource, numbered. */
  write(count: number, from = 1): void {
    for (let index = from; index < from + count; index += 1)
      this.account.write(this.a, `${this.a}-${String(index).padStart(2, '0')}`);
  }

  /** The items that the first so many of them become. */
  itemIds(count: number): string[] {
    return Array.from(
      { length: count },
      (_, index) => `scripted:${this.a}-${String(index + 1).padStart(2, '0')}`,
    );
  }
}

export function useScripted(): Scripted {
  const scripted = new Scripted();
  beforeAll(() => scripted.start());
  afterAll(() => scripted.server.stop());
  beforeEach(() => scripted.begin());
  afterEach(() => scripted.end());
  return scripted;
}
