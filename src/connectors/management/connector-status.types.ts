import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { ConnectorLifecycle, ConnectorSyncStatus } from './connector.types.js';

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
