import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError, invalidInput } from '../errors.js';
import { checkCount } from '../lib/bounded-number.js';
import { characterCount } from '../lib/characters.js';
import type { Clock } from '../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../lib/list-cursor.js';
import type { ListOrder } from '../lib/list-cursor.js';
import { connection, pageRange, rowsOf } from '../lib/page.types.js';
import type { Connection, PageArgs } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import type { Scope } from './api-key.entity.js';
import type { Caller } from './caller.js';
import { generateKey, hashSecret } from './key-format.js';

/** What a new key is to be. */
export interface ApiKeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly databases?: readonly string[] | null;
  readonly principals?: readonly string[] | null;
  readonly expiresAt?: Date | null;
}

/** A new key with its text, which is never shown again. */
export interface NewApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** The limits of a key, which also hold for every key that it makes or sees. */
type Bounds = Pick<Caller, 'databases' | 'principals' | 'expiresAt'>;

const unbounded: Bounds = { databases: null, principals: null, expiresAt: null };

interface ApiKeysOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
}

/** The keys of an account. A limited key neither makes nor sees one that may do more than itself. */
export class ApiKeysService {
  constructor(private readonly options: ApiKeysOptions) {}

  /**
   * @throws AppError INVALID_INPUT naming the argument; FORBIDDEN when the new key could do more than the
   * caller's
   */
  async create(caller: Caller, request: ApiKeyRequest): Promise<NewApiKey> {
    return this.insert(caller.accountId, request, caller);
  }

  /**
   * Makes a key for an account by name, and the account if it is new. For the operator, through `npm run
   * keys`.
   */
  async createFor(accountName: string, request: ApiKeyRequest): Promise<NewApiKey> {
    if (accountName.trim() === '') throw invalidInput('account', 'must not be empty');
    await this.options.postgres
      .createQueryBuilder()
      .insert()
      .into(Account)
      .values({ id: uuidv7(), name: accountName, plan: 'free', createdAt: this.options.clock.now() })
      .orIgnore()
      .execute();
    const { id } = await this.options.postgres.getRepository(Account).findOneByOrFail({ name: accountName });
    return this.insert(id, request, unbounded);
  }

  /** The keys that the caller may see, newest first, revoked ones included. */
  async list(caller: Caller, args: PageArgs): Promise<Connection<ApiKey>> {
    const range = pageRange(args);
    const order: ListOrder<ApiKey> = {
      list: `api-keys.${caller.accountId}`,
      keyOf: ({ createdAt, prefix }) => [String(createdAt.getTime()), prefix],
      forms: [KEY_FORMS.milliseconds, KEY_FORMS.text],
    };
    const [createdAt, prefix] = keyBehind(range.cursor, order) ?? [];
    const { skip, take } = rowsOf(range);
    const page = this.visibleTo(caller)
      .orderBy('key.createdAt', 'DESC')
      .addOrderBy('key.prefix', 'DESC')
      .offset(skip)
      .limit(take);
    if (createdAt !== undefined)
      page.andWhere('(key.createdAt, key.prefix) < (:createdAt, :prefix)', {
        createdAt: new Date(Number(createdAt)),
        prefix,
      });
    return connection(await page.getMany(), await this.visibleTo(caller).getCount(), { range, order });
  }

  /**
   * Every key of every account, oldest first, with its account's name. For the operator, through `npm run
   * keys`.
   */
  async listAll(): Promise<(ApiKey & { account: string })[]> {
    const accounts = await this.options.postgres.getRepository(Account).find();
    const names = new Map(accounts.map(({ id, name }) => [id, name]));
    const keys = await this.options.postgres
      .getRepository(ApiKey)
      .find({ order: { createdAt: 'asc', prefix: 'asc' } });
    return keys.map((key) => Object.assign(key, { account: names.get(key.accountId) ?? '' }));
  }

  /** The caller's own key, with the name of its account. */
  async viewer({ accountId, keyPrefix }: Caller): Promise<{ account: string; apiKey: ApiKey }> {
    const { name } = await this.options.postgres.getRepository(Account).findOneByOrFail({ id: accountId });
    return { account: name, apiKey: await this.keys.findOneByOrFail({ prefix: keyPrefix }) };
  }

  /** Revokes a key at once; revoking it again is no error. @throws AppError NOT_FOUND */
  async revoke(caller: Caller, prefix: string): Promise<ApiKey> {
    const found = await this.visibleTo(caller).andWhere('key.prefix = :prefix', { prefix }).getOne();
    if (!found) throw keyNotFound(prefix);
    return this.end(found);
  }

  /** Revokes a key of any account. For the operator, through `npm run keys`. @throws AppError NOT_FOUND */
  async revokeAny(prefix: string): Promise<ApiKey> {
    const found = await this.keys.findOneBy({ prefix });
    if (!found) throw keyNotFound(prefix);
    return this.end(found);
  }

  private get keys() {
    return this.options.postgres.getRepository(ApiKey);
  }

  private visibleTo({ accountId, databases, principals }: Caller) {
    const query = this.keys.createQueryBuilder('key').where('key.accountId = :accountId', { accountId });
    if (databases) query.andWhere('key.databases <@ :databases::text[]', { databases });
    if (principals) query.andWhere('key.principals <@ :principals::text[]', { principals });
    return query;
  }

  private async insert(accountId: string, request: ApiKeyRequest, bounds: Bounds): Promise<NewApiKey> {
    const { prefix, secret } = generateKey();
    const apiKey = this.keys.create({
      prefix,
      accountId,
      secretHash: hashSecret(secret),
      ...readRequest(request, bounds, this.options.clock.now()),
      revokedAt: null,
      createdAt: this.options.clock.now(),
    });
    await this.keys.insert(apiKey);
    return { apiKey, key: `${prefix}.${secret}` };
  }

  private async end(key: ApiKey): Promise<ApiKey> {
    if (key.revokedAt) return key;
    const revokedAt = this.options.clock.now();
    await this.keys.update({ prefix: key.prefix }, { revokedAt });
    return Object.assign(key, { revokedAt });
  }
}

function keyNotFound(prefix: string): AppError {
  return new AppError('NOT_FOUND', `API key "${prefix}" does not exist`);
}

function readRequest(
  { name, scopes, databases, principals, expiresAt }: ApiKeyRequest,
  bounds: Bounds,
  now: Date,
): Pick<ApiKey, 'name' | 'scopes' | 'databases' | 'principals' | 'expiresAt'> {
  if (name.trim() === '' || characterCount(name) > LIMITS.apiKeyNameCharactersMax) {
    throw invalidInput('name', `must have 1 to ${LIMITS.apiKeyNameCharactersMax} characters`);
  }
  if (scopes.length === 0) throw invalidInput('scopes', 'must name at least one of read, write, admin');
  if (expiresAt && expiresAt <= now) throw invalidInput('expires_at', 'must lie in the future');
  if (expiresAt && bounds.expiresAt && expiresAt > bounds.expiresAt)
    throw new AppError('FORBIDDEN', 'expires_at must not be later than that of the key which makes it', {
      field: 'expires_at',
    });
  return {
    name,
    scopes: [...new Set(scopes)],
    databases: readList('databases', databases, bounds.databases),
    principals: readList('principals', principals, bounds.principals),
    expiresAt: expiresAt ?? bounds.expiresAt,
  };
}

// A list that is not given is inherited from the key that makes this one.
function readList(
  field: 'databases' | 'principals',
  given: readonly string[] | null | undefined,
  bound: readonly string[] | null,
): string[] | null {
  if (given == null) return bound ? [...bound] : null;
  checkCount(given.length, field, { noun: 'values', max: LIMITS.apiKeyListValuesMax });
  const foreign = bound && given.find((value) => !bound.includes(value));
  if (foreign != null)
    throw new AppError('FORBIDDEN', `${field} may hold only what the key which makes it has`, { field });
  const charactersMax =
    field === 'principals' ? LIMITS.aclPrincipalCharactersMax : LIMITS.databaseNameCharactersMax;
  const bad = given.find((value) => value.trim() === '' || characterCount(value) > charactersMax);
  if (bad !== undefined) throw invalidInput(field, `must hold texts of 1 to ${charactersMax} characters`);
  return [...new Set(given)];
}
