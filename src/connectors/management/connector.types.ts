import { ArgsType, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { PageArgs, connectionOf } from '../../lib/page.types.js';
import type { JsonObject } from '../../sources/source.types.js';

export enum ConnectorLifecycle {
  pending_setup = 'pending_setup',
  ingesting = 'ingesting',
  syncing = 'syncing',
  active = 'active',
  paused = 'paused',
  reconnect = 'reconnect',
}
registerEnumType(ConnectorLifecycle, {
  name: 'ConnectorLifecycle',
  description:
    'pending_setup: no resource is active; ingesting: an active resource has not been synced yet; syncing: a sync runs; ' +
    'active: it waits for the next sync; paused: nothing is synced until it is resumed; reconnect: nothing is synced ' +
    'until credentials or configuration are corrected.',
});

export enum ConnectorSyncStatus {
  syncing = 'syncing',
  idle = 'idle',
}
registerEnumType(ConnectorSyncStatus, { name: 'ConnectorSyncStatus' });

export enum ConnectorHealth {
  healthy = 'healthy',
  degraded = 'degraded',
  failed = 'failed',
  checking = 'checking',
  paused = 'paused',
}
registerEnumType(ConnectorHealth, {
  name: 'ConnectorHealth',
  description:
    'healthy: no errors; failed: its credentials or configuration have to be corrected; checking: a resource has not been read yet; degraded: a sync or resource failed, or no resource is active.',
});

export enum ConnectorInclude {
  health = 'health',
}
registerEnumType(ConnectorInclude, { name: 'ConnectorInclude' });

@ObjectType({
  description:
    'A connected account of a provider, and how its data is synced. Times are ISO-8601 strings, empty when there is none.',
})
export class Connector {
  @Field(() => ID)
  connectorId: string;

  @Field(() => String)
  provider: string;

  @Field(() => String)
  name: string;

  @Field(() => String)
  database: string;

  @Field(() => String)
  collection: string;

  @Field(() => String)
  providerAccountScope: string;

  @Field(() => String)
  authType: string;

  @Field(() => String)
  customInstructions: string;

  @Field(() => ConnectorLifecycle)
  lifecycle: ConnectorLifecycle;

  @Field(() => String, { deprecationReason: 'Always active; read lifecycle.' })
  status: string;

  @Field(() => ConnectorSyncStatus)
  syncStatus: ConnectorSyncStatus;

  @Field(() => ConnectorHealth)
  health: ConnectorHealth;

  @Field(() => Int, { description: 'Seconds between scheduled syncs.' })
  syncIntervalSeconds: number;

  @Field(() => Int)
  activeResourceCount: number;

  @Field(() => Int, { description: 'Active resources that have not completed a successful first sync.' })
  resourcesPendingFirstSync: number;

  @Field(() => Float, {
    description: 'Objects sent in all syncs: updates count again, deletions are not subtracted.',
  })
  documentsDispatched: number;

  @Field(() => String)
  nextSyncAt: string;

  @Field(() => String, {
    description:
      'In the answer of createConnector, when the first sync is planned; elsewhere, when objects were first sent, empty until then.',
  })
  firstSyncAt: string;

  @Field(() => String)
  lastSuccessfulSyncAt: string;

  @Field(() => String)
  lastAttemptedSyncAt: string;

  @Field(() => String, { description: 'The error of the last sync; empty when it had none.' })
  lastError: string;

  @Field(() => String, { description: 'The state of the connector in one sentence; safe to show to users.' })
  message: string;

  @Field(() => Boolean, {
    description: 'Whether the provider rejected the OAuth refresh token: somebody must sign in again.',
  })
  needsReauth: boolean;

  @Field(() => String)
  needsReauthAt: string;

  @Field(() => String)
  needsReauthReason: string;

  @Field(() => Boolean, { description: 'Whether syncs stopped after a failure that retrying cannot fix.' })
  syncBlocked: boolean;

  @Field(() => String)
  syncBlockedAt: string;

  @Field(() => String, { description: 'Why syncs have stopped, at most 1000 characters; empty if not.' })
  syncBlockedReason: string;

  @Field(() => Boolean)
  paused: boolean;

  @Field(() => String)
  pausedAt: string;

  @Field(() => String)
  createdAt: string;

  @Field(() => String)
  updatedAt: string;
}

@ObjectType({ description: 'How many connectors the account has, and how many its plan allows.' })
export class ConnectorLimit {
  @Field(() => Int)
  count: number;

  @Field(() => Int, { nullable: true, description: 'How many connectors the plan allows; null: any number.' })
  limit: number | null;
}

@ObjectType()
export class ConnectorConnection extends connectionOf(Connector) {
  @Field(() => ConnectorLimit)
  connectorLimit: ConnectorLimit;

  @Field(() => GraphQLJSONObject, {
    name: 'health',
    nullable: true,
    description: 'The health of the listed connectors by their ids; null unless include contains health.',
  })
  healthById: JsonObject | null;
}

@ArgsType()
export class ConnectorsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Lists only connectors of the provider with this id.' })
  provider?: string | null;

  @Field(() => [ConnectorInclude], { nullable: true })
  include?: ConnectorInclude[] | null;
}
