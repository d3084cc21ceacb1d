import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { runUncancelled } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import { query, queryOne } from '../../postgres/query.js';
import type { Acl } from '../../sources/acl.js';

/** The version that a link leads to, and until when. */
export interface LinkedVersion {
  readonly accountId: string;
  readonly databaseId: number;
  readonly uid: string;
  readonly expiresAtSeconds: number;
  /** A digest of the access list at the time: a changed list ends the links. */
  readonly aclDigest: string;
}

const secretName = 'content-links';
const secretBytes = 32;

const payloadSchema = z.tuple([z.uuid(), z.int32(), z.string().regex(/^\d{1,19}$/), z.int(), z.string()]);

/** Signs links to originals, and verifies them. */
export class ContentLinks {
  private secret: Promise<Buffer> | undefined;

  constructor(private readonly options: { readonly postgres: DataSource; readonly clock: Clock }) {}

  async sign(version: LinkedVersion): Promise<string> {
    const { accountId, databaseId, uid, expiresAtSeconds, aclDigest } = version;
    const payload = Buffer.from(
      JSON.stringify([accountId, databaseId, uid, expiresAtSeconds, aclDigest]),
    ).toString('base64url');
    return `${payload}.${(await this.signature(payload)).toString('base64url')}`;
  }

  /** Undefined for a forged or expired token. */
  async read(token: string): Promise<LinkedVersion | undefined> {
    const [payload, signature, ...more] = token.split('.');
    if (!payload || !signature || more.length > 0) return undefined;
    const expected = await this.signature(payload);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const read = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown;
    const [accountId, databaseId, uid, expiresAtSeconds, aclDigest] = payloadSchema.parse(read);
    if (expiresAtSeconds * 1000 <= this.options.clock.now().getTime()) return undefined;
    return { accountId, databaseId, uid, expiresAtSeconds, aclDigest };
  }

  private async signature(payload: string): Promise<Buffer> {
    this.secret ??= runUncancelled(() => this.findSecret());
    const secret = await this.secret.catch((error: unknown) => {
      this.secret = undefined;
      throw error;
    });
    return createHmac('sha256', secret).update(`content:${payload}`).digest();
  }

  /** All processes share one secret, which the first to need it makes. */
  private async findSecret(): Promise<Buffer> {
    const { manager } = this.options.postgres;
    await query(
      manager,
      'insert into secrets (name, value, created_at) values ($1, $2, $3) on conflict (name) do nothing',
      [secretName, randomBytes(secretBytes), this.options.clock.now()],
    );
    const row = await queryOne<{ value: Buffer }>(manager, 'select value from secrets where name = $1', [
      secretName,
    ]);
    if (!row) throw new Error('the secret of content links is gone');
    return row.value;
  }
}

/** The digest of an access list, as used in links. */
export function digestOfAcl(acl: Acl): string {
  return createHash('sha256').update(JSON.stringify(acl)).digest('base64url').slice(0, 16);
}
