import type { EntityManager } from 'typeorm';
import type { GraphRead } from '../graph-reads.js';
import type { GroupOfRelations } from '../relations/relations.queries.js';
import { findPairs, findSteps } from './entities.queries.js';
import { betweenSame, withNamesakes } from './same-entities.js';
import { sameAs } from './same-entities.queries.js';

export interface Step {
  readonly from: string;
  readonly to: string;
}

/** Steps between entities, in which a company under two names is one entity. */
export class JoinedSteps {
  /** Whether some entities had more steps than are read. */
  isClipped = false;
  private readonly same = new Map<string, string>();

  constructor(
    private readonly manager: EntityManager,
    private readonly read: GraphRead,
    private readonly stepsMax: number,
  ) {}

  /** The ids that stand for these entities. */
  async meant(ids: readonly string[]): Promise<string[]> {
    for (const [id, first] of await sameAs(this.manager, this.read, ids)) this.same.set(id, first);
    return ids.map((id) => this.same.get(id) ?? id);
  }

  /** Pairs of related entities of which the first is among those given, each once. */
  async from(entities: readonly string[]): Promise<Step[]> {
    const named = withNamesakes(entities, this.same);
    const found = await findSteps(this.manager, this.read, { entities: named, limit: this.stepsMax });
    this.isClipped ||= found.length === this.stepsMax;
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
      withNamesakes([step.from], this.same).flatMap((from) =>
        withNamesakes([step.to], this.same).map((to) => ({ step, ends: [from, to] as const })),
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
