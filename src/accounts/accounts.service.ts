import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { queryOne } from '../postgres/query.js';
import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import type { Scope } from './api-key.entity.js';
import { generateKey, hashSecret, parseKey, secretMatches } from './key-format.js';

/** Who asks: the account of the key and what the key may do. */
export interface Caller {
  readonly accountId: string;
  readonly keyPrefix: string;
  readonly scopes: ReadonlySet<Scope>;
}

const implied: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['write', 'read'],
  admin: ['admin', 'write', 'read'],
};

type ValidKey = Pick<ApiKey, 'accountId' | 'secretHash' | 'scopes'>;

// Any number will do, as long as no other advisory lock uses it.
const bootstrapLock = 7_205_759_404;

export class AccountsService {
  constructor(
    private readonly postgres: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller behind an Authorization header.
   * @throws AppError UNAUTHORIZED when it is missing, malformed, unknown, expired or revoked.
   */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (!token) throw new AppError('UNAUTHORIZED', 'send the header Authorization: Bearer <API key>');
    const parts = parseKey(token);
    const key = parts && (await this.findKey(parts.prefix));
    if (!key || !secretMatches(parts.secret, key.secretHash)) {
      throw new AppError('UNAUTHORIZED', 'the API key is invalid or expired');
    }
    return {
      accountId: key.accountId,
      keyPrefix: parts.prefix,
      scopes: new Set(key.scopes.flatMap((scope) => implied[scope])),
    };
  }

  /**
   * With an empty key table makes an admin key: the configured one, or a new one that is written to DATA_DIR/api-key.
   * Returns the new key, so that it can be printed once.
   */
  async bootstrap(configuredKey: string | undefined, dataDir: string): Promise<string | undefined> {
    const given = configuredKey === undefined ? undefined : parseKey(configuredKey);
    const key = given ?? generateKey();
    const created = await this.postgres.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [bootstrapLock]);
      if ((await manager.countBy(ApiKey, {})) > 0) return false;
      const account = { id: uuidv7(), name: 'default', createdAt: this.clock.now() };
      await manager.insert(Account, account);
      await manager.insert(ApiKey, this.newKey(key.prefix, key.secret, account.id));
      return true;
    });
    if (!created || given) return undefined;
    const text = `${key.prefix}.${key.secret}`;
    const file = join(dataDir, 'api-key');
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return text;
  }

  // Every request passes here: plain SQL, which costs half of what the repository does.
  private findKey(prefix: string): Promise<ValidKey | undefined> {
    return queryOne<ValidKey>(
      this.postgres.manager,
      `select account_id as "accountId", secret_hash as "secretHash", scopes from api_keys
        where prefix = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
      [prefix, this.clock.now()],
    );
  }

  private newKey(prefix: string, secret: string, accountId: string): ApiKey {
    return {
      prefix,
      accountId,
      secretHash: hashSecret(secret),
      name: 'bootstrap',
      scopes: ['admin'],
      expiresAt: null,
      revokedAt: null,
      createdAt: this.clock.now(),
    };
  }
}
