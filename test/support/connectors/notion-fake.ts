import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFailure, ProviderFake } from './provider-fake.js';

type Json = Record<string, unknown>;

/** A page, a database or another block; a page is a block of the type child_page as well. */
export interface NotionThing {
  readonly id: string;
  readonly type: string;
  parent: NotionThing | null;
  value: Json;
  properties: Json;
  created: number;
  edited: number;
  inTrash: boolean;
  /** Of a copied block. */
  shared: boolean;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const token = 'ntn_right';
const sizeMax = 100;
const ada = '11111111-1111-4111-8111-111111111111';
const gone = '22222222-2222-4222-8222-222222222222';
const minuteOf = (time: number) => new Date(Math.floor(time / 60_000) * 60_000).toISOString();
export const richText = (content: string, marks: Json = {}, href: string | null = null): Json => ({
  type: 'text',
  text: { content, link: href ? { url: href } : null },
  plain_text: content,
  href,
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
    ...marks,
  },
});

/** Notion's REST, version 2025-09-03, with times of whole minutes. */
export class NotionFake implements ProviderFake {
  readonly credentials = { access_token: token };
  readonly wrongCredentials = { access_token: 'ntn_wrong' };
  readonly missingResourceId = '00000000-0000-4000-8000-000000000000';
  /** In milliseconds: of the account, moved on by every change. */
  time = Date.now() - 10 * 86_400_000;
  readonly things: NotionThing[] = [];
  readonly users: Record<string, Json> = {
    [ada]: { object: 'user', id: ada, type: 'person', name: 'Ada', person: { email: 'ada@acme.test' } },
  };
  readonly comments: Json[] = [];
  mayReadComments = true;
  /** A page or database whose content, or comments, are refused, and how. */
  refused:
    | {
        readonly id: string;
        readonly status: number;
        readonly code: string;
        readonly message?: string;
        readonly of?: 'comments';
      }
    | undefined;
  /** Whether pages and blocks say who wrote them. */
  tellsPeople = true;
  readonly database = this.put('child_database', null, { title: 'Tasks' });
  readonly sourceId = randomUUID();
  readonly resource = { id: this.database.id, type: 'database' };
  readonly paths: string[] = [];
  /** Run once, after the next answer. */
  afterAnswer: (() => void) | undefined;
  private failure: { answer: FakeFailure; times: number } | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<NotionFake> {
    const server = createServer();
    const fake = new NotionFake(server);
    server.on('request', (request, response) => void fake.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get requests(): number {
    return this.paths.length;
  }

  put(type: string, parent: NotionThing | null, value: Json = {}): NotionThing {
    this.time += 1000;
    const [created, edited] = [this.time, this.time];
    const thing = {
      id: randomUUID(),
      type,
      parent,
      value,
      properties: {},
      created,
      edited,
      inTrash: false,
      shared: true,
    };
    this.things.push(thing);
    this.touch(thing);
    return thing;
  }

  page(title: string, parent: NotionThing | null, text?: string): NotionThing {
    const page = this.put('child_page', parent, { title });
    if (text !== undefined) this.put('paragraph', page, { rich_text: [richText(text)] });
    return page;
  }

  /** A change of a block is one of its page. */
  touch(thing: NotionThing): void {
    this.time += 1000;
    for (let at: NotionThing | null = thing; at; at = at.parent) {
      at.edited = this.time;
      if (at.type === 'child_page') return;
    }
  }

  async add(count: number, word: string): Promise<string[]> {
    return Array.from(
      { length: count },
      (_, index) => this.page(`Task ${index}`, this.database, `The ${word}`).id,
    );
  }

  async edit(id: string, word: string): Promise<void> {
    const text = this.things.find(({ parent }) => parent?.id === id) as NotionThing;
    text.value = { rich_text: [richText(word)] };
    this.time += 60_000;
    this.touch(text);
  }

  async remove(id: string): Promise<void> {
    const thing = this.thing(id);
    thing.inTrash = true;
    this.touch(thing);
  }

  readonly fail = (answer: FakeFailure, times: number): void => {
    this.failure = { answer, times };
  };

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '', this.baseUrl);
    this.paths.push(`${request.method} ${url.pathname}`);
    const text = Buffer.concat(parts).toString();
    const given = { ...Object.fromEntries(url.searchParams), ...(text ? (JSON.parse(text) as Json) : {}) };
    try {
      this.refuse(request, response);
      send(response, 200, this.route(`${request.method} ${url.pathname}`, given));
    } catch (error) {
      const { status, code, message } = error as Refusal;
      send(response, status ?? 500, { object: 'error', status, code, message, request_id: randomUUID() });
    }
    const after = this.afterAnswer;
    this.afterAnswer = undefined;
    after?.();
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    if (this.failure && this.failure.times > 0) {
      this.failure.times -= 1;
      const { status, retryAfterSeconds } = this.failure.answer;
      if (retryAfterSeconds) response.setHeader('retry-after', String(retryAfterSeconds));
      const codes: Record<number, string> = {
        401: 'unauthorized',
        429: 'rate_limited',
        503: 'service_unavailable',
      };
      throw new Refusal(status, codes[status] ?? 'internal_server_error', 'Not now.');
    }
    if (request.headers.authorization !== `Bearer ${token}`)
      throw new Refusal(401, 'unauthorized', 'API token is invalid.');
    if (request.headers['notion-version'] !== '2025-09-03')
      throw new Refusal(400, 'missing_version', 'Notion-Version header failed validation.');
  }

  private route(called: string, given: Json): Json {
    const [, method = '', kind = '', id = '', rest = ''] =
      /^(\w+) \/v1\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(called) ?? [];
    if (called === 'GET /v1/users/me') return { object: 'user', id: 'bot', type: 'bot', bot: {} };
    if (kind === 'users') return this.users[id] ?? missing('user', id);
    if (kind === 'comments') return this.commentsOf(given);
    if (kind === 'search') return this.search(given);
    if (kind === 'data_sources' && method === 'POST') return this.query(id, given);
    const thing = this.thing(id);
    const { refused } = this;
    if (refused?.id === id && !refused.of && (rest === 'children' || kind === 'databases'))
      throw new Refusal(refused.status, refused.code, refused.message ?? 'This cannot be shown.');
    if (kind === 'pages') {
      if (thing.type === 'child_database')
        throw new Refusal(400, 'validation_error', `Provided ID ${id} is a database, not a page.`);
      return thing.type === 'child_page' ? this.pageJson(thing) : missing('page', id);
    }
    if (kind === 'databases')
      return thing.type === 'child_database' ? this.databaseJson(thing) : missing('database', id);
    if (rest !== 'children') return this.blockJson(thing);
    return paged(
      this.childrenOf(thing).map((each) => this.blockJson(each)),
      given,
    );
  }

  private thing(id: string): NotionThing {
    const thing = this.things.find((each) => each.id === id);
    return thing?.shared ? thing : missing('block', id);
  }

  private childrenOf(thing: NotionThing): NotionThing[] {
    return this.things.filter(({ parent, inTrash }) => parent === thing && !inTrash);
  }

  private commentsOf(given: Json): Json {
    if (!this.mayReadComments)
      throw new Refusal(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
    const { refused } = this;
    if (refused?.of === 'comments' && refused.id === given['block_id'])
      throw new Refusal(refused.status, refused.code, 'These cannot be shown.');
    return paged(
      this.comments.filter(({ page }) => page === given['block_id']),
      given,
    );
  }

  /** Everything shared, with data sources in place of databases. */
  private search(given: Json): Json {
    const wanted = (given['filter'] as Json | undefined)?.['value'];
    const found = this.things
      .filter((each) => each.shared && !each.inTrash && ['child_page', 'child_database'].includes(each.type))
      .filter(({ type }) => !wanted || wanted === (type === 'child_page' ? 'page' : 'data_source'))
      .sort((a, b) => b.edited - a.edited);
    return paged(
      found.map((each) => (each.type === 'child_page' ? this.pageJson(each) : this.sourceJson(each))),
      given,
    );
  }

  private query(id: string, given: Json): Json {
    if (id !== this.sourceId) missing('data_source', id);
    const [sort] = given['sorts'] as { timestamp: 'created_time' | 'last_edited_time' }[];
    const by = sort?.timestamp === 'created_time' ? 'created' : 'edited';
    const rows = this.things
      .filter(({ parent, inTrash }) => parent === this.database && inTrash === (given['in_trash'] === true))
      .map((each) => ({ each, json: this.pageJson(each) }))
      .filter(({ json }) => passes(json, given['filter'] as Json))
      // Within a minute in no order that anybody promises.
      .sort((a, b) => a.each[by] - b.each[by]);
    return paged(
      rows.map(({ json }) => json),
      given,
    );
  }

  private pageJson(page: NotionThing): Json {
    const { id, value, inTrash } = page;
    return {
      object: 'page',
      ...this.common(page),
      in_trash: inTrash,
      archived: inTrash,
      properties: {
        Name: { id: 'title', type: 'title', title: [richText(value['title'] as string)] },
        ...page.properties,
      },
      url: `https://www.notion.so/${id.replaceAll('-', '')}`,
    };
  }

  private databaseJson(database: NotionThing): Json {
    const title = [richText(database.value['title'] as string)];
    const url = `https://www.notion.so/${database.id.replaceAll('-', '')}`;
    const source = { id: this.sourceId, name: 'Tasks' };
    return {
      object: 'database',
      ...this.common(database),
      title,
      url,
      in_trash: database.inTrash,
      data_sources: [source],
    };
  }

  private sourceJson(database: NotionThing): Json {
    const { title, url } = this.databaseJson(database);
    const parent = { type: 'database_id', database_id: database.id };
    return {
      object: 'data_source',
      id: this.sourceId,
      title,
      url,
      parent,
      in_trash: database.inTrash,
      properties: {},
    };
  }

  private blockJson(block: NotionThing): Json {
    const { type, value, inTrash } = block;
    const has_children = this.childrenOf(block).length > 0 || Boolean(value['synced_from']);
    return { object: 'block', ...this.common(block), type, [type]: value, has_children, in_trash: inTrash };
  }

  private common({ id, parent, created, edited }: NotionThing): Json {
    const at = parent
      ? parent === this.database
        ? { type: 'data_source_id', data_source_id: this.sourceId, database_id: parent.id }
        : parent.type === 'child_page'
          ? { type: 'page_id', page_id: parent.id }
          : { type: 'block_id', block_id: parent.id }
      : { type: 'workspace', workspace: true };
    return {
      id,
      parent: at,
      created_time: minuteOf(created),
      last_edited_time: minuteOf(edited),
      ...(this.tellsPeople && {
        created_by: { object: 'user', id: ada },
        last_edited_by: { object: 'user', id: gone },
      }),
    };
  }
}

function missing(kind: string, id: string): never {
  const advice = 'Make sure the relevant pages and databases are shared with your integration.';
  throw new Refusal(404, 'object_not_found', `Could not find ${kind} with ID: ${id}. ${advice}`);
}

function paged(all: readonly Json[], given: Json): Json {
  const size = Number(given['page_size'] ?? sizeMax);
  if (size > sizeMax) throw new Refusal(400, 'validation_error', 'page_size should be ≤ `100`.');
  const start = given['start_cursor'];
  const begin = start === undefined ? 0 : all.findIndex(({ id }) => id === start);
  if (begin < 0)
    throw new Refusal(400, 'validation_error', `The start_cursor provided is invalid: ${String(start)}`);
  const next = all[begin + size];
  const results = all.slice(begin, begin + size);
  return { object: 'list', results, next_cursor: next ? next['id'] : null, has_more: Boolean(next) };
}

function passes(json: Json, filter: Json | undefined): boolean {
  if (!filter) return true;
  if (filter['and']) return (filter['and'] as Json[]).every((each) => passes(json, each));
  const by = filter['timestamp'] as string;
  const since = Date.parse((filter[by] as Json)['on_or_after'] as string);
  if (Number.isNaN(since)) throw new Refusal(400, 'validation_error', 'body failed validation: invalid date');
  return Date.parse(json[by] as string) >= since;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
