import { expect } from '@jest/globals';
import { TestServer } from './server.js';
import type { Answer } from './server.js';

/** A server with a database for app items, and what their tests ask of it. */
export class AppItems {
  private constructor(
    readonly server: TestServer,
    readonly database: string,
  ) {}

  static async start(): Promise<AppItems> {
    const server = await TestServer.start();
    return new AppItems(server, await server.database());
  }

  send(items: unknown, more: Record<string, unknown> = {}): Promise<Answer> {
    const json = { database: this.database, app_knowledge: items, ...more };
    return this.server.rest('POST', '/context/ingest', { json });
  }

  /** Stores items, which must be accepted, and indexes them. */
  async store(items: unknown, more: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.send(items, more);
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    await this.server.settle();
    return answer;
  }

  /** Checks that a request is refused and stores nothing. */
  async expectRefused(act: () => Promise<Answer>, reason: RegExp): Promise<Answer> {
    const count = async () => (await this.server.sql('select 1 from sources')).length;
    const before = await count();
    const answer = await act();
    expect([answer.status, answer.body.data, answer.body.error?.code]).toEqual([400, null, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(reason);
    expect(await count()).toBe(before);
    return answer;
  }

  /** The data of a query's answer. */
  async ask(query: string, more: Record<string, unknown> = {}): Promise<any> {
    const json = { database: this.database, query, ...more };
    return (await this.server.rest('POST', '/query', { json })).body.data;
  }

  /** What an item's chunks say. */
  async contentsOf(id: string): Promise<string> {
    const { chunks } = await this.ask('anything', { ids: [id], max_results: 50 });
    return chunks.map((chunk: any) => chunk.chunk_content).join('\n');
  }

  statusOf(id: string): Promise<any> {
    return this.server.statusOf(this.database, id);
  }

  /** The row of an item's latest version. */
  async storedOf(id: string): Promise<Record<string, any>> {
    const [row] = await this.server.sql<Record<string, any>>(
      `select s.* from sources s join databases d on d.id = s.database_id
        where d.name = $1 and s.id = $2 and s.latest`,
      [this.database, id],
    );
    return row as Record<string, any>;
  }
}
