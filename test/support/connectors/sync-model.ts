import { setTimeout } from 'node:timers/promises';
import { ProviderError } from '../../../src/connectors/provider.js';
import type { ProviderFailure } from '../../../src/connectors/provider.js';
import type { TestServer } from '../server.js';
import { Connected } from './connected.js';
import type { ScriptedAccount } from './scripted-provider.js';
import type { SyncStep } from './sync-steps.js';

/** An item as the database holds it, or should. */
interface ModelItem {
  readonly collection: string;
  readonly id: string;
  readonly text: string;
  readonly acl: readonly string[] | null;
}

interface Configured {
  readonly collection: string;
  readonly acl: readonly string[] | null;
}

const collections = ['default', 'other'];
const rules = [null, ['group:rule'], ['user_email:ada@example.com']];
const readers = [undefined, ['group:readers'], ['user_email:bob@example.com']];
const failures: readonly (ProviderFailure | 'plain')[] = [
  'credentials',
  'reauth',
  'refused',
  'missing',
  'limited',
  'unavailable',
  'expired',
  'plain',
];
const day = 24 * 3600;
const lapseSeconds = 100;
let numbers = 0;

const pick = <Value>(values: readonly Value[], at: number): Value =>
  values[Math.floor(at * values.length)] as Value;

/** One connector of two resources, what happens to it, and what its database must hold in the end. */
export class SyncModel {
  private readonly configured = new Map<string, Configured>();
  private texts = 0;

  private constructor(
    private server: TestServer,
    private readonly account: ScriptedAccount,
    private readonly provider: string,
    private connected: Connected,
    private readonly resources: readonly string[],
  ) {
    for (const resource of resources) this.configured.set(resource, { collection: 'default', acl: null });
  }

  static async begin(server: TestServer, account: ScriptedAccount, provider: string): Promise<SyncModel> {
    numbers += 1;
    const resources = [`first-${numbers}`, `second-${numbers}`];
    for (const resource of resources) account.addResource(resource);
    const connected = await Connected.make(server, {
      database: await server.database(),
      provider,
      resources: resources.map((id) => ({ resource_id: id, filters: { may_be_empty: true } })),
    });
    return new SyncModel(server, account, provider, connected, resources);
  }

  continueOn(server: TestServer): void {
    this.server = server;
    this.connected = this.connected.on(server);
  }

  async take(step: SyncStep): Promise<void> {
    const { at } = step;
    const resource = pick(this.resources, at[0]);
    switch (step.kind) {
      case 'write':
      case 'edit':
      case 'remove':
      case 'readers':
      case 'fail':
        return this.changeAccount(step.kind, resource, at);
      case 'pass':
        return this.connected.pass(pick([10, 60, 600, 3700, day + 60], at[1]));
      case 'sync':
        await this.connected.post('sync');
        return this.server.idle();
      case 'pause':
      case 'resume':
        return void (await this.connected.post(step.kind));
      case 'rule':
        return this.setRule(resource, pick(rules, at[1]));
      case 'configure':
        return this.configure(resource, { collection: pick(collections, at[1]), acl: pick(rules, at[2]) });
      case 'drop':
        return void (await this.ask('DELETE', `/resources/${resource}`));
      case 'held':
        return this.holdWhile(step);
      case 'restart':
    }
  }

  /** Nothing fails any more, everything is configured, and enough time passes for whatever waits. */
  async heal(): Promise<void> {
    this.account.mend();
    await this.connected.post('resume');
    await this.ask('PATCH', '', { credentials: { secret: 'open sesame' } });
    for (const resource of this.resources) {
      const { collection, acl } = this.of(resource);
      await this.configure(resource, { collection, acl });
    }
    for (const seconds of [600, day + 3700, 3700, day + 3700, 600]) await this.connected.pass(seconds);
  }

  expected(): ModelItem[] {
    const items = this.resources.flatMap((resource) => {
      const { collection, acl } = this.of(resource);
      return [...this.account.objects(resource).values()].map((object) => ({
        collection,
        id: `${this.provider}:${object.id}`,
        text: object.text,
        acl: acl ?? object.readers ?? this.account.readers(resource) ?? null,
      }));
    });
    return items.sort(byId);
  }

  async found(): Promise<ModelItem[]> {
    const items = await this.server.sql<ModelItem>(
      `select k.name as collection, s.id, s.title as text, s.acl from sources s
         join collections k on k.id = s.collection_id join databases d on d.id = s.database_id
        where d.name = $1 and (s.latest or s.visible)`,
      [this.connected.database],
    );
    return items.sort(byId);
  }

  /** @throws when what is noted of items or of the sync is not what it must be when all is done */
  async checkNotes(): Promise<void> {
    const { lifecycle, sync_status, last_error } = await this.connected.fields();
    const notes = await this.server.sql<ModelItem & { known: boolean }>(
      `select collection, item_id as id, acl, digest <> '' and not gone as known from connector_items
        where connector_id = $1`,
      [this.connected.id],
    );
    const [waiting] = await this.server.sql<{ count: number }>(
      `select count(*)::int as count from connector_resources
        where connector_id = $1 and (acl_pending or status <> 'active' or walk_cursor is not null or attempts > 0)`,
      [this.connected.id],
    );
    const expected = this.expected().map(({ collection, id, acl }) => ({ collection, id, acl, known: true }));
    const differs = JSON.stringify(notes.map(noteOf).sort(byId)) !== JSON.stringify(expected.map(noteOf));
    if (
      differs ||
      waiting?.count !== 0 ||
      lifecycle !== 'active' ||
      sync_status !== 'idle' ||
      last_error !== ''
    )
      throw new Error(`noted: ${JSON.stringify({ notes, waiting, lifecycle, sync_status, last_error })}`);
  }

  /** Takes everything away. @throws when something is left */
  async end(): Promise<void> {
    this.account.mend();
    await this.ask('DELETE', '?purge=true');
    for (let tries = 0; tries < 3; tries += 1) await this.connected.pass(lapseSeconds);
    const left = await this.found();
    const [noted] = await this.server.sql('select 1 from connectors where id = $1', [this.connected.id]);
    if (left.length > 0 || noted)
      throw new Error(`a purge has left ${JSON.stringify(left)} ${JSON.stringify(noted)}`);
  }

  private changeAccount(kind: SyncStep['kind'], resource: string, at: SyncStep['at']): void {
    const { account } = this;
    const known = [...account.objects(resource).keys()];
    const text = `text ${(this.texts += 1)}`;
    const shown = { text, readers: pick(readers, at[3]) };
    if (kind === 'readers') account.setReaders(resource, pick(readers, at[1]));
    else if (kind === 'fail') this.failNext(resource, at);
    else if (kind === 'write') {
      const count = 1 + Math.floor(at[2] * 4);
      for (let index = 0; index < count; index += 1)
        account.write(resource, `${resource}-${Math.floor(at[1] * 12) + index}`, shown);
    } else if (known.length > 0) {
      const id = pick(known, at[1]);
      if (kind === 'edit') account.writeSilently(resource, id, shown);
      else account.remove(resource, id);
    }
  }

  private failNext(resourceId: string, at: SyncStep['at']): void {
    const kind = pick(failures, at[1]);
    const error =
      kind === 'plain'
        ? new TypeError('cannot read properties of undefined')
        : new ProviderError(kind, `this is ${kind}`, kind === 'limited' ? { retryAfterSeconds: 30 } : {});
    const method = pick(['read', 'walk', 'load', 'readers'] as const, at[2]);
    this.account.fail(method, error, {
      times: 1 + Math.floor(at[3] * 5),
      ...(method === 'load' ? {} : { resourceId }),
    });
  }

  private async setRule(resource: string, acl: readonly string[] | null): Promise<void> {
    const { status } = await this.ask('PATCH', `/resources/${resource}`, { acl: acl ?? ['*'] });
    if (status === 200) this.configured.set(resource, { ...this.of(resource), acl });
  }

  private async configure(resource: string, wanted: Configured): Promise<void> {
    const { collection, acl } = wanted;
    const filters = { may_be_empty: true };
    const json = { resources: [{ resource_id: resource, collection, acl: acl ?? ['*'], filters }] };
    const { status, body } = await this.connected.post('configure', json);
    if (status === 200) this.configured.set(resource, wanted);
    else if (status !== 422) throw new Error(`configure answered ${JSON.stringify(body)}`);
  }

  /** Something happens while a call of the account is under way; sometimes the lease of who asks lapses over it. */
  private async holdWhile({ at, meanwhile }: SyncStep): Promise<void> {
    const gate = this.account.hold(pick(['read', 'walk', 'load', 'readers'] as const, at[0]));
    this.server.clock.advance(pick([60, 3700, day + 60], at[1]));
    const idle = this.server.idle();
    // Perhaps nothing asks for that now.
    await Promise.race([gate.entered, idle.then(() => this.account.release())]);
    if (at[2] < 0.4) this.server.clock.advance(lapseSeconds);
    if (meanwhile) await this.take(meanwhile);
    if (at[2] < 0.4) await this.server.idle();
    gate.open();
    await idle;
    // What nobody waited for any more goes on until it meets the lease of another.
    await setTimeout(0);
  }

  private async ask(method: string, path: string, json?: Record<string, unknown>) {
    const answer = await this.server.rest(
      method,
      `/connectors/${this.connected.id}${path}`,
      json ? { json } : {},
    );
    if (answer.status >= 500) throw new Error(`${method} ${path} answered ${JSON.stringify(answer.body)}`);
    return answer;
  }

  private of(resource: string): Configured {
    const configured = this.configured.get(resource);
    if (!configured) throw new Error(`${resource} is not of this model`);
    return configured;
  }
}

function noteOf({ collection, id, acl, known }: Omit<ModelItem, 'text'> & { known: boolean }) {
  return { collection, id, acl, known };
}

function byId(a: { collection: string; id: string }, b: { collection: string; id: string }): number {
  return `${a.collection} ${a.id}` < `${b.collection} ${b.id}` ? -1 : 1;
}
