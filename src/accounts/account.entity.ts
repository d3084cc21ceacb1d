import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An organization: databases, webhooks and connectors belong to it. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
