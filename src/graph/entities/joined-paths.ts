import type { EntityManager } from 'typeorm';
import type { GraphRead } from '../graph-reads.js';
import type { GroupOfRelations } from '../relations/relations.queries.js';
import type { Step, StepFinder } from './entity-paths.js';
import { findPairs, findSteps, findStepsAcross } from './steps.queries.js';
import { betweenSame, withNamesakes } from './same-entities.js';
import { sameAs } from './same-entities.queries.js';

export interface StepLimits {
  /** Entities with more steps than this are not searched one by one. */
  readonly stepsMax: number;
  /** So many steps of each side are read to find what is related to both. */
  readonly joinedMax: number;
  /** Of what is related to both, so much is read; more than the paths that are wanted. */
  readonly sharedMax: number;
}

/** Steps between entities, in which a company under two names is one entity. */
export class JoinedSteps implements StepFinder {
  private readonly same = new Map<string, string>();

  constructor(
    private readonly manager: EntityManager,
    private readonly read: GraphRead,
    private readonly limits: StepLimits,
  ) {}

  /** The ids that stand for these entities. */
  async meant(ids: readonly string[]): Promise<string[]> {
    for (const [id, first] of await sameAs(this.manager, this.read, ids)) this.same.set(id, first);
    return ids.map((id) => this.same.get(id) ?? id);
  }

  async from(entities: readonly string[]): Promise<Step[] | undefined> {
    const { stepsMax } = this.limits;
    const wanted = { near: this.named(entities), limit: stepsMax + 1 };
    const found = await findSteps(this.manager, this.read, wanted);
    return found.length > stepsMax ? undefined : this.joined(found);
  }

  async between(near: readonly string[], far: readonly string[]): Promise<Step[]> {
    const ends = { near: this.named(near), far: this.named(far), limit: this.limits.stepsMax };
    return this.joined(await findSteps(this.manager, this.read, ends));
  }

  async across(near: readonly string[], far: readonly string[]): Promise<{ near: Step[]; far: Step[] }> {
    const { joinedMax, sharedMax: limit } = this.limits;
    const ends = { near: this.named(near), far: this.named(far), limit, joinedMax };
    const found = await findStepsAcross(this.manager, this.read, ends);
    return {
      near: await this.joined(found.map(({ near: from, to }) => ({ from, to }))),
      far: await this.joined(found.map(({ far: from, to }) => ({ from, to }))),
    };
  }

  private named(entities: readonly string[]): string[] {
    return withNamesakes(entities, this.same);
  }

  /** Steps between whom their ends mean, each once. */
  private async joined(found: readonly Step[]): Promise<Step[]> {
    const reached = [...new Set(found.map(({ to }) => to))];
    const meant = await this.meant(reached);
    const ends = new Map(reached.map((id, index) => [id, meant[index] ?? id]));
    const steps = found.map(({ from, to }) => ({
      from: this.same.get(from) ?? from,
      to: ends.get(to) ?? to,
    }));
    return [...new Map(steps.map((step) => [`${step.from} ${step.to}`, step])).values()];
  }

  /** The newest group of relations of each step, by `from to`. */
  async groupsOf(steps: readonly Step[]): Promise<ReadonlyMap<string, GroupOfRelations>> {
    const named = steps.flatMap((step) =>
      this.named([step.from]).flatMap((from) =>
        this.named([step.to]).map((to) => ({ step, ends: [from, to] as const })),
      ),
    );
    if (named.length === 0) return new Map();
    const pairs = named.map(({ ends }) => ends);
    const rows = await findPairs(this.manager, this.read, pairs);
    const newestLast = [...rows].sort((a, b) => Number(a.position) - Number(b.position));
    return new Map(
      betweenSame(newestLast, this.same).flatMap((row) => {
        const step = named[row.nth - 1]?.step;
        return step ? [[`${step.from} ${step.to}`, row]] : [];
      }),
    );
  }
}
