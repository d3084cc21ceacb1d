import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NaiveStore } from '../support/naive-store.js';
import type { ModelCorpus, Place, SentItem } from '../support/naive-store.js';
import { TestServer } from '../support/server.js';
import { StoreClient } from '../support/store-client.js';
import { batchOf } from '../support/store-steps.js';
import type { Batch, Step, StepOf } from '../support/store-steps.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

// Whatever clients do, in whatever order, by whichever interface: the server answers as a naive store in memory does.

const sequencesMin = Number(process.env['MODEL_SEQUENCES'] ?? 60);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);
const together = 20;
const secondsOfWait = 50;
const corpora = ['knowledge', 'memory'] as const;
const anything = { readers: undefined, metadata: {}, additional: {} };

let server: TestServer;
let client: StoreClient;
let begun = 0;
beforeAll(async () => {
  // What is found is compared, not how it is ranked.
  server = await TestServer.start({ embedder: new ToyEmbedder() });
  const schema = [{ name: 'team' }, { name: 'level', data_type: 'INT64' }];
  client = new StoreClient(server, await server.database({ database_metadata_schema: schema }));
});
afterAll(async () => server.stop());

/** One client with two collections of its own, and what must be in them. */
class Client {
  readonly model = new NaiveStore();
  private readonly collections: readonly [string, string];
  private readonly number: number;
  private words = 0;

  constructor() {
    begun += 1;
    this.number = begun;
    this.collections = [`first-${begun}`, `second-${begun}`];
  }

  async deleteAll(): Promise<void> {
    for (const collection of this.collections) {
      await client.deleteCollection(collection);
      this.model.deleteCollection(collection);
    }
  }

  /** Everything that can be read without naming an item. */
  async compareAll(): Promise<void> {
    const places = this.collections.flatMap((collection) =>
      corpora.map((corpus): Place => ({ collection, corpus })),
    );
    expect(await client.everything(this.collections)).toEqual({
      lists: places.map((place) => this.model.list(place, anything)),
      found: this.model.search(places, anything),
    });
  }

  take(step: Step): Promise<void> {
    const takers = {
      ingest: (given) => this.ingest(given),
      delete: (given) => this.delete(given),
      edit: (given) => this.edit(given),
      list: (given) => this.list(given),
      read: (given) => this.read(given),
      status: (given) => this.status(given),
      search: (given) => this.search(given),
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
        word: isFile && item.blank ? null : `word${this.number}x${this.words}`,
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
}

async function pass(pause: 'index' | 'wait' | undefined, models: readonly NaiveStore[]): Promise<void> {
  if (pause === 'index') {
    await server.idle();
    for (const model of models) model.index();
  }
  if (pause === 'wait') {
    server.clock.advance(secondsOfWait);
    for (const model of models) model.advance(secondsOfWait);
  }
}

function sum(models: readonly NaiveStore[]): unknown {
  const stats = models.map((model) => model.stats());
  const add = (of: (each: ReturnType<NaiveStore['stats']>) => number) =>
    stats.reduce((total, each) => total + of(each), 0);
  return {
    knowledge: add(({ knowledge }) => knowledge),
    memory: add(({ memory }) => memory),
    items: {
      queued: add(({ items }) => items.queued),
      completed: add(({ items }) => items.completed),
      errored: add(({ items }) => items.errored),
    },
  };
}

/** Runs the sequences of a batch beside each other. @throws where one is answered wrongly. */
async function runBatch({ sequences, pauses }: Batch): Promise<void> {
  const clients = sequences.map((steps) => ({ steps, of: new Client() }));
  const models = clients.map(({ of: { model } }) => model);
  const each = async (work: (of: Client, steps: readonly Step[]) => Promise<void> | undefined) => {
    const settled = await Promise.allSettled(clients.map(async ({ of, steps }) => work(of, steps)));
    for (const result of settled) if (result.status === 'rejected') throw result.reason as Error;
  };
  try {
    for (const [round, pause] of pauses.entries()) {
      await each((of, steps) => steps[round] && of.take(steps[round]));
      expect(await client.stats()).toEqual(sum(models));
      await pass(pause, models);
    }
    await pass('index', models);
    await each((of) => of.compareAll());
  } finally {
    for (const { of } of clients) await of.deleteAll();
  }
  expect(await client.stats()).toEqual(sum(models));
  await server.idle();
}

const failureOf = (batch: Batch): Promise<Error | undefined> =>
  runBatch(batch).then(
    () => undefined,
    (error: unknown) => error as Error,
  );

/** The least of a batch that still fails: one sequence, if one alone does, without what it does not need. */
async function shrink(failing: Batch, failure: Error): Promise<never> {
  let least = { batch: failing, failure };
  const attempt = async (batch: Batch) => {
    const again = await failureOf(batch);
    if (again) least = { batch, failure: again };
    return again !== undefined;
  };
  for (const steps of failing.sequences) if (await attempt({ ...failing, sequences: [steps] })) break;
  for (let round = failing.pauses.length - 1; round >= 0; round -= 1) {
    const without = <Value>(values: readonly Value[]) => values.filter((_, index) => index !== round);
    const { sequences, pauses } = least.batch;
    if (await attempt({ sequences: sequences.map(without), pauses: without(pauses) })) continue;
    await attempt({ sequences, pauses: pauses.map((pause, index) => (index === round ? undefined : pause)) });
  }
  const { batch, failure: cause } = least;
  throw new Error(`MODEL_SEED=${seed}: ${JSON.stringify(batch)}\n${cause.message}`, { cause });
}

test(
  `a server answers ${sequencesMin} random sequences as a store in memory does`,
  async () => {
    const numRuns = Math.ceil(sequencesMin / together);
    for (const batch of fc.sample(batchOf(together), { numRuns, seed })) {
      const failure = await failureOf(batch);
      if (failure) await shrink(batch, failure);
    }
  },
  120_000 + sequencesMin * 1000,
);
