import fc from 'fast-check';
import type { ModelCorpus } from './naive-store.js';

// Small choices, so that steps meet: few ids, collections, values and principals.

const stepsMax = 12;
const idNumber = fc.nat(3);
const inSecond = fc.boolean();
const corpus = fc.constantFrom<ModelCorpus>('knowledge', 'memory');
const place = { corpus, inSecond };
const viaGraphql = fc.boolean();
const teams = ['a', 'b'];
const tags = ['x', 'y', null];
const metadata = fc.record({ team: fc.constantFrom(...teams), level: fc.nat(2) }, { requiredKeys: [] });
const additional = fc.record({ tag: fc.constantFrom(...tags), page: fc.nat(2) }, { requiredKeys: [] });
const acl = fc.constantFrom(
  undefined,
  undefined,
  null,
  [],
  ['public'],
  ['Ann@Example.com'],
  ['domain:example.com'],
  ['group:a', 'bob'],
);
const readers = fc.constantFrom(
  undefined,
  undefined,
  [],
  ['ann@example.com'],
  ['group:a'],
  ['bob', 'cyd@example.com'],
);

const filter = fc.record({
  readers,
  metadata: fc.constantFrom({}, {}, { team: ['a'] }, { level: [1] }, { team: ['b'], level: [0] }),
  additional: fc.constantFrom({}, {}, { tag: ['x'] }, { tag: [null] }),
});
const anyOfFilter = fc.record({
  readers,
  metadata: fc.constantFrom({}, {}, { team: ['a'] }, { team: ['a', 'b'] }, { level: [0, 2] }),
  additional: fc.constantFrom({}, {}, { tag: ['x', null] }, { page: [1] }),
});

const sentItem = fc.record({
  number: idNumber,
  metadata,
  additional,
  acl,
  /** Only memories have one. */
  expirySeconds: fc.constantFrom(undefined, undefined, 30, 130),
  /** Only files are blank. */
  blank: fc.constantFrom(false, false, false, true),
});

const steps = {
  ingest: fc.record({
    kind: fc.constant('ingest' as const),
    ...place,
    upsert: fc.constantFrom(true, true, false),
    items: fc.uniqueArray(sentItem, { minLength: 1, maxLength: 3, selector: ({ number }) => number }),
    viaGraphql,
    asFiles: fc.boolean(),
  }),
  delete: fc.record({
    kind: fc.constant('delete' as const),
    ...place,
    numbers: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
    viaGraphql,
  }),
  edit: fc.record({
    kind: fc.constant('edit' as const),
    ...place,
    typed: fc.boolean(),
    number: idNumber,
    edit: fc
      .record({ metadata, additional, acl })
      .filter(
        (edit) => edit.acl !== undefined || Object.keys({ ...edit.metadata, ...edit.additional }).length > 0,
      ),
    viaGraphql,
  }),
  list: fc.record({
    kind: fc.constant('list' as const),
    ...place,
    filter,
    /** 0: all, by cursors. */
    page: fc.nat(3),
    size: fc.integer({ min: 1, max: 3 }),
    viaGraphql,
  }),
  read: fc.record({ kind: fc.constant('read' as const), ...place, number: idNumber, readers, viaGraphql }),
  status: fc.record({
    kind: fc.constant('status' as const),
    ...place,
    typed: fc.boolean(),
    numbers: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
    viaGraphql,
  }),
  search: fc.record({
    kind: fc.constant('search' as const),
    type: fc.constantFrom('knowledge' as const, 'memory' as const, 'all' as const),
    inBoth: fc.boolean(),
    inSecond,
    byText: fc.boolean(),
    filter: anyOfFilter,
    viaGraphql,
  }),
  drop: fc.record({ kind: fc.constant('drop' as const), inSecond }),
};

export type StepOf<Kind extends keyof typeof steps> =
  (typeof steps)[Kind] extends fc.Arbitrary<infer Step> ? Step : never;
export type Step = { [Kind in keyof typeof steps]: StepOf<Kind> }[keyof typeof steps];

const weights: Readonly<Record<keyof typeof steps, number>> = {
  ingest: 8,
  delete: 3,
  edit: 4,
  list: 3,
  search: 4,
  read: 2,
  status: 1,
  drop: 1,
};

/** What one client does with collections of its own, one step after the other. */
const sequence: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: steps[kind as keyof typeof steps] as fc.Arbitrary<Step>,
    })),
  ),
  { minLength: 1, maxLength: stepsMax, size: 'max' },
);

/** What happens to all between two steps: jobs run, or time passes. */
const pause = fc.constantFrom(
  'index' as const,
  'index' as const,
  'wait' as const,
  undefined,
  undefined,
  undefined,
);

/** Clients beside each other: after the first step of all comes the first pause. */
export interface Batch {
  readonly sequences: readonly (readonly Step[])[];
  readonly pauses: readonly ('index' | 'wait' | undefined)[];
}

export const batchOf = (sequences: number): fc.Arbitrary<Batch> =>
  fc.record({
    sequences: fc.array(sequence, { minLength: sequences, maxLength: sequences }),
    pauses: fc.array(pause, { minLength: stepsMax, maxLength: stepsMax }),
  });
