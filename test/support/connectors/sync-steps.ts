import type { Random } from '../random.js';

const kinds = {
  write: 8,
  edit: 3,
  remove: 3,
  readers: 2,
  fail: 4,
  pass: 4,
  sync: 3,
  pause: 1,
  resume: 2,
  rule: 2,
  configure: 2,
  drop: 1,
  held: 4,
  restart: 0.15,
} as const;

/** Something that happens; the numbers, 0 to below 1, say to what and how. */
export interface SyncStep {
  readonly kind: keyof typeof kinds;
  readonly at: readonly [number, number, number, number];
  /** What happens while a call of the account is held. */
  readonly meanwhile?: SyncStep;
}

export function randomSteps(random: Random, count: number): SyncStep[] {
  return Array.from({ length: count }, () => randomStep(random));
}

function randomStep(random: Random): SyncStep {
  const entries = Object.entries(kinds) as [SyncStep['kind'], number][];
  let rest = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const [kind] = entries.find(([, weight]) => (rest -= weight) < 0) ?? ['sync'];
  const step: SyncStep = { kind, at: [random.next(), random.next(), random.next(), random.next()] };
  return kind === 'held' ? { ...step, meanwhile: plainStep(random) } : step;
}

function plainStep(random: Random): SyncStep {
  for (;;) {
    const step = randomStep(random);
    if (!['held', 'restart', 'sync'].includes(step.kind)) return step;
  }
}
