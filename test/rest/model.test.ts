import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NaiveStore } from '../support/naive-store.js';
import type { ModelCorpus, Place, SentItem } from '../support/naive-store.js';
import { TestServer } from '../support/server.js';
import { StoreClient } from '../support/store-client.js';
import { stepSequence } from '../support/store-steps.js';
import type { Step, StepOf } from '../support/store-steps.js';

// Whatever clients do, in whatever order, by whichever interface: the server answers as a naive store in memory does.

const runs = Number(process.env['MODEL_RUNS'] ?? 1000);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);
const secondsOfWait = 50;
const corpora = ['knowledge', 'memory'] as const;
const anything = { readers: undefined, metadata: {}, additional: {} };

let server: TestServer;
let client: StoreClient;
let sequences = 0;
beforeAll(async () => {
  server = await TestServer.start();
  const schema = [{ name: 'team' }, { name: 'level', data_type: 'INT64' }];
  client = new StoreClient(server, await server.database({ database_metadata_schema: schema }));
});
afterAll(async () => server.stop());

/** One sequence of steps, in two collections of its own. */
class Sequence {
  private readonly model = new NaiveStore();
  private readonly collections: readonly [string, string];
  private words = 0;

  constructor() {
    sequences += 1;
    this.collections = [`first-${sequences}`, `second-${sequences}`];
  }

  async run(steps: readonly Step[]): Promise<void> {
    try {
      for (const step of steps) await this.take(step);
      await this.compareAll();
      await this.take({ kind: 'index' });
      await this.compareAll();
    } finally {
      for (const collection of this.collections) await client.deleteCollection(collection);
    }
    for (const collection of this.collections) this.model.deleteCollection(collection);
    await this.compareAll();
    await server.idle();
  }

  private take(step: Step): Promise<void> {
    const takers = {
      ingest: (given) => this.ingest(given),
      delete: (given) => this.delete(given),
      edit: (given) => this.edit(given),
      list: (given) => this.list(given),
      read: (given) => this.read(given),
      status: (given) => this.status(given),
      search: (given) => this.search(given),
      stats: async () => expect(await client.stats()).toEqual(this.model.stats()),
      index: async () => {
        await server.idle();
        this.model.index();
      },
      wait: async () => {
        server.clock.advance(secondsOfWait);
        this.model.advance(secondsOfWait);
        return Promise.resolve();
      },
      drop: async ({ inSecond }) => {
        await client.deleteCollection(this.collection(inSecond));
        this.model.deleteCollection(this.collection(inSecond));
      },
    } satisfies { [Kind in Step['kind']]: (step: StepOf<Kind>) => Promise<void> };
    return (takers[step.kind] as (step: Step) => Promise<void>)(step);
  }

  private collection(inSecond: boolean): string {
    return this.collections[inSecond ? 1 : 0];
  }

  private place({ inSecond, corpus }: { inSecond: boolean; corpus: ModelCorpus }): Place {
    return { collection: this.collection(inSecond), corpus };
  }

  private async ingest(step: StepOf<'ingest'>): Promise<void> {
    const place = this.place(step);
    const isFile = step.corpus === 'knowledge' && step.asFiles;
    const items = step.items.map((item): SentItem => {
      this.words += 1;
      return {
        ...item,
        id: `i${item.number}`,
        word: isFile && item.blank ? null : `word${sequences}x${this.words}`,
        // Files have the list of their request.
        acl: isFile ? step.items[0]?.acl : item.acl,
        expirySeconds: step.corpus === 'memory' ? item.expirySeconds : undefined,
      };
    });
    const answered = await client.ingest(place, items, step);
    expect(answered).toEqual(this.model.ingest(place, items, step.upsert));
  }

  private async delete(step: StepOf<'delete'>): Promise<void> {
    const ids = step.numbers.map((number) => `i${number}`);
    const answered = await client.delete(this.place(step), ids, step.viaGraphql);
    expect(answered).toEqual(this.model.delete(this.place(step), ids));
  }

  private async edit(step: StepOf<'edit'>): Promise<void> {
    const collection = this.collection(step.inSecond);
    const type = step.typed ? step.corpus : undefined;
    const id = `i${step.number}`;
    const answered = await client.edit({ collection, type, id }, step.edit, step.viaGraphql);
    const places = (type ? [type] : corpora).map((corpus) => ({ collection, corpus }));
    expect(answered).toEqual(this.model.edit(places, id, step.edit));
  }

  private async list(step: StepOf<'list'>): Promise<void> {
    const place = this.place(step);
    const rows = this.model.list(place, step.filter);
    const { page, size } = step;
    if (page === 0) {
      expect(await client.walk(place, step.filter, size)).toEqual(rows);
      return;
    }
    expect(await client.list(place, step.filter, step)).toEqual({
      rows: rows.slice((page - 1) * size, page * size),
      pagination: {
        page,
        total: rows.length,
        total_pages: Math.ceil(rows.length / size),
        has_next: page * size < rows.length,
        has_previous: page > 1,
      },
    });
  }

  private async read(step: StepOf<'read'>): Promise<void> {
    const place = this.place(step);
    const id = `i${step.number}`;
    expect(await client.read(place, id, step)).toEqual(this.model.read(place, id, step.readers));
  }

  private async status(step: StepOf<'status'>): Promise<void> {
    const collection = this.collection(step.inSecond);
    const type = step.typed ? step.corpus : undefined;
    const places = (type ? [type] : corpora).map((corpus) => ({ collection, corpus }));
    const ids = step.numbers.map((number) => `i${number}`);
    const answered = await client.status({ collection, type }, ids, step.viaGraphql);
    expect(answered).toEqual(ids.map((id) => this.model.status(places, id)));
  }

  private async search(step: StepOf<'search'>): Promise<void> {
    const collections = step.inBoth ? this.collections : [this.collection(step.inSecond)];
    const types = step.type === 'all' ? corpora : [step.type];
    const places = collections.flatMap((collection) => types.map((corpus) => ({ collection, corpus })));
    expect(await client.search(collections, step.filter, step)).toEqual(
      this.model.search(places, step.filter),
    );
  }

  /** Everything that can be read without naming an item. */
  private async compareAll(): Promise<void> {
    const places = this.collections.flatMap((collection) =>
      corpora.map((corpus): Place => ({ collection, corpus })),
    );
    for (const place of places) {
      const { rows } = await client.list(place, anything, { page: 1, size: 100, viaGraphql: false });
      expect(rows).toEqual(this.model.list(place, anything));
    }
    const found = await client.search(this.collections, anything, {
      type: 'all',
      byText: true,
      viaGraphql: false,
    });
    expect(found).toEqual(this.model.search(places, anything));
    expect(await client.stats()).toEqual(this.model.stats());
  }
}

test(
  `${runs} random sequences`,
  async () => {
    const property = fc.asyncProperty(stepSequence, (steps) => new Sequence().run(steps));
    await fc.assert(property, { numRuns: runs, seed });
  },
  60_000 + runs * 1000,
);
