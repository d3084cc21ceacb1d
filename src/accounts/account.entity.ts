import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Plans of an account; the free one can be withdrawn (PLAN_DEPRECATED_URL). */
export const plans = ['free', 'paid'] as const;
export type Plan = (typeof plans)[number];

/** An organization: databases, webhooks and connectors belong to it. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
