import { callApi, documentsForm } from './api-client.js';
import type { ItemModel } from './item-model.js';
import type { Random } from './random.js';
import type { Answer } from './server.js';

export const keptDatabase = 'kept';
export const onceCollection = 'once';
const idsOfClient = 12;
const itemsPerRequestMax = 5;

/** An answer, or that none came which tells what was done. */
type Outcome = Answer | 'unknown';

/**
 * One client of a mixed load. It stores, replaces, refuses to replace, uploads, repeats, deletes collections,
 * and creates and deletes a database, one request after the other, and records in the model what was
 * acknowledged. Its ids are its own, so that the model need not know of other clients.
 */
export class LoadClient {
  readonly model: ItemModel;
  /** Texts that were sent with an Idempotency-Key and without an id, by key. */
  readonly once = new Map<string, string>();
  /** Whether its own database must exist in the end; undefined while that is unknown. */
  databaseWanted: boolean | undefined = false;
  /** How many requests were answered with success. */
  acknowledged = 0;
  /** Answers that no fault excuses. */
  readonly complaints: string[] = [];
  private url = '';
  private texts = 0;

  constructor(
    private readonly name: string,
    private readonly random: Random,
    model: ItemModel,
  ) {
    this.model = model;
  }

  get database(): string {
    return `of-${this.name}`;
  }

  /** Sends requests until it is told to stop, or a connection breaks. */
  async run(url: string, stopped: () => boolean): Promise<void> {
    this.url = url;
    let alive = true;
    while (alive && !stopped()) alive = await this.step();
  }

  /** Repeats a request with an Idempotency-Key; true when it was answered 202. */
  async repeat(url: string, key: string): Promise<boolean> {
    this.url = url;
    const answer = await this.rememberOnce(key);
    return answer !== 'unknown' && answer.status === 202;
  }

  private async step(): Promise<boolean> {
    const dice = this.random.next();
    if (dice < 0.4) return this.storeMemories(this.random.chance(0.5) ? 'default' : this.collection);
    if (dice < 0.6) return this.uploadFiles();
    if (dice < 0.75) return this.storeIfNew();
    if (dice < 0.85) return this.storeOnce();
    if (dice < 0.9) return this.deleteCollection();
    return this.useOwnDatabase();
  }

  private get collection(): string {
    return `c-${this.name}`;
  }

  private text(id: string): string {
    this.texts += 1;
    return `otters ${id} version ${this.texts}`;
  }

  private ids(): string[] {
    const first = this.random.below(idsOfClient);
    const count = 1 + this.random.below(itemsPerRequestMax);
    return Array.from({ length: count }, (_, n) => `${this.name}-${(first + n) % idsOfClient}`);
  }

  private async storeMemories(collection: string, database = keptDatabase): Promise<boolean> {
    const memories = this.ids().map((id) => ({ id, text: this.text(id) }));
    const answer = await this.call('POST /context/ingest', {
      json: { database, collection, type: 'memory', memories },
    });
    for (const { id, text } of memories) {
      const item = { database, collection, corpus: 'memory', id };
      if (answer === 'unknown') this.model.maybe(item, text);
      else if (answer.status === 202) this.model.set(item, text);
    }
    // Its own database may be gone, or not ready yet.
    if (database === keptDatabase) this.expect(answer, [202]);
    else this.expect(answer, [202, 404, 422]);
    return answer !== 'unknown';
  }

  private async uploadFiles(): Promise<boolean> {
    const files = Object.fromEntries(this.ids().map((id) => [id, this.text(id)]));
    const answer = await this.call('POST /context/ingest', { form: documentsForm(keptDatabase, files) });
    for (const [id, text] of Object.entries(files)) {
      const item = { database: keptDatabase, collection: 'default', corpus: 'knowledge', id };
      if (answer === 'unknown') this.model.maybe(item, text);
      else this.model.set(item, text);
    }
    this.expect(answer, [202]);
    return answer !== 'unknown';
  }

  private async storeIfNew(): Promise<boolean> {
    const [id = ''] = this.ids();
    const collection = this.collection;
    const item = { database: keptDatabase, collection, corpus: 'memory', id };
    const text = this.text(id);
    const possible = this.model.possible(item);
    const answer = await this.call('POST /context/ingest', {
      json: {
        database: keptDatabase,
        collection,
        type: 'memory',
        upsert: false,
        memories: [{ id, text }],
      },
    });
    if (answer === 'unknown') {
      if (possible.has(undefined)) this.model.maybe(item, text);
      return false;
    }
    this.expect(answer, [202]);
    const { status } = answer.body.data.results[0];
    const mayBe = status === 'failed' ? [...possible].some((content) => content) : possible.has(undefined);
    if (!mayBe) this.complaints.push(`upsert false answered ${status} for ${id}: ${[...possible].join('|')}`);
    if (status === 'failed') this.model.seen(item);
    else this.model.set(item, text);
    return true;
  }

  private async storeOnce(): Promise<boolean> {
    const known = [...this.once.keys()];
    const again = this.random.chance(0.3) ? known[this.random.below(known.length)] : undefined;
    const key = again ?? `${this.name}-key-${known.length}`;
    if (!again) this.once.set(key, `only one otter of ${key}`);
    const answer = await this.rememberOnce(key);
    // A request whose server was killed counts as under way until its lease ends.
    this.expect(answer, again ? [202, 503] : [202]);
    return answer !== 'unknown';
  }

  private rememberOnce(key: string): Promise<Outcome> {
    const memories = [{ text: this.once.get(key) }];
    const json = { database: keptDatabase, collection: onceCollection, type: 'memory', memories };
    return this.call('POST /context/ingest', { json, idempotencyKey: key });
  }

  private async deleteCollection(): Promise<boolean> {
    const { collection } = this;
    const answer = await this.call(`DELETE /databases/collections`, {
      json: { database: keptDatabase, collection },
    });
    this.model.remove(keptDatabase, { collection, sure: answer !== 'unknown' });
    this.expect(answer, [200, 202]);
    return answer !== 'unknown';
  }

  private async useOwnDatabase(): Promise<boolean> {
    const { database } = this;
    const dice = this.random.next();
    if (dice < 0.5) return this.storeMemories('default', database);
    if (dice < 0.8) {
      const answer = await this.call('POST /databases', { json: { database } });
      if (answer === 'unknown') this.databaseWanted = this.databaseWanted === true ? true : undefined;
      else if (answer.status === 202) this.databaseWanted = true;
      this.expect(answer, [202, 409]);
      return answer !== 'unknown';
    }
    const answer = await this.call(`DELETE /databases`, { json: { database } });
    if (answer === 'unknown') this.databaseWanted = this.databaseWanted === false ? false : undefined;
    else this.databaseWanted = false;
    this.model.remove(database, { sure: answer !== 'unknown' });
    this.expect(answer, [200, 202, 404]);
    return answer !== 'unknown';
  }

  private async call(route: string, parts: Parameters<typeof callApi>[2]): Promise<Outcome> {
    return callApi(this.url, route, parts).catch((): 'unknown' => 'unknown');
  }

  private expect(answer: Outcome, statuses: readonly number[]): void {
    if (answer !== 'unknown' && answer.status < 300) this.acknowledged += 1;
    if (answer === 'unknown' || statuses.includes(answer.status)) return;
    this.complaints.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
