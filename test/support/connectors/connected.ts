import type { TestServer } from '../server.js';

/** The connector that a test wants. */
export interface ConnectedOptions {
  readonly database: string;
  readonly provider?: string;
  readonly credentials?: Record<string, unknown>;
  readonly connector?: Record<string, unknown>;
  /** Ids of resources, or what the endpoint configure takes. */
  readonly resources: readonly (string | ({ readonly resource_id: string } & Record<string, unknown>))[];
  readonly lookbackDays?: number;
}

/** A connector that was created and configured over REST; its first sync is due. */
export class Connected {
  private constructor(
    private readonly server: TestServer,
    readonly id: string,
    readonly database: string,
  ) {}

  static async make(server: TestServer, options: ConnectedOptions): Promise<Connected> {
    const {
      database,
      provider = 'scripted',
      credentials = { secret: 'open sesame' },
      connector,
      resources,
    } = options;
    const created = await server.rest('POST', '/connectors', {
      json: { database, provider, credentials, ...connector },
    });
    if (created.status !== 201)
      throw new Error(`creating a connector answered ${JSON.stringify(created.body)}`);
    const connected = new Connected(server, created.body.connector_id as string, database);
    const configured = await connected.post('configure', {
      resources: resources.map((given) => (typeof given === 'string' ? { resource_id: given } : given)),
      ...(options.lookbackDays === undefined ? {} : { lookback_days: options.lookbackDays }),
    });
    if (configured.status !== 200) throw new Error(`configuring answered ${JSON.stringify(configured.body)}`);
    return connected;
  }

  /** The same connector on another server. */
  on(server: TestServer): Connected {
    return new Connected(server, this.id, this.database);
  }

  /** Lets this many seconds pass, and runs everything that is due. */
  async pass(seconds: number): Promise<void> {
    this.server.clock.advance(seconds);
    await this.server.idle();
  }

  /** Starts a sync, and waits until it is over. */
  async sync(): Promise<void> {
    const answer = await this.post('sync');
    if (answer.status !== 202) throw new Error(`sync answered ${JSON.stringify(answer.body)}`);
    await this.server.idle();
  }

  post(action: string, json: Record<string, unknown> = {}) {
    return this.server.rest('POST', `/connectors/${this.id}/${action}`, { json });
  }

  async fields(): Promise<Record<string, any>> {
    return (await this.server.rest('GET', `/connectors/${this.id}`)).body as Record<string, any>;
  }

  async status(): Promise<Record<string, any>> {
    return (await this.server.rest('GET', `/connectors/${this.id}/status`)).body as Record<string, any>;
  }

  async resources(): Promise<Record<string, any>[]> {
    const { body } = await this.server.rest('GET', `/connectors/${this.id}/resources`);
    return body.resources as Record<string, any>[];
  }

  /** The items of a collection, oldest id first. */
  async items(collection = 'default', query = ''): Promise<Record<string, any>[]> {
    const items: Record<string, any>[] = [];
    for (let page = 1; ; page += 1) {
      const fields = 'title,timestamp,metadata,additional_metadata';
      const path = `/context/list?database=${this.database}&collection=${collection}&include_fields=${fields}&page_size=100&page=${page}`;
      const { body } = await this.server.rest('GET', path + query);
      items.push(...(body.data.sources as Record<string, any>[]));
      if (!body.data.pagination.has_next) break;
    }
    return items.sort((a, b) => (a['id'] < b['id'] ? -1 : 1));
  }

  async ids(collection = 'default', query = ''): Promise<string[]> {
    return (await this.items(collection, query)).map(({ id }) => id as string);
  }

  /** The ids of items that some principals may read. */
  readable(...principals: string[]): Promise<string[]> {
    return this.ids('default', `&acl=${encodeURIComponent(JSON.stringify(principals))}`);
  }
}
