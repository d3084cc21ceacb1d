import { AppError } from '../errors.js';
import type { Scope } from './api-key.entity.js';

/** What was read together with the key, because it will probably be asked for. */
export interface Prefetched {
  /** What was asked for. */
  readonly parameters: readonly unknown[];
  /** Null when there is none. */
  readonly row: unknown;
  /** As of performance.now(). */
  readonly readAtMs: number;
}

/** Who asks: the key's account, and what the key may do. */
export interface Caller {
  readonly accountId: string;
  readonly keyPrefix: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The only databases that the key may touch; null for all of the account. */
  readonly databases: readonly string[] | null;
  /** The principals that the key answers as; null for those that each call names. */
  readonly principals: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Set when the account's plan has been withdrawn and refuses writes: where to upgrade. */
  readonly upgradeUrl: string | undefined;
  /** For the reads of the request that the key came with. */
  readonly prefetched?: Prefetched | undefined;
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

/**
 * Refuses keys with principals what concerns items that they may not know of; `what` names it. @throws
 * AppError FORBIDDEN
 */
export function refusePrincipals({ principals }: Caller, what: string): void {
  if (principals === null) return;
  throw new AppError('FORBIDDEN', `${what} needs a key that is not limited to principals`);
}

/** Whether the key may know of a database. */
export function mayTouch({ databases }: Caller, database: string): boolean {
  return databases === null || databases.includes(database);
}
