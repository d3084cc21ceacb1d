import { z } from 'zod';
import { ProviderError } from '../../../src/connectors/provider.js';
import type {
  DiscoveredResource,
  Entry,
  Item,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../../../src/connectors/provider.js';

/** An object of a scripted resource. */
export interface ScriptedObject {
  readonly id: string;
  readonly text: string;
  /** The id and version that its entry shows, and the id of its own, for a thing that others may be taken for. */
  readonly shown?: { readonly id: string; readonly version: string; readonly ownId: string };
  /** Counts writes of the account: later is higher. */
  readonly written: number;
  readonly readers?: readonly string[] | undefined;
  readonly item?: Partial<Item>;
}

type Method = 'check' | 'discover' | 'describe' | 'read' | 'walk' | 'readers' | 'load';

/** What the account has been asked, in order. */
export interface ScriptedCall {
  readonly method: Method;
  readonly resourceId: string;
  /** Of `load`: the object. */
  readonly cursor: string;
}

/** An account that lives in the test: objects by resource, failures on demand, everything noted. */
export class ScriptedAccount {
  readonly calls: ScriptedCall[] = [];
  secret = 'open sesame';
  pageSize = 3;
  /** Whether `read` says that its resources are archived. */
  isArchived = false;
  /** The cursor of a page that names itself as the next one. */
  stuckAt: string | undefined;
  /** How the ids of objects begin that exist, but cannot be listed now. */
  unlistedPrefix: string | undefined;
  /** Of these, only those that are less. */
  unlistedBefore: string | undefined;
  /** What is shown of resources in place of their names and metadata. */
  shownAs: Partial<Pick<DiscoveredResource, 'name' | 'metadata'>> = {};
  private readonly resources = new Map<string, Map<string, ScriptedObject>>();
  private readonly readersOf = new Map<string, readonly string[] | undefined>();
  private readonly failures: {
    method: Method;
    resourceId: string | undefined;
    objectId: string | undefined;
    error: Error;
    times: number;
  }[] = [];
  private readonly gates: { method: Method; entered: () => void; open: Promise<void> }[] = [];
  private written = 0;

  constructor(...resourceIds: string[]) {
    for (const id of resourceIds) this.resources.set(id, new Map());
  }

  /** Adds or replaces an object. */
  write(resourceId: string, id: string, more: Partial<ScriptedObject> = {}): void {
    this.written += 1;
    const object = { id, text: `text of ${id}`, ...more, written: this.written };
    this.objects(resourceId).set(id, object);
  }

  /** Replaces an object without telling: only a walk sees it. */
  writeSilently(resourceId: string, id: string, more: Partial<ScriptedObject>): void {
    const before = this.objects(resourceId).get(id);
    if (before) this.objects(resourceId).set(id, { ...before, ...more });
  }

  remove(resourceId: string, id: string): void {
    this.objects(resourceId).delete(id);
  }

  addResource(resourceId: string): void {
    this.resources.set(resourceId, new Map());
  }

  removeResource(resourceId: string): void {
    this.resources.delete(resourceId);
  }

  setReaders(resourceId: string, readers: readonly string[] | undefined): void {
    this.readersOf.set(resourceId, readers);
  }

  /** The next calls of a method fail, of one resource or of all; loading, of one object or of all. */
  fail(
    method: Method,
    error: Error,
    { times = 1, resourceId, objectId }: { times?: number; resourceId?: string; objectId?: string } = {},
  ): void {
    this.failures.push({ method, resourceId, objectId, error, times });
  }

  mend(): void {
    this.failures.length = 0;
  }

  /** Holds the next call of a method until it is opened. */
  hold(method: Method): { entered: Promise<void>; open: () => void } {
    let entered = () => {};
    let open = () => {};
    const isEntered = new Promise<void>((resolve) => (entered = resolve));
    this.gates.push({ method, entered, open: new Promise<void>((resolve) => (open = resolve)) });
    return { entered: isEntered, open: () => open() };
  }

  /** Nothing is to be held any more. */
  release(): void {
    this.gates.length = 0;
  }

  count(method: Method): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  /** @internal What the session of the provider asks. */
  async enter(call: ScriptedCall): Promise<void> {
    this.calls.push(call);
    const index = this.gates.findIndex(({ method }) => method === call.method);
    const [gate] = index < 0 ? [] : this.gates.splice(index, 1);
    gate?.entered();
    await gate?.open;
    const failure = this.failures.find(
      ({ method, resourceId, objectId, times }) =>
        method === call.method &&
        times > 0 &&
        (resourceId ?? call.resourceId) === call.resourceId &&
        (objectId ?? call.cursor) === call.cursor,
    );
    if (!failure) return;
    failure.times -= 1;
    throw failure.error;
  }

  get resourceIds(): string[] {
    return [...this.resources.keys()];
  }

  readers(resourceId: string): readonly string[] | undefined {
    return this.readersOf.get(resourceId);
  }

  objects(resourceId: string): Map<string, ScriptedObject> {
    const objects = this.resources.get(resourceId);
    if (!objects) throw new ProviderError('missing', `there is no ${resourceId}`, { httpStatus: 404 });
    return objects;
  }
}

export interface ScriptedOptions {
  readonly id?: string;
  /** Reads show everything each time. */
  readonly coverage?: 'all';
  /** Entries carry versions. */
  readonly versions?: boolean;
}

/** A provider of scripted accounts: credentials {secret}. */
export function scriptedProvider(
  account: ScriptedAccount,
  options: ScriptedOptions = {},
): Provider<{ secret: string }> {
  return {
    id: options.id ?? 'scripted',
    name: 'Scripted',
    category: 'messaging',
    authTypes: ['api_token', 'oauth'],
    resourceType: 'channel',
    supportsAcl: true,
    interval: { default: 3600, min: 300, max: 604_800 },
    indexedObjectTypes: ['message'],
    searchableFields: ['body'],
    filterableFields: ['native_id'],
    credentials: z.strictObject({ secret: z.string().min(1).describe('Open sesame') }),
    filters: z.strictObject({ word: z.string().optional().describe('Only objects with this word') }),
    setupGuide: 'Say **open sesame**.',
    open: ({ credentials }) => new ScriptedSession(account, credentials.secret, options),
  };
}

class ScriptedSession implements Session {
  constructor(
    private readonly account: ScriptedAccount,
    private readonly secret: string,
    private readonly options: ScriptedOptions,
  ) {
    if (options.coverage === 'all') delete this.walk;
  }

  async check(): Promise<void> {
    await this.enter('check');
  }

  async discover({ cursor, limit }: { cursor: string; limit: number }) {
    await this.enter('discover', '', cursor);
    const from = Number(cursor || 0);
    const ids = this.account.resourceIds.slice(from, from + limit);
    const more = from + limit < this.account.resourceIds.length;
    return { resources: ids.map((id) => this.resource(id)), nextCursor: more ? String(from + limit) : null };
  }

  async describe(id: string) {
    await this.enter('describe', id);
    this.account.objects(id);
    return this.resource(id);
  }

  async read(resource: ResourceScope, cursor: string): Promise<Page> {
    await this.enter('read', resource.id, cursor);
    const page =
      this.options.coverage === 'all' ? this.all(resource, cursor) : this.changes(resource, cursor);
    return this.stuck(page, cursor);
  }

  walk? = async (resource: ResourceScope, cursor: string): Promise<Page> => {
    await this.enter('walk', resource.id, cursor);
    return this.stuck(this.all(resource, cursor), cursor);
  };

  async readers(resource: ResourceScope): Promise<readonly string[] | undefined> {
    await this.enter('readers', resource.id);
    return this.account.readers(resource.id);
  }

  async close(): Promise<void> {}

  private stuck(page: Page, cursor: string): Page {
    return cursor === this.account.stuckAt ? { ...page, cursor, more: true } : page;
  }

  private changes(resource: ResourceScope, cursor: string): Page {
    const since = Number(cursor || 0);
    const later = this.wanted(resource)
      .filter(({ written }) => written > since)
      .sort((a, b) => a.written - b.written);
    const shown = later.slice(0, this.account.pageSize);
    return {
      entries: shown.map((object) => this.entry(resource.id, object)),
      cursor: String(shown.at(-1)?.written ?? since),
      more: shown.length < later.length,
      ...(this.account.isArchived ? { isArchived: true } : {}),
    };
  }

  private all(resource: ResourceScope, cursor: string): Page {
    const { unlistedPrefix: hidden, unlistedBefore: before } = this.account;
    const isHidden = (id: string) =>
      hidden !== undefined && id.startsWith(hidden) && (before === undefined || id < before);
    const sorted = this.wanted(resource)
      .filter(({ id }) => !isHidden(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    // A cursor without `>` at its end is that of a whole walk: it begins anew.
    const after = cursor.endsWith('>') ? cursor.slice(0, -1) : '';
    const rest = sorted.filter((object) => object.id > after);
    const shown = rest.slice(0, this.account.pageSize);
    const more = shown.length < rest.length;
    return {
      entries: shown.map((object) => this.entry(resource.id, object)),
      cursor: more ? `${shown.at(-1)?.id}>` : 'end',
      more,
      coverage: 'all',
      // Only where it would be: on the first page.
      ...(hidden !== undefined &&
        after === '' && {
          unlisted: [
            {
              idPrefix: hidden,
              ...(before === undefined ? {} : { idBefore: before }),
              problem: `${hidden} cannot be listed`,
            },
          ],
        }),
    };
  }

  private wanted({ id, filters }: ResourceScope): ScriptedObject[] {
    const objects = [...this.account.objects(id).values()];
    return objects.filter(({ text }) => text.includes((filters['word'] as string | undefined) ?? ''));
  }

  private entry(resourceId: string, object: ScriptedObject): Entry {
    const { id, text, written, readers, item, shown } = object;
    return {
      id,
      ...(this.options.versions ? { version: `${written} ${text}` } : {}),
      ...shown,
      ...(readers ? { readers } : {}),
      load: async () => {
        await this.enter('load', resourceId, id);
        return {
          kind: 'message',
          timestamp: '2026-01-02T03:04:05.000Z',
          native: { native_id: id },
          ...item,
          fields: { body: text, author: 'Ada', ...item?.fields },
        };
      },
    };
  }

  private resource(id: string) {
    return { id, name: `#${id}`, type: 'channel', metadata: { members: 3 }, ...this.account.shownAs };
  }

  private async enter(method: Method, resourceId = '', cursor = ''): Promise<void> {
    if (this.secret !== this.account.secret)
      throw new ProviderError('credentials', 'Scripted rejected the credentials', { httpStatus: 401 });
    await this.account.enter({ method, resourceId, cursor });
  }
}
