import { ArgsType, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
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

@InputType({ description: 'An account of a provider to connect, and where its data goes.' })
export class CreateConnectorInput {
  @Field(() => String, { description: 'The id of a provider, from connectorProviders.' })
  provider: string;

  @Field(() => String, { description: 'The database that receives the synced items.' })
  database: string;

  @Field(() => GraphQLJSONObject, {
    description: "Credentials that fit the provider's credentialSchema; checked with it, never returned.",
  })
  credentials: JsonObject;

  @Field(() => String, { nullable: true, description: "A label; default: the provider's name." })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The collection for resources that name none of their own; default: the default collection.',
  })
  collection?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Tells accounts of one provider apart, so that the ids of their items cannot collide.',
  })
  providerAccountScope?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "How the account is authenticated: one of the provider's authTypes, default the first.",
  })
  authType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to extract from items; turns the extraction of facts on. At most 4000 characters.',
  })
  customInstructions?: string | null;

  @Field(() => Int, { nullable: true, description: 'Seconds between syncs; 0 or absent: provider default.' })
  syncIntervalSeconds?: number | null;
}

@InputType({ description: 'The settings to change, at least one; absent fields stay as they are.' })
export class UpdateConnectorInput {
  @Field(() => String, { nullable: true, description: "A label; empty or null: the provider's name." })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to extract from items, from the next sync on; empty or null removes it.',
  })
  customInstructions?: string | null;

  @Field(() => Int, { nullable: true, description: 'Seconds between syncs; 0 or null: provider default.' })
  syncIntervalSeconds?: number | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'New credentials that replace all earlier ones, after a check with the provider; a connector that was blocked syncs again.',
  })
  credentials?: JsonObject | null;
}

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

@ObjectType()
export class ConnectorUpdate {
  @Field(() => ID)
  connectorId: string;

  @Field(() => String)
  name: string;

  @Field(() => Int)
  syncIntervalSeconds: number;

  @Field(() => String)
  nextSyncAt: string;

  @Field(() => Int, { description: 'The shortest interval that the provider allows, in seconds.' })
  minSyncIntervalSeconds: number;

  @Field(() => Int)
  maxSyncIntervalSeconds: number;

  @Field(() => Boolean)
  customInstructionsUpdated: boolean;

  @Field(() => Boolean)
  credentialsUpdated: boolean;
}

@ObjectType()
export class ConnectorDeletion {
  @Field(() => ID)
  connectorId: string;

  @Field(() => Boolean)
  deleted: boolean;
}

@ObjectType()
export class ConnectorPause {
  @Field(() => ID)
  connectorId: string;

  @Field(() => Boolean)
  paused: boolean;

  @Field(() => String, { description: 'When the connector was paused; empty when it is not paused.' })
  pausedAt: string;
}

@ObjectType({ description: 'A sync that has begun; it has not ended.' })
export class ConnectorSync {
  @Field(() => String)
  workflowId: string;

  @Field(() => String, { description: 'The id of the new sync; empty if one was running, which goes on.' })
  runId: string;
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

@ObjectType({ description: 'What keeps a connector from syncing, and what to do about it.' })
export class ConnectorError {
  @Field(() => String)
  message: string;

  @Field(() => String, { description: 'What the user can do about it, in one sentence.' })
  action: string;

  @Field(() => Boolean, { description: 'Whether the sync is tried again without anybody doing anything.' })
  retryable: boolean;

  @Field(() => String)
  detectedAt: string;
}

@ObjectType({ description: 'The progress of the running sync or, between syncs, of the last one.' })
export class ConnectorProgress {
  @Field(() => Int)
  objectsSent: number;

  @Field(() => Int)
  resourcesDone: number;

  @Field(() => Int)
  resourcesTotal: number;
}

@ObjectType({ description: 'How the last reading of a resource went.' })
export class ConnectorResourceHealth {
  @Field(() => String)
  resourceId: string;

  @Field(() => String)
  displayName: string;

  @Field(() => String, { description: 'ok, empty (no objects), failed, checking (not read yet) or unknown.' })
  status: string;

  @Field(() => Float, { description: 'Different objects seen in all syncs; a changed one counts once.' })
  objectsSeen: number;

  @Field(() => String)
  message: string;

  @Field(() => Boolean)
  retryable: boolean;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the failed read; null if there is none.' })
  httpStatus: number | null;

  @Field(() => String)
  checkedAt: string;
}

@ObjectType({ description: 'The sync status of a connector and its resources.' })
export class ConnectorStatus {
  @Field(() => ID)
  connectorId: string;

  @Field(() => String)
  provider: string;

  @Field(() => String, { deprecationReason: 'Always active; read lifecycle.' })
  status: string;

  @Field(() => ConnectorLifecycle)
  lifecycle: ConnectorLifecycle;

  @Field(() => ConnectorSyncStatus)
  syncStatus: ConnectorSyncStatus;

  @Field(() => String)
  lastSuccessfulSyncAt: string;

  @Field(() => String)
  lastAttemptedSyncAt: string;

  @Field(() => String)
  nextSyncAt: string;

  @Field(() => ConnectorError, { nullable: true })
  error: ConnectorError | null;

  @Field(() => ConnectorProgress)
  progress: ConnectorProgress;

  @Field(() => [ConnectorResourceHealth])
  resources: ConnectorResourceHealth[];
}
