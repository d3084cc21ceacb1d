import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, graphql } from 'graphql';
import { LINEAR_SCHEMA } from './linear-schema.js';
import type { FakeFailure, ProviderFake } from './provider-fake.js';

type Row = Record<string, unknown> & { id: string; createdAt: string; updatedAt: string };
type Kind = 'teams' | 'issues' | 'comments' | 'documents';

interface ListArguments {
  readonly filter?: object | null;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly includeArchived?: boolean | null;
  readonly orderBy?: 'createdAt' | 'updatedAt' | null;
}

const apiKey = 'lin_api_right';
const schema = buildSchema(LINEAR_SCHEMA);
const pageMax = 250;
const unauthenticated = {
  message: 'Authentication required, not authenticated',
  extensions: {
    type: 'authentication error',
    code: 'AUTHENTICATION_ERROR',
    statusCode: 401,
    userError: true,
    userPresentableMessage: 'You need to authenticate to access this operation.',
  },
};
const limited = {
  message: 'Rate limit exceeded',
  extensions: { type: 'ratelimited', code: 'RATELIMITED', statusCode: 429, userError: true },
};

/** Linear's GraphQL over a schema of its own: what it does not know fails as there, with 400 and errors. */
export class LinearFake implements ProviderFake {
  private time = Date.now() - 20 * 86_400_000;
  readonly credentials = { api_key: apiKey };
  readonly wrongCredentials = { api_key: 'lin_api_wrong' };
  readonly missingResourceId = '00000000-0000-4000-8000-000000000000';
  readonly rows: Record<Kind, Row[]> = { teams: [], issues: [], comments: [], documents: [] };
  readonly team = this.put('teams', {
    key: 'ENG',
    name: 'Engineering',
    description: 'Builds it',
    visibility: 'public',
  });
  readonly resource = { id: this.team.id, type: 'team' };
  requests = 0;
  /** Run once, after the next so many answers. */
  afterAnswer: (() => void) | undefined;
  members: { id: string; email: string; name: string; active: boolean }[] = [];
  /** Lists do not say where they go on. */
  hidesCursors = false;
  /** A list that is not in the answers. */
  missing: Kind | undefined;
  /** By how much its clock differs from ours. */
  clockOffMs = 0;
  private failure: { answer: FakeFailure; times: number } | undefined;
  private number = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LinearFake> {
    const server = createServer();
    const fake = new LinearFake(server);
    server.on('request', (request, response) => void fake.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The time of the account, which every change moves on. */
  now(): string {
    this.time += 1000;
    return new Date(this.time).toISOString();
  }

  put(kind: Kind, values: Record<string, unknown>): Row {
    const now = this.now();
    const id = randomUUID();
    const url = `https://linear.app/acme/${kind}/${id}`;
    const row = { id, url, createdAt: now, updatedAt: now, archivedAt: null, trashed: null, ...values };
    this.rows[kind].push(row);
    return row;
  }

  putIssue(values: Record<string, unknown> = {}): Row {
    this.number += 1;
    return this.put('issues', {
      identifier: `ENG-${this.number}`,
      title: `Issue ${this.number}`,
      description: null,
      priority: 2,
      priorityLabel: 'High',
      state: { id: 's', name: 'Todo', type: 'unstarted' },
      team: this.team,
      labels: { nodes: [] },
      relations: { nodes: [] },
      inverseRelations: { nodes: [] },
      attachments: { nodes: [] },
      ...values,
    });
  }

  change(row: Row, values: Record<string, unknown>): void {
    Object.assign(row, values, { updatedAt: this.now() });
  }

  async add(count: number, word: string): Promise<string[]> {
    return Array.from({ length: count }, (_, index) => {
      const description = `The **${word}** of ${index}`;
      return this.putIssue({ description }).id;
    });
  }

  async edit(id: string, word: string): Promise<void> {
    this.change(this.rows.issues.find((row) => row.id === id) as Row, { description: `Now ${word}` });
  }

  /** For good, as after the days in the trash. */
  async remove(id: string): Promise<void> {
    for (const kind of ['issues', 'comments', 'documents'] as const)
      this.rows[kind] = this.rows[kind].filter((row) => row.id !== id);
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
    this.requests += 1;
    if (request.url !== '/graphql' || request.method !== 'POST')
      return send(response, 404, { error: 'Not found' });
    if (this.failure && this.failure.times > 0) {
      this.failure.times -= 1;
      return this.sendFailure(response, this.failure.answer);
    }
    // A personal key stands there as it is; with "Bearer" it would be taken for a token of OAuth.
    if (request.headers.authorization !== apiKey) return send(response, 400, { errors: [unauthenticated] });
    const { query, variables } = JSON.parse(Buffer.concat(parts).toString()) as {
      query: string;
      variables: Record<string, unknown>;
    };
    const result = await graphql({
      schema,
      source: query,
      variableValues: variables,
      rootValue: this.root(),
    });
    const errors = result.errors?.map(({ message, path }) => ({
      message,
      path,
      extensions: { type: 'invalid input', code: 'INPUT_ERROR', userError: true },
    }));
    if (this.missing && result.data) delete result.data[this.missing];
    const hides = (key: string, value: unknown) => (key === 'endCursor' && this.hidesCursors ? null : value);
    if (this.hidesCursors) return send(response, 200, JSON.parse(JSON.stringify(result, hides)) as object);
    send(response, result.data ? 200 : 400, errors ? { data: result.data, errors } : result);
    const after = this.afterAnswer;
    this.afterAnswer = undefined;
    after?.();
  }

  private sendFailure(response: ServerResponse, { status, retryAfterSeconds = 1 }: FakeFailure): void {
    if (status === 401) return send(response, 401, { errors: [unauthenticated] });
    if (status !== 429) return send(response, status, '<html>Bad gateway</html>');
    // The header has whole seconds.
    const now = Math.floor((Date.now() + this.clockOffMs) / 1000) * 1000;
    response.setHeader('date', new Date(now).toUTCString());
    const reset = String(now + retryAfterSeconds * 1000);
    response.setHeader('x-ratelimit-requests-remaining', '0');
    response.setHeader('x-ratelimit-requests-reset', reset);
    response.setHeader('x-ratelimit-complexity-remaining', '99000');
    response.setHeader('x-ratelimit-complexity-reset', String(now + 3_600_000));
    return send(response, 400, { errors: [limited] });
  }

  private root(): Record<string, unknown> {
    const one = (kind: Kind, called: string) => (given: { id: string }) => {
      const row = this.rows[kind].find(({ id }) => id === given.id);
      if (!row) throw new Error(`Entity not found: ${called} - Could not find referenced ${called}.`);
      return row;
    };
    const many = (kind: Kind) => (given: ListArguments) => this.list(kind, given);
    return {
      viewer: { id: 'me', name: 'Me', email: 'me@acme.test', active: true },
      issue: one('issues', 'Issue'),
      comment: one('comments', 'Comment'),
      document: one('documents', 'Document'),
      teams: (given: ListArguments) => {
        const { nodes, pageInfo } = this.list('teams', given);
        const members = (page: ListArguments) => connection(this.members, page);
        return { pageInfo, nodes: nodes.map((team) => ({ ...team, members })) };
      },
      issues: many('issues'),
      comments: many('comments'),
      documents: many('documents'),
    };
  }

  /** Latest first, whatever the order; a cursor is the id of an entry and stands where that is now. */
  private list(kind: Kind, given: ListArguments): ReturnType<typeof connection<Row>> {
    const by = given.orderBy ?? 'createdAt';
    const rows = this.rows[kind]
      .filter((row) => (given.includeArchived || !row['archivedAt']) && matches(row, given.filter ?? {}))
      .sort((a, b) => b[by].localeCompare(a[by]) || a.id.localeCompare(b.id));
    return connection(rows, given);
  }
}

function connection<Each extends { id: string }>(rows: readonly Each[], { first, after }: ListArguments) {
  const count = first ?? 50;
  if (count > pageMax) throw new Error('Argument Validation Error');
  const begin = after ? rows.findIndex(({ id }) => id === after) + 1 : 0;
  if (after && begin === 0) throw new Error('Argument Validation Error: invalid cursor');
  const nodes = rows.slice(begin, begin + count);
  const hasNextPage = begin + count < rows.length;
  return { nodes, pageInfo: { hasNextPage, endCursor: nodes.at(-1)?.id ?? null } };
}

/** Linear's filters: relations nest, comparators are the leaves. */
function matches(value: unknown, filter: object): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    if (key === 'or') return (wanted as object[]).some((each) => matches(value, each));
    if (key === 'some')
      return (value as unknown[] | undefined)?.some((each) => matches(each, wanted as object));
    const compare = comparators[key];
    if (compare) return value != null && compare(value as string, wanted as string);
    const related = (value as Record<string, unknown> | null)?.[key];
    const list = (related as { nodes?: unknown } | null | undefined)?.nodes;
    return matches(Array.isArray(list) ? list : related, wanted as object);
  });
}

const comparators: Record<string, (value: string, wanted: string) => boolean> = {
  eq: (value, wanted) => value === wanted,
  in: (value, wanted) => wanted.includes(value),
  eqIgnoreCase: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  gte: (value, wanted) => Date.parse(value) >= Date.parse(wanted),
  lte: (value, wanted) => Date.parse(value) <= Date.parse(wanted),
};

function send(response: ServerResponse, status: number, body: object | string): void {
  const json = typeof body !== 'string';
  response.writeHead(status, { 'content-type': json ? 'application/json; charset=utf-8' : 'text/html' });
  response.end(json ? JSON.stringify(body) : body);
}
