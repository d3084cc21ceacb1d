import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { prepared } from '../postgres/prepared-statements.js';
import { queryOne } from '../postgres/query.js';
import { lockByName } from '../postgres/transaction-lock.js';
import { Account } from './account.entity.js';
import type { Plan } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { impliedScopes } from './caller.js';
import type { Caller } from './caller.js';
import { generateKey, hashSecret, parseKey, secretMatches } from './key-format.js';
import type { KeyParts } from './key-format.js';

/** What is read together with a key, in the same statement. */
export interface Prefetch {
  /** A subquery of at most one row; it may use the account `k.account_id` and parameters from $3 on. */
  readonly sql: string;
  /** The parameters for a key; undefined when there is nothing to read with it. */
  parametersFor(keyPrefix: string): readonly unknown[] | undefined;
}

interface AccountsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  /** Set when the free plan has been withdrawn: where to upgrade. */
  readonly planDeprecatedUrl: string | undefined;
  readonly prefetch: Prefetch;
}

type ValidKey = Pick<
  ApiKey,
  'accountId' | 'secretHash' | 'scopes' | 'databases' | 'principals' | 'expiresAt'
> & {
  readonly plan: Plan;
  /** The row of the Prefetch; null when it found none. */
  readonly prefetched?: unknown;
};

const defaultAccount = 'default';

/** Authenticates callers, and makes the first key of a new server. */
export class AccountsService {
  constructor(private readonly options: AccountsOptions) {}

  /**
   * The caller behind an Authorization header.
   * @throws AppError UNAUTHORIZED when it is missing, malformed, unknown, expired or revoked.
   */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (!token) throw new AppError('UNAUTHORIZED', 'send the header Authorization: Bearer <API key>');
    const parts = parseKey(token);
    const parameters = parts && this.options.prefetch.parametersFor(parts.prefix);
    const readAtMs = performance.now();
    const key = parts && (await this.findKey(parts.prefix, parameters));
    if (!key || !secretMatches(parts.secret, key.secretHash)) {
      throw new AppError('UNAUTHORIZED', 'the API key is invalid or expired');
    }
    return {
      accountId: key.accountId,
      keyPrefix: parts.prefix,
      scopes: impliedScopes(key.scopes),
      databases: key.databases,
      principals: key.principals,
      expiresAt: key.expiresAt,
      upgradeUrl: key.plan === 'free' ? this.options.planDeprecatedUrl : undefined,
      prefetched: parameters && { parameters, row: key.prefetched, readAtMs },
    };
  }

  /**
   * Whether a key that was valid still is; asked again by what outlives its request, such as subscriptions.
   */
  async isValid({ keyPrefix }: Caller): Promise<boolean> {
    return (await this.findKey(keyPrefix)) !== undefined;
  }

  /**
   * Makes an admin key when there are no keys yet: the configured one, or a new one, which is written to
   * DATA_DIR/api-key and returned, so that it can be printed once.
   */
  async bootstrap(configuredKey: string | undefined, dataDir: string): Promise<string | undefined> {
    const given = configuredKey === undefined ? undefined : parseKey(configuredKey);
    const key = given ?? generateKey();
    const { postgres, clock } = this.options;
    const created = await postgres.transaction(async (manager) => {
      await lockByName(manager, 'first API key');
      if ((await manager.countBy(ApiKey, {})) > 0) return false;
      const createdAt = clock.now();
      const account: Account = { id: uuidv7(), name: defaultAccount, plan: 'free', createdAt };
      await manager.insert(Account, account);
      await manager.insert(ApiKey, {
        prefix: key.prefix,
        accountId: account.id,
        secretHash: hashSecret(key.secret),
        name: 'bootstrap',
        scopes: ['admin'],
        databases: null,
        principals: null,
        expiresAt: null,
        revokedAt: null,
        createdAt,
      });
      // Before the commit: a key that no file holds would be lost if the process ended now.
      if (!given) writeKeyFile(join(dataDir, 'api-key'), key);
      return true;
    });
    return created && !given ? `${key.prefix}.${key.secret}` : undefined;
  }

  // Every request passes here: plain SQL costs half of what the repository does.
  private findKey(prefix: string, prefetchParameters?: readonly unknown[]): Promise<ValidKey | undefined> {
    const { postgres, clock, prefetch } = this.options;
    return queryOne<ValidKey>(
      postgres.manager,
      prepared(`select k.account_id as "accountId", k.secret_hash as "secretHash", k.scopes, k.databases, k.principals,
              k.expires_at as "expiresAt", a.plan
              ${prefetchParameters ? `, (select row_to_json(f) from (${prefetch.sql}) f) as prefetched` : ''}
         from api_keys k join accounts a on a.id = k.account_id
        where k.prefix = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`),
      [prefix, clock.now(), ...(prefetchParameters ?? [])],
    );
  }
}

function writeKeyFile(file: string, { prefix, secret }: KeyParts): void {
  writeFileSync(file, `${prefix}.${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
