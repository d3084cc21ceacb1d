import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a key may do. */
export const Scope = { read: 'read', write: 'write', admin: 'admin' } as const;
export type Scope = keyof typeof Scope;
registerEnumType(Scope, {
  name: 'Scope',
  description: 'What an API key may do.',
  valuesConfig: {
    read: { description: 'Read and query, and send feedback.' },
    write: { description: 'All that read may, and change items and databases.' },
    admin: { description: 'All that write may, and manage keys, connectors and webhooks.' },
  },
});

@ObjectType({
  description: 'An API key without its secret, which is shown only once, when the key is created.',
})
@Entity('api_keys')
export class ApiKey {
  @Field(() => String, { description: 'The public part of the key, before the dot; it identifies the key.' })
  @PrimaryColumn('text')
  prefix: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of the secret half; the secret itself is never stored. */
  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  @Field(() => String, { description: 'The label that the key was created with, for people to read.' })
  @Column('text')
  name: string;

  @Field(() => [Scope], { description: 'What the key may do.' })
  @Column('text', { array: true })
  scopes: Scope[];

  @Field(() => [String], {
    nullable: true,
    description: 'The only databases that the key may use; null: all of the account.',
  })
  @Column('text', { array: true, nullable: true })
  databases: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The principals that every call with the key is limited to; null: those that each call names in acl.',
  })
  @Column('text', { array: true, nullable: true })
  principals: string[] | null;

  @Field(() => Date, {
    nullable: true,
    description: 'From when on the key is refused; null when it never expires.',
  })
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the key was revoked; null while it is not.' })
  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Field(() => Date, { description: 'When the key was created.' })
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
