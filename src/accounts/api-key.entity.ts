import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a key may do. */
export const Scope = { read: 'read', write: 'write', admin: 'admin' } as const;
export type Scope = keyof typeof Scope;
registerEnumType(Scope, {
  name: 'Scope',
  description: 'What a key may do: admin implies write, write implies read.',
});

@ObjectType({ description: 'An API key, without its secret: that is shown once, when the key is made.' })
@Entity('api_keys')
export class ApiKey {
  @Field(() => String, { description: 'The public half of the key; it names the key.' })
  @PrimaryColumn('text')
  prefix: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of the secret half; the secret itself is never stored. */
  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  @Field(() => String)
  @Column('text')
  name: string;

  @Field(() => [Scope])
  @Column('text', { array: true })
  scopes: Scope[];

  @Field(() => [String], { nullable: true, description: 'The only databases it may touch; null for all.' })
  @Column('text', { array: true, nullable: true })
  databases: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Every call answers as exactly these principals; null for whom the call names.',
  })
  @Column('text', { array: true, nullable: true })
  principals: string[] | null;

  @Field(() => Date, { nullable: true })
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Field(() => Date, { nullable: true })
  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Field(() => Date)
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
