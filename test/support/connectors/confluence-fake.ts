import type { JsonObject } from '../../../src/sources/source.types.js';
import { AtlassianFake } from './atlassian-fake.js';
import { adf, positionOf, readPosition } from './atlassian-server.js';
import type { FakeAnswer, FakeRequest } from './atlassian-server.js';
import type { ProviderFake } from './provider-fake.js';

export interface FakeContent {
  id: string;
  type: 'page' | 'blogpost' | 'comment' | 'attachment' | 'folder';
  space: string;
  title: string;
  status: string;
  createdAt: number;
  changedAt: number;
  number: number;
  body: unknown;
  /** Outermost first. */
  ancestors: string[];
  container?: string;
  users: { email?: string; displayName: string }[];
  groups: string[];
  labels: string[];
  extensions: JsonObject;
  /** Of an attachment. */
  bytes?: Buffer;
  /** Whether this account may see it. */
  isHidden?: boolean;
}

/** With bodies no more are given at once, whatever is asked for. */
const wholePerPageMax = 25;
const zoneMs = -12 * 3_600_000;

/** A site of Confluence Cloud: spaces DOCS and PEOPLE. */
export class ConfluenceFake extends AtlassianFake implements ProviderFake {
  readonly contents = new Map<string, FakeContent>();
  readonly groups = new Map<string, string[]>();
  readonly spaces = [
    { id: '501', key: 'DOCS', name: 'Documentation', type: 'global', status: 'current' },
    { id: '502', key: 'PEOPLE', name: 'People', type: 'global', status: 'current' },
  ];
  permissions: { type: string; id: string; operation?: string }[] = [];
  readonly users = new Map<string, string>();
  readonly resource = { id: 'DOCS', type: 'space' };
  /** What a search leaves out, though it was asked to expand it. */
  unexpanded: readonly string[] = [];
  private count = 1000;

  static async start(): Promise<ConfluenceFake> {
    return new ConfluenceFake().serve();
  }

  addContent(more: Partial<FakeContent> = {}): FakeContent {
    const at = this.tick();
    const number = ++this.count;
    const content: FakeContent = {
      id: more.type === 'attachment' ? `att${number}` : String(number),
      type: 'page',
      space: 'DOCS',
      title: `Page ${number}`,
      status: 'current',
      createdAt: at,
      changedAt: at,
      number: 1,
      body: adf(`text of ${number}`),
      ancestors: [],
      users: [],
      groups: [],
      labels: [],
      extensions: {},
      ...more,
    };
    this.contents.set(content.id, content);
    return content;
  }

  /** A new version. */
  change(id: string, more: Partial<FakeContent>): void {
    const content = this.require(id);
    Object.assign(content, more);
    content.number += 1;
    content.changedAt = this.tick();
  }

  add(count: number, word: string): Promise<string[]> {
    const added = Array.from({ length: count }, () => this.addContent({ body: adf(`says ${word}`) }));
    return Promise.resolve(added.map(({ id }) => id));
  }

  edit(id: string, word: string): Promise<void> {
    this.change(id, { body: adf(`says ${word}`) });
    return Promise.resolve();
  }

  /** To the trash, where no search looks. */
  remove(id: string): Promise<void> {
    this.contents.delete(id);
    return Promise.resolve();
  }

  private require(id: string): FakeContent {
    const content = this.contents.get(id);
    if (!content) throw new Error(`no content ${id}`);
    return content;
  }

  protected answer({ path, query, isKnown }: FakeRequest): FakeAnswer {
    // A rejected token is nobody here; elsewhere it is refused.
    if (path === '/wiki/rest/api/user/current')
      return { body: isKnown ? { type: 'known', accountId: 'me' } : { type: 'anonymous' } };
    if (!isKnown) return wrong(401, 'Unauthorized; scope does not match');
    if (path === '/wiki/api/v2/spaces') return this.spacePage(query);
    if (path === '/wiki/rest/api/content/search') return this.search(query);
    if (path === '/wiki/rest/api/user') {
      const email = this.users.get(query.get('accountId') ?? '');
      return email === undefined ? wrong(404, 'No user found') : { body: { type: 'known', email } };
    }
    if (path === '/wiki/rest/api/group/by-id') {
      const name = (query.get('id') ?? '').replace(/^gid-/, '');
      return { body: { type: 'group', name, id: query.get('id') } };
    }
    const [, spaceId] = /^\/wiki\/api\/v2\/spaces\/(\d+)\/permissions$/.exec(path) ?? [];
    if (spaceId) return this.permissionPage(spaceId, query);
    const [, group] = /^\/wiki\/rest\/api\/group\/gid-([^/]+)\/membersByGroupId$/.exec(path) ?? [];
    if (group) return this.memberPage(group, query);
    const [, id] = /^\/wiki\/rest\/api\/content\/(\w+)\/restriction\/byOperation\/read$/.exec(path) ?? [];
    if (id) {
      const content = this.contents.get(id);
      if (!content || content.isHidden) return wrong(404, `No content with id ${id}`);
      return { body: restrictionOf(content) };
    }
    return this.download(path);
  }

  private spacePage(query: URLSearchParams): FakeAnswer {
    const keys = query.get('keys')?.split(',');
    const from = Number(query.get('cursor') ?? 0);
    if (!Number.isInteger(from))
      return {
        status: 400,
        body: {
          errors: [
            {
              status: 400,
              code: 'INVALID_REQUEST_PARAMETER',
              title: 'Provided value for cursor is not valid',
            },
          ],
        },
      };
    const limit = Math.min(Number(query.get('limit') ?? 25), 250);
    const found = this.spaces.filter(({ key }) => !keys || keys.includes(key));
    const results = found
      .slice(from, from + limit)
      .map((space) => ({ ...space, _links: { webui: `/spaces/${space.key}` } }));
    const next =
      from + limit < found.length ? `/wiki/api/v2/spaces?limit=${limit}&cursor=${from + limit}` : undefined;
    return {
      body: { results, _links: { base: 'https://example.atlassian.net/wiki', ...(next ? { next } : {}) } },
    };
  }

  private permissionPage(spaceId: string, query: URLSearchParams): FakeAnswer {
    const from = Number(query.get('cursor') ?? 0);
    const results = this.permissions.slice(from, from + 2).map(({ type, id, operation = 'read' }, index) => ({
      id: String(from + index),
      principal: { type, id },
      operation: { key: operation, targetType: 'space' },
    }));
    const next =
      from + 2 < this.permissions.length
        ? `/wiki/api/v2/spaces/${spaceId}/permissions?cursor=${from + 2}`
        : undefined;
    return { body: { results, _links: next ? { next } : {} } };
  }

  private memberPage(group: string, query: URLSearchParams): FakeAnswer {
    const start = Number(query.get('start') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 200), 200);
    const members = this.groups.get(group) ?? [];
    const results = members.slice(start, start + limit).map((email) => ({ type: 'known', email }));
    return { body: { results, start, limit, size: results.length, _links: {} } };
  }

  private download(path: string): FakeAnswer {
    const [, id] = /\/child\/attachment\/(att\d+)\/download$/.exec(path) ?? [];
    if (id) return { status: 302, headers: { location: `/media/${id}` }, body: '' };
    const [, media = ''] = /^\/media\/(att\d+)$/.exec(path) ?? [];
    const bytes = this.contents.get(media)?.bytes;
    return bytes ? { body: bytes } : wrong(404, `null for uri: ${path}`);
  }

  private search(query: URLSearchParams): FakeAnswer {
    const cql = query.get('cql') ?? '';
    const expand = (query.get('expand') ?? '').split(',');
    const found = this.found(cql);
    if (!found) return wrong(400, `Could not parse cql : ${cql}`);
    // CONFCLOUD-77618
    const isBroken = found.some(({ ancestors }) => ancestors.some((id) => !this.contents.has(id)));
    if (isBroken && expand.some((each) => each.startsWith('ancestors.restrictions')))
      return wrong(
        404,
        'com.atlassian.confluence.api.service.exceptions.NotFoundException: No content with id',
      );
    const order = /ORDER BY (\w+) ASC$/.exec(cql)?.[1];
    const keysOf = (content: FakeContent): [number, string] => [
      order === 'created' ? content.createdAt : content.changedAt,
      content.id,
    ];
    const cursor = query.get('cursor');
    const after = cursor === null ? undefined : readPosition(cursor);
    if (cursor !== null && !after) return wrong(400, 'The cursor is not valid');
    const ordered = found
      .sort((a, b) => compare(keysOf(a), keysOf(b)))
      .filter((content) => !after || compare(keysOf(content), after as [number, string]) > 0);
    const isWhole = expand.some((each) => each.startsWith('body.'));
    const limit = Math.min(Number(query.get('limit') ?? 25), isWhole ? wholePerPageMax : 200);
    const page = ordered.slice(0, limit);
    const last = page.at(-1);
    const next =
      last && page.length < ordered.length
        ? `/rest/api/content/search?next=true&cursor=${positionOf(keysOf(last))}&limit=${limit}&cql=${encodeURIComponent(cql)}`
        : undefined;
    const _links = {
      base: 'https://example.atlassian.net/wiki',
      context: '/wiki',
      ...(next ? { next } : {}),
    };
    const results = page.map((content) => this.shown(content, expand));
    return { body: { results, limit, size: page.length, _links } };
  }

  private found(cql: string): FakeContent[] | undefined {
    const visible = [...this.contents.values()].filter(({ isHidden }) => !isHidden);
    const ids = /^id (?:in \(([\w, ]+)\)|= "(\w+)")$/.exec(cql);
    if (ids) {
      const asked = (ids[1] ?? ids[2] ?? '').split(', ');
      return visible.filter(({ id }) => asked.includes(id));
    }
    const [, space, types, since] =
      /^space = "([^"]+)" AND type in \(([\w, ]+)\) AND lastmodified >= "(\d{4}-\d\d-\d\d \d\d:\d\d)" ORDER BY (?:lastmodified|created) ASC$/.exec(
        cql,
      ) ?? [];
    if (!space || !types || !since) return undefined;
    // Times are of the account's zone.
    const from = Date.parse(`${since.replace(' ', 'T')}Z`) - zoneMs;
    return visible
      .filter((content) => content.space === space && types.split(', ').includes(content.type))
      .filter(({ changedAt }) => changedAt >= from);
  }

  /** Nothing that was not expanded. */
  private shown(content: FakeContent, expand: readonly string[]): JsonObject {
    const { id, type, status, title } = content;
    const has = (name: string) =>
      !this.unexpanded.includes(name) && expand.some((each) => each === name || each.startsWith(`${name}.`));
    const by = { type: 'known', accountId: 'a1', displayName: 'Ada Lovelace', email: 'ada@example.com' };
    const when = new Date(content.changedAt).toISOString();
    return {
      id,
      type,
      status,
      title,
      ...(has('version') ? { version: { by, when, number: content.number, minorEdit: false } } : {}),
      ...(has('history')
        ? { history: { createdDate: new Date(content.createdAt).toISOString(), createdBy: by, latest: true } }
        : {}),
      ...(has('ancestors')
        ? {
            ancestors: content.ancestors
              .filter((each) => this.contents.has(each))
              .map((each) => ({ id: each })),
          }
        : {}),
      ...(has('container') && content.container
        ? { container: { id: content.container, type: 'page' } }
        : {}),
      ...(has('restrictions') ? { restrictions: { read: restrictionOf(content) } } : {}),
      ...(has('body.atlas_doc_format') && type !== 'attachment'
        ? {
            body: {
              atlas_doc_format: { value: JSON.stringify(content.body), representation: 'atlas_doc_format' },
            },
          }
        : {}),
      ...(has('metadata.labels')
        ? { metadata: { labels: { results: content.labels.map((name) => ({ prefix: 'global', name })) } } }
        : {}),
      extensions: content.extensions,
      _links: { webui: `/spaces/${content.space}/pages/${id}` },
    };
  }
}

function restrictionOf({ users, groups }: FakeContent): JsonObject {
  const user = {
    results: users.map((each) => ({ type: 'known', ...each })),
    start: 0,
    limit: 200,
    size: users.length,
  };
  const group = {
    results: groups.map((name) => ({ type: 'group', name, id: `gid-${name}` })),
    start: 0,
    limit: 200,
    size: groups.length,
  };
  return { operation: 'read', restrictions: { user, group } };
}

function compare(
  [left, leftId]: readonly [number, string],
  [right, rightId]: readonly [number, string],
): number {
  return left - right || leftId.localeCompare(rightId);
}

function wrong(status: number, message: string): FakeAnswer {
  return {
    status,
    body: { statusCode: status, data: { authorized: true, valid: false, errors: [] }, message },
  };
}
