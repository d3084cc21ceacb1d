import { readCursor } from '../../cursor.js';
import { ProviderError } from '../../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  Item,
  Page,
  ResourceScope,
  Session,
} from '../../provider.js';
import { noListOf } from '../../provider-http.js';
import { laterOf, positionAfter, timeBeginning, unseen } from '../time-position.js';
import type { TimePosition } from '../time-position.js';
import { LinearApi } from './linear-api.js';
import type { LinearCredentials } from './linear-api.js';
import { LINEAR_ITEMS } from './linear-items.js';
import type { LinearThings } from './linear-items.js';
import { MEMBERS, ONE, READ_PAGE, TEAMS, VIEWER, WALK_PAGE } from './linear-queries.js';

/** The filters, as `Provider.filters` has checked them. */
interface LinearFilters {
  readonly states?: readonly string[];
  readonly labels?: readonly string[];
  readonly include_comments?: boolean;
  readonly include_documents?: boolean;
  readonly include_archived?: boolean;
}

const streams = ['issues', 'comments', 'documents'] as const;
type Stream = (typeof streams)[number];
type ByStream<Value> = Partial<Record<Stream, Value>>;

/**
 * The cursor of the lists, which are read together, latest first, since Linear sorts comments in no other
 * way.
 */
interface LinearCursor {
  /** The time up to which each list was read by earlier syncs. */
  readonly marks: ByStream<string>;
  /** The newest time that this sync has seen in each list, which will be its next mark. */
  readonly newest: ByStream<string>;
  /** The lists that have not ended; null between syncs. */
  readonly open: ByStream<TimePosition> | null;
}
const beginning: LinearCursor = { marks: {}, newest: {}, open: null };

interface Node {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly trashed?: boolean | null;
  readonly issue?: Pick<Node, 'archivedAt' | 'trashed'> | null;
}

interface Connected<Each> {
  readonly nodes: readonly Each[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

type Lists<Things extends Record<Stream, Node>> = { readonly [S in Stream]?: Connected<Things[S]> };
/** What every list shows in a walk. */
type Brief = Record<Stream, Node>;

interface Team {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: string;
}

interface Members {
  readonly visibility: string;
  readonly members: Connected<{ readonly email: string; readonly active: boolean }>;
}

/** The parameters of a request for a page. */
interface Asked {
  readonly query: string;
  readonly open: ByStream<TimePosition>;
  readonly orderBy: 'createdAt' | 'updatedAt';
  readonly archived: boolean;
  readonly since: (stream: Stream) => string;
}

/**
 * Read again in the next sync: transactions that were under way during this one may appear with an earlier
 * time.
 */
const overlapMs = 60_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const noTeam =
  'Linear does not find this team; give its id or key, and an API key of somebody who can see the team';

/** Reads the issues, comments and documents of a team. */
export class LinearSession implements Session {
  private readonly api: LinearApi;

  constructor(connection: Connection<LinearCredentials>) {
    this.api = new LinearApi(connection);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.api.query(VIEWER, {}, signal);
  }

  async discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage> {
    const variables = { first: page.limit, after: page.cursor || null };
    const { teams } = await this.api
      .query<{ teams: Connected<Team> }>(TEAMS, variables, signal)
      .catch(page.cursor === '' ? undefined : orExpired);
    return {
      resources: teams.nodes.map((team) => teamResource(team.id, team)),
      nextCursor: teams.pageInfo.hasNextPage ? teams.pageInfo.endCursor : null,
    };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const variables = { filter: teamFilter(resourceId), first: 1 };
    const { teams } = await this.api.query<{ teams: Connected<Team> }>(TEAMS, variables, signal);
    const [team] = teams.nodes;
    if (!team) throw new ProviderError('missing', noTeam, { httpStatus: 404 });
    return teamResource(resourceId, team);
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const filters: LinearFilters = resource.filters;
    const { marks, newest, open: resumed } = readCursor<LinearCursor>(cursor) ?? beginning;
    const open = resumed ?? allOpen(filters);
    const oldest = resource.oldest.toISOString();
    const since = (stream: Stream) => {
      const mark = marks[stream];
      return mark ? laterOf(oldest, new Date(Date.parse(mark) - overlapMs).toISOString()) : oldest;
    };
    // Things archived before the first sync were never here, so they need no deletion.
    const archived = filters.include_archived === true || Object.keys(marks).length > 0;
    const asked: Asked = { query: READ_PAGE, open, orderBy: 'updatedAt', archived, since };
    const data = await this.page<LinearThings>(resource, asked, signal);
    const shown = streams.flatMap((stream) => readOf(stream, data, asked));
    const gone = ({ node }: Shown) => isGone(node, filters);
    const seen: ByStream<string> = { ...firstOf(data), ...newest };
    const next = openAfter(data, asked);
    const more = Object.keys(next).length > 0;
    const state: LinearCursor = more
      ? { marks, newest: seen, open: next }
      : { marks: { ...marks, ...seen }, newest: {}, open: null };
    return {
      entries: shown.filter((each) => !gone(each)).map(({ node, item }) => entryOf(node, item)),
      deleted: shown.filter(gone).map(({ node }) => node.id),
      cursor: JSON.stringify(state),
      more,
    };
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const filters: LinearFilters = resource.filters;
    const oldest = resource.oldest.toISOString();
    const asked: Asked = {
      query: WALK_PAGE,
      open: readCursor<LinearCursor>(cursor)?.open ?? allOpen(filters),
      orderBy: 'createdAt',
      archived: filters.include_archived === true,
      since: () => oldest,
    };
    const data = await this.page<Brief>(resource, asked, signal);
    const next = openAfter(data, asked);
    const state: LinearCursor = { marks: {}, newest: {}, open: next };
    return {
      entries: streams.flatMap((stream) =>
        shownOf(stream, data, asked)
          .filter((node) => !isGone(node, filters))
          .map((node) => entryOf(node, (loadSignal) => this.load(stream, node.id, loadSignal))),
      ),
      cursor: JSON.stringify(state),
      more: Object.keys(next).length > 0,
    };
  }

  async readers(resource: ResourceScope, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const readers: string[] = [];
    const filter = teamFilter(resource.id);
    for (let after: string | null = null; ;) {
      const data: { teams: { nodes: readonly Members[] } } = await this.api.query(
        MEMBERS,
        { filter, after },
        signal,
      );
      const [team] = data.teams.nodes;
      if (!team) throw new ProviderError('missing', noTeam, { httpStatus: 404 });
      if (team.visibility === 'public') return undefined;
      const { nodes, pageInfo } = team.members;
      readers.push(
        ...nodes.filter(({ active }) => active).map(({ email }) => `user_email:${email.toLowerCase()}`),
      );
      if (!pageInfo.hasNextPage) return readers;
      after = cursorOf(pageInfo.endCursor);
    }
  }

  async close(): Promise<void> {}

  private async page<Things extends Brief>(
    resource: ResourceScope,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<Lists<Things>> {
    const continued = streams.some((stream) => asked.open[stream]?.after);
    const variables = variablesOf(resource, asked);
    const data = await this.api
      .query<Lists<Things> & { readonly teams: { readonly nodes: readonly unknown[] } }>(
        asked.query,
        variables,
        signal,
      )
      .catch(continued ? orExpired : undefined);
    if (data.teams.nodes.length === 0) throw new ProviderError('missing', noTeam, { httpStatus: 404 });
    return data;
  }

  private async load<S extends Stream>(
    stream: S,
    id: string,
    signal: AbortSignal,
  ): Promise<Item | undefined> {
    try {
      const { one } = await this.api.query<{ one: LinearThings[S] }>(ONE[stream], { id }, signal);
      return LINEAR_ITEMS[stream](one);
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'missing') return undefined;
      throw error;
    }
  }
}

/** For `catch`, where a request goes on at a cursor of Linear's: an input that is refused is that cursor. */
function orExpired(error: unknown): never {
  if (error instanceof ProviderError && error.httpStatus === 400)
    throw new ProviderError('expired', 'Linear no longer takes the position', { cause: error });
  throw error;
}

interface Shown {
  readonly node: Node;
  readonly item: () => Item | undefined;
}

function readOf<S extends Stream>(stream: S, data: Lists<LinearThings>, asked: Asked): Shown[] {
  return shownOf(stream, data, asked).map((node) => ({ node, item: () => LINEAR_ITEMS[stream](node) }));
}

/** What a list shows that no earlier page has shown. */
function shownOf<S extends Stream, Things extends Brief>(
  stream: S,
  data: Lists<Things>,
  { open }: Asked,
): Things[S][] {
  const position = open[stream];
  return position ? unseen(position, data[stream]?.nodes ?? []) : [];
}

/** The newest time of each list, which is on its first page. */
function firstOf(data: Lists<Brief>): ByStream<string> {
  const firsts = streams.map((stream) => [stream, data[stream]?.nodes[0]?.updatedAt] as const);
  return Object.fromEntries(firsts.filter(([, time]) => time !== undefined));
}

function openAfter(data: Lists<Brief>, { open, orderBy }: Asked): ByStream<TimePosition> {
  const next = streams.flatMap((stream) => {
    const [position, list] = [open[stream], data[stream]];
    if (!position) return [];
    if (!list) throw noListOf('Linear', `without a list of ${stream}`);
    const shown = list.nodes.map((node) => ({ id: node.id, time: node[orderBy] }));
    const { hasNextPage, endCursor } = list.pageInfo;
    const after = positionAfter(position, shown, hasNextPage ? cursorOf(endCursor) : null);
    return after ? [[stream, after] as const] : [];
  });
  return Object.fromEntries(next);
}

/** Where a list goes on that has more; without that it would end, or begin anew for ever. @throws ProviderError */
function cursorOf(endCursor: string | null): string {
  if (endCursor !== null) return endCursor;
  throw noListOf('Linear', 'that there is more, but not where');
}

function variablesOf(resource: ResourceScope, { open, orderBy, archived, since }: Asked): object {
  const { states, labels }: LinearFilters = resource.filters;
  const team = teamFilter(resource.id);
  const issue = {
    team,
    ...(states?.length ? { state: { name: { in: states } } } : {}),
    ...(labels?.length ? { labels: { some: { name: { in: labels } } } } : {}),
  };
  // Documents belong to the team itself, or to one of its projects.
  const of: Record<Stream, object> = {
    issues: issue,
    comments: { issue },
    documents: { or: [{ team }, { project: { accessibleTeams: { some: team } } }] },
  };
  const lists = streams.map((stream) => {
    const at = open[stream]?.at;
    const times =
      orderBy === 'updatedAt'
        ? { updatedAt: { gte: since(stream), ...(at ? { lte: at } : {}) } }
        : { updatedAt: { gte: since(stream) }, ...(at ? { createdAt: { lte: at } } : {}) };
    return {
      [`with${stream.charAt(0).toUpperCase()}${stream.slice(1)}`]: open[stream] !== undefined,
      [stream]: { ...of[stream], ...times },
      [`${stream}After`]: open[stream]?.after ?? null,
    };
  });
  return Object.assign({ team, archived }, ...lists) as object;
}

function entryOf(
  { id, updatedAt }: Node,
  item: (signal: AbortSignal) => Item | undefined | Promise<Item | undefined>,
): Entry {
  return { id, version: updatedAt, load: async (signal) => item(signal) };
}

/** Whether an entry is gone; comments are gone with their issue. */
function isGone(node: Pick<Node, 'archivedAt' | 'trashed' | 'issue'>, filters: LinearFilters): boolean {
  if (node.trashed || (node.archivedAt && !filters.include_archived)) return true;
  return node.issue ? isGone(node.issue, filters) : false;
}

function allOpen(filters: LinearFilters): ByStream<TimePosition> {
  return {
    issues: timeBeginning,
    ...(filters.include_comments === false ? {} : { comments: timeBeginning }),
    ...(filters.include_documents === false ? {} : { documents: timeBeginning }),
  };
}

function teamFilter(idOrKey: string): object {
  return uuid.test(idOrKey) ? { id: { eq: idOrKey } } : { key: { eqIgnoreCase: idOrKey } };
}

function teamResource(id: string, { key, name, description, visibility }: Team): DiscoveredResource {
  return { id, name, type: 'team', metadata: { key, description, visibility } };
}
