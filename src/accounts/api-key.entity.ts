import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a key may do: admin implies write, write implies read. */
export type Scope = 'read' | 'write' | 'admin';

@Entity('api_keys')
export class ApiKey {
  /** The public half of the key. */
  @PrimaryColumn('text')
  prefix: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of the secret half; the secret itself is never stored. */
  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  @Column('text')
  name: string;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
