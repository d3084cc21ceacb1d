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
  description: 'What a connector does now, or waits for.',
  valuesConfig: {
    pending_setup: { description: 'No resource is active.' },
    ingesting: { description: 'An active resource has not been synced yet.' },
    syncing: { description: 'A sync runs.' },
    active: { description: 'It waits for the next sync.' },
    paused: { description: 'Nothing is synced until it is resumed.' },
    reconnect: { description: 'Nothing is synced until credentials or configuration are corrected.' },
  },
});

export enum ConnectorSyncStatus {
  syncing = 'syncing',
  idle = 'idle',
}
registerEnumType(ConnectorSyncStatus, {
  name: 'ConnectorSyncStatus',
  description: 'Whether a sync runs now.',
  valuesConfig: {
    syncing: { description: 'A sync runs.' },
    idle: { description: 'None does.' },
  },
});

export enum ConnectorHealth {
  healthy = 'healthy',
  degraded = 'degraded',
  failed = 'failed',
  checking = 'checking',
  paused = 'paused',
}
registerEnumType(ConnectorHealth, {
  name: 'ConnectorHealth',
  description: 'Whether the syncs of a connector succeed.',
  valuesConfig: {
    healthy: { description: 'No errors.' },
    degraded: { description: 'A sync or resource failed, or no resource is active.' },
    failed: { description: 'Its credentials or configuration have to be corrected.' },
    checking: { description: 'A resource has not been read yet.' },
    paused: { description: 'It is paused.' },
  },
});

export enum ConnectorInclude {
  health = 'health',
}
registerEnumType(ConnectorInclude, {
  name: 'ConnectorInclude',
  description: 'What a list of connectors can return besides the connectors.',
  valuesConfig: {
    health: { description: 'The health of each.' },
  },
});

@ObjectType({
  description:
    'A connected account of a provider, and how its data is synced. Times are ISO-8601 strings, empty when there is none.',
})
export class Connector {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => String, { description: 'Id of the provider, such as github.' })
  provider: string;

  @Field(() => String, { description: 'The label of the connector.' })
  name: string;

  @Field(() => String, {
    description: 'The database that receives the synced items, unless a resource names another.',
  })
  database: string;

  @Field(() => String, {
    description: 'The collection that receives the synced items, unless a resource names another.',
  })
  collection: string;

  @Field(() => String, {
    description: 'What tells accounts of one provider apart; empty when nothing was given.',
  })
  providerAccountScope: string;

  @Field(() => String, { description: "How the account is authenticated: one of the provider's authTypes." })
  authType: string;

  @Field(() => String, { description: 'What to extract from items; empty when nothing was given.' })
  customInstructions: string;

  @Field(() => ConnectorLifecycle, { description: 'What the connector does now, or waits for.' })
  lifecycle: `${ConnectorLifecycle}`;

  @Field(() => String, { deprecationReason: 'Always active; read lifecycle.', description: 'Always active.' })
  status: string;

  @Field(() => ConnectorSyncStatus, {
    description: 'Whether a sync runs now; idle while the connector is paused.',
  })
  syncStatus: `${ConnectorSyncStatus}`;

  @Field(() => ConnectorHealth, { description: 'Whether its syncs succeed.' })
  health: `${ConnectorHealth}`;

  @Field(() => Int, { description: 'Seconds between scheduled syncs.' })
  syncIntervalSeconds: number;

  @Field(() => Int, {
    description: 'How many resources are synced, completed ones too; with none, lifecycle is pending_setup.',
  })
  activeResourceCount: number;

  @Field(() => Int, { description: 'Active resources that have not completed a successful first sync.' })
  resourcesPendingFirstSync: number;

  @Field(() => Float, {
    description: 'Objects sent in all syncs: updates count again, deletions are not subtracted.',
  })
  documentsDispatched: number;

  @Field(() => String, {
    description: 'When the next scheduled sync is due; empty while syncs are stopped until somebody acts.',
  })
  nextSyncAt: string;

  @Field(() => String, {
    description:
      'In the answer of createConnector, when the first sync is planned; elsewhere, when objects were first sent, empty until then.',
  })
  firstSyncAt: string;

  @Field(() => String, {
    description: 'When a sync last ended in which not everything failed; empty before the first.',
  })
  lastSuccessfulSyncAt: string;

  @Field(() => String, { description: 'When a sync last began; empty before the first.' })
  lastAttemptedSyncAt: string;

  @Field(() => String, { description: 'The error of the last sync; empty when it had none.' })
  lastError: string;

  @Field(() => String, { description: 'The state of the connector in one sentence; safe to show to users.' })
  message: string;

  @Field(() => Boolean, {
    description: 'Whether the provider rejected the OAuth refresh token: somebody must sign in again.',
  })
  needsReauth: boolean;

  @Field(() => String, { description: 'When the provider rejected the refresh token; empty if it did not.' })
  needsReauthAt: string;

  @Field(() => String, {
    description: 'What the provider said then, at most 1000 characters; empty if it did not.',
  })
  needsReauthReason: string;

  @Field(() => Boolean, { description: 'Whether syncs stopped after a failure that retrying cannot fix.' })
  syncBlocked: boolean;

  @Field(() => String, { description: 'When syncs stopped; empty if they did not.' })
  syncBlockedAt: string;

  @Field(() => String, { description: 'Why syncs have stopped, at most 1000 characters; empty if not.' })
  syncBlockedReason: string;

  @Field(() => Boolean, { description: 'Whether the connector is paused.' })
  paused: boolean;

  @Field(() => String, { description: 'When the connector was paused; empty when it is not paused.' })
  pausedAt: string;

  @Field(() => String, { description: 'When the connector was created.' })
  createdAt: string;

  @Field(() => String, { description: 'When its settings or what is known of its syncs last changed.' })
  updatedAt: string;
}

@ObjectType({ description: 'How many connectors the account has, and how many its plan allows.' })
export class ConnectorLimit {
  @Field(() => Int, {
    description: 'How many connectors the account has, as far as the caller may know of them.',
  })
  count: number;

  @Field(() => Int, { nullable: true, description: 'How many connectors the plan allows; null: any number.' })
  limit: number | null;
}

@ObjectType({ description: 'Connectors of the account, oldest first.' })
export class ConnectorConnection extends connectionOf(Connector) {
  @Field(() => ConnectorLimit, { description: 'How many connectors there are, and how many there may be.' })
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

  @Field(() => [ConnectorInclude], {
    nullable: true,
    description: 'What to return besides: health for the health of each connector.',
  })
  include?: ConnectorInclude[] | null;
}
