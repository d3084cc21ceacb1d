import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

const watches = new AsyncLocalStorage<StatementWatch>();
const setting = /^set local /i;

/** A statement that was run, and what its transaction had set before. */
export interface WatchedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly settings: readonly string[];
}

/** Records the statements that some work runs, wherever it runs them. */
export class StatementWatch {
  readonly statements: WatchedStatement[] = [];
  private readonly settings = new WeakMap<EntityManager, string[]>();

  run<Result>(work: () => Result): Result {
    return watches.run(this, work);
  }

  note(manager: EntityManager, sql: string, parameters: readonly unknown[]): void {
    const settings = this.settings.get(manager) ?? [];
    if (setting.test(sql)) this.settings.set(manager, [...settings, sql]);
    else this.statements.push({ sql, parameters, settings });
  }
}

/** The watch of the work that this code belongs to; undefined when it is not watched. */
export function currentWatch(): StatementWatch | undefined {
  return watches.getStore();
}
