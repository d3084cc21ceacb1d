import { AppError } from '../errors.js';
import type { Scope } from './api-key.entity.js';

/** What was read with a key because it is mostly asked for. */
export interface Foreseen {
  /** What was asked for. */
  readonly parameters: readonly unknown[];
  /** Null when there is none. */
  readonly row: unknown;
  /** By performance.now(). */
  readonly readAtMs: number;
}

/** Who asks: the account of the key, and what the key may do. */
export interface Caller {
  readonly accountId: string;
  readonly keyPrefix: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The only databases that the key may touch; null for all of the account. */
  readonly databases: readonly string[] | null;
  /** Whom the key answers as; null for whom the call names. */
  readonly principals: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Where to change a plan that has been withdrawn and refuses writes; undefined when it has not. */
  readonly upgradeUrl: string | undefined;
  /** For reads of the request that the key came with. */
  readonly foreseen?: Foreseen | undefined;
}

const implied: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['write', 'read'],
  admin: ['admin', 'write', 'read'],
};

/** Scopes with those that they imply. */
export function impliedScopes(scopes: readonly Scope[]): ReadonlySet<Scope> {
  return new Set(scopes.flatMap((scope) => implied[scope]));
}

/** @throws AppError FORBIDDEN without the scope. */
export function checkScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes.has(scope)) throw new AppError('FORBIDDEN', `this needs a key with the scope ${scope}`);
}

/** @throws AppError FREE_PLAN_DEPRECATED when the plan of the account no longer writes. */
export function checkPlanWrites({ upgradeUrl }: Caller): void {
  if (upgradeUrl === undefined) return;
  throw new AppError(
    'FREE_PLAN_DEPRECATED',
    `the plan of this account has been withdrawn; upgrade at ${upgradeUrl}`,
    {
      detail: { upgrade_url: upgradeUrl },
    },
  );
}

/** For what concerns items that a key which answers as somebody may not know of. @throws AppError FORBIDDEN saying what needs another key. */
export function refusePrincipals({ principals }: Caller, what: string): void {
  if (principals === null) return;
  throw new AppError('FORBIDDEN', `${what} needs a key that is not limited to principals`);
}

/** Whether the key may know of a database. */
export function mayTouch({ databases }: Caller, database: string): boolean {
  return databases === null || databases.includes(database);
}
