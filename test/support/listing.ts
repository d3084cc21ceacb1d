import type { Answer, TestServer } from './server.js';

/** Lists what is in a database, over REST. */
export class Listing {
  constructor(
    readonly server: TestServer,
    readonly database: string,
  ) {}

  ask(body: Record<string, unknown> = {}, key?: string): Promise<Answer> {
    const json = { database: this.database, ...body };
    return this.server.rest('POST', '/context/list', { json, ...(key ? { key } : {}) });
  }

  /** The ids of a list in its order. */
  async ids(body: Record<string, unknown> = {}, key?: string): Promise<string[]> {
    const { status, body: answer } = await this.ask(body, key);
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(answer)}`);
    return (answer.data.sources ?? answer.data.user_memories).map(({ id }: { id: string }) => id);
  }

  /** The row of one item. */
  async row(id: string, body: Record<string, unknown> = {}): Promise<any> {
    const { data } = (await this.ask({ ids: [id], ...body })).body;
    return (data.sources ?? data.user_memories)[0];
  }
}
