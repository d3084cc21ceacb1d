import { isDeepStrictEqual } from 'node:util';
import type { Prefetch } from '../accounts/accounts.service.js';
import type { Caller } from '../accounts/caller.js';
import { scopeSql } from './database-scope.js';
import type { ScopeRow } from './database-scope.js';

/** What is asked for, by name. */
interface ScopeQuestion {
  readonly database: string;
  readonly names: readonly string[];
}

const keysMax = 1000;
const namesMax = 20;
// The body of a request may come long after its key; what was read with the key is then read again.
const validMs = 1000;

/**
 * A key mostly asks for what it asked for last, so that is read in the statement that reads the key, and the
 * request waits for Postgres once less. Only the question is kept from one request to the next, never the
 * answer.
 */
export class ScopePrefetch implements Prefetch {
  readonly sql = scopeSql({ accountId: 'k.account_id', database: '$3', names: '$4' });
  private readonly lastAsked = new Map<string, ScopeQuestion>();

  /** Remembers what a key asks for. */
  remember({ keyPrefix }: Caller, question: ScopeQuestion): void {
    this.lastAsked.delete(keyPrefix);
    if (question.names.length > namesMax) return;
    if (this.lastAsked.size >= keysMax) this.lastAsked.delete(this.lastAsked.keys().next().value ?? '');
    this.lastAsked.set(keyPrefix, question);
  }

  parametersFor(keyPrefix: string): unknown[] | undefined {
    const asked = this.lastAsked.get(keyPrefix);
    return asked && [asked.database, asked.names];
  }

  /** What was read with the caller's key, if it answers this question. */
  find({ prefetched }: Caller, { database, names }: ScopeQuestion): ScopeRow | undefined {
    if (!prefetched?.row || performance.now() - prefetched.readAtMs > validMs) return undefined;
    const [ofDatabase, ofNames] = prefetched.parameters;
    if (ofDatabase !== database || !isDeepStrictEqual(ofNames, names)) return undefined;
    return prefetched.row as ScopeRow;
  }
}
