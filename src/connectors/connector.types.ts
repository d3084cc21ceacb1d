import { ArgsType, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { PageArgs, connectionOf } from '../lib/page.types.js';
import type { JsonObject } from '../sources/source.types.js';

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
    'pending_setup: no active resource; ingesting: an active resource has not been synced yet; syncing: a sync runs; ' +
    'reconnect: credentials or configuration have to be corrected.',
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
    'failed: it has to be reconnected; checking: a resource has not been read yet; degraded: something failed, or nothing is configured.',
});

export enum ConnectorInclude {
  health = 'health',
}
registerEnumType(ConnectorInclude, { name: 'ConnectorInclude' });

@InputType({ description: 'An account of a provider, and where its data goes.' })
export class CreateConnectorInput {
  @Field(() => String, { description: 'An id of connectorProviders.' })
  provider: string;

  @Field(() => String, { description: 'Receives what is synced.' })
  database: string;

  @Field(() => GraphQLJSONObject, {
    description: 'As the credentialSchema of the provider says; checked with the provider, never returned.',
  })
  credentials: JsonObject;

  @Field(() => String, { nullable: true, description: "A label; default: the provider's name." })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Of resources that name none of their own.' })
  collection?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Tells accounts of one provider apart, so that their objects cannot collide.',
  })
  providerAccountScope?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "One of the provider's authTypes; default: the first.",
  })
  authType?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 4000 characters.' })
  customInstructions?: string | null;

  @Field(() => Int, { nullable: true, description: "0 or absent: the provider's default." })
  syncIntervalSeconds?: number | null;
}

@InputType({ description: 'What is sent changes; at least one.' })
export class UpdateConnectorInput {
  @Field(() => String, { nullable: true, description: "Empty or null: the provider's name." })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Empty or null clears them; acts from the next sync.' })
  customInstructions?: string | null;

  @Field(() => Int, { nullable: true, description: "0 or null: the provider's default." })
  syncIntervalSeconds?: number | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Replace the ones before, all of them; checked with the provider. A blocked connector goes on.',
  })
  credentials?: JsonObject | null;
}

@ObjectType({
  description:
    'Credentials of one account of a provider, and how its data is synced. Times are ISO-8601 texts, empty when there is none.',
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

  @Field(() => Int, { description: 'Between scheduled syncs.' })
  syncIntervalSeconds: number;

  @Field(() => Int)
  activeResourceCount: number;

  @Field(() => Int, { description: 'Active resources before their first successful sync.' })
  resourcesPendingFirstSync: number;

  @Field(() => Float, {
    description: 'Objects sent, ever: updates count again, deletions are not subtracted.',
  })
  documentsDispatched: number;

  @Field(() => String)
  nextSyncAt: string;

  @Field(() => String, {
    description:
      'In the answer of createConnector when the first sync is planned, elsewhere the first one that sent objects.',
  })
  firstSyncAt: string;

  @Field(() => String)
  lastSuccessfulSyncAt: string;

  @Field(() => String)
  lastAttemptedSyncAt: string;

  @Field(() => String, { description: 'Of the last sync; empty when it had none.' })
  lastError: string;

  @Field(() => String, { description: 'Says where it stands; safe to show to users.' })
  message: string;

  @Field(() => Boolean, {
    description: 'The provider rejected the refresh token: somebody has to sign in again.',
  })
  needsReauth: boolean;

  @Field(() => String)
  needsReauthAt: string;

  @Field(() => String)
  needsReauthReason: string;

  @Field(() => Boolean, { description: 'A failure that retrying cannot fix; scheduled syncs have stopped.' })
  syncBlocked: boolean;

  @Field(() => String)
  syncBlockedAt: string;

  @Field(() => String, { description: 'At most 1000 characters.' })
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

  @Field(() => Int, { description: 'Bounds of the provider.' })
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

  @Field(() => String, { description: 'Empty when it is not paused.' })
  pausedAt: string;
}

@ObjectType({ description: 'A sync that has begun; it has not ended.' })
export class ConnectorSync {
  @Field(() => String)
  workflowId: string;

  @Field(() => String, { description: 'Empty when a sync was under way already, which goes on.' })
  runId: string;
}

@ObjectType({ description: 'What the plan of the account allows.' })
export class ConnectorLimit {
  @Field(() => Int)
  count: number;

  @Field(() => Int, { nullable: true, description: 'Null: any number.' })
  limit: number | null;
}

@ObjectType()
export class ConnectorConnection extends connectionOf(Connector) {
  @Field(() => ConnectorLimit)
  connectorLimit: ConnectorLimit;

  @Field(() => GraphQLJSONObject, {
    name: 'health',
    nullable: true,
    description: 'By connector id, when include names it.',
  })
  healthById: JsonObject | null;
}

@ArgsType()
export class ConnectorsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only those of this provider.' })
  provider?: string | null;

  @Field(() => [ConnectorInclude], { nullable: true })
  include?: ConnectorInclude[] | null;
}

@ObjectType({ description: 'Why a connector does not sync as it should.' })
export class ConnectorError {
  @Field(() => String)
  message: string;

  @Field(() => String, { description: 'What to do.' })
  action: string;

  @Field(() => Boolean, { description: 'Whether it is tried again by itself.' })
  retryable: boolean;

  @Field(() => String)
  detectedAt: string;
}

@ObjectType({ description: 'Of the sync under way, or of the last one.' })
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

  @Field(() => String, { description: 'ok, empty, failed, checking (not read yet) or unknown.' })
  status: string;

  @Field(() => Float, { description: 'Ever, in this resource: each once, however often it has changed.' })
  objectsSeen: number;

  @Field(() => String)
  message: string;

  @Field(() => Boolean)
  retryable: boolean;

  @Field(() => Int, { nullable: true, description: 'What the provider answered when it failed.' })
  httpStatus: number | null;

  @Field(() => String)
  checkedAt: string;
}

@ObjectType({ description: 'Where a connector and its resources stand.' })
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
