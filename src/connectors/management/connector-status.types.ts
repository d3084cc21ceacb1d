import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectorLifecycle, ConnectorSyncStatus } from './connector.types.js';

@ObjectType({ description: 'What keeps a connector from syncing, and what to do about it.' })
export class ConnectorError {
  @Field(() => String, { description: 'What went wrong, for people to read.' })
  message: string;

  @Field(() => String, { description: 'What the user can do about it, in one sentence.' })
  action: string;

  @Field(() => Boolean, { description: 'Whether the sync is tried again without anybody doing anything.' })
  retryable: boolean;

  @Field(() => String, { description: 'When it was noticed.' })
  detectedAt: string;
}

@ObjectType({ description: 'The progress of the running sync or, between syncs, of the last one.' })
export class ConnectorProgress {
  @Field(() => Int, { description: 'How many objects the sync has sent to be indexed.' })
  objectsSent: number;

  @Field(() => Int, { description: 'How many active resources the sync has read to the end.' })
  resourcesDone: number;

  @Field(() => Int, { description: 'How many active resources there are.' })
  resourcesTotal: number;
}

export enum ConnectorResourceHealthStatus {
  ok = 'ok',
  empty = 'empty',
  failed = 'failed',
  checking = 'checking',
  unknown = 'unknown',
}
registerEnumType(ConnectorResourceHealthStatus, {
  name: 'ConnectorResourceHealthStatus',
  description: 'What came of the last reading of a resource.',
  valuesConfig: {
    ok: { description: 'It was read, and has objects.' },
    empty: { description: 'It was read, and no object has been seen in it yet.' },
    failed: { description: 'It could not be read.' },
    checking: { description: 'It has not been read yet.' },
    unknown: { description: 'Nothing is known of it; this server says checking instead.' },
  },
});

@ObjectType({ description: 'How the last reading of a resource went.' })
export class ConnectorResourceHealth {
  @Field(() => String, { description: 'Id of the resource at the provider.' })
  resourceId: string;

  @Field(() => String, { description: 'The name of the resource, for people to read.' })
  displayName: string;

  @Field(() => ConnectorResourceHealthStatus, { description: 'What came of the last reading.' })
  status: `${ConnectorResourceHealthStatus}`;

  @Field(() => Float, { description: 'Different objects seen in all syncs; a changed one counts once.' })
  objectsSeen: number;

  @Field(() => String, { description: 'What went wrong when it was last read; empty when nothing did.' })
  message: string;

  @Field(() => Boolean, {
    description: 'Whether a failed read is tried again without anybody doing anything.',
  })
  retryable: boolean;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the failed read; null if there is none.' })
  httpStatus: number | null;

  @Field(() => String, { description: 'When the resource was last read; empty before the first time.' })
  checkedAt: string;
}

@ObjectType({ description: 'The sync status of a connector and its resources.' })
export class ConnectorStatus {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => String, { description: 'Id of the provider, such as github.' })
  provider: string;

  @Field(() => String, { deprecationReason: 'Always active; read lifecycle.', description: 'Always active.' })
  status: string;

  @Field(() => ConnectorLifecycle, { description: 'What the connector does now, or waits for.' })
  lifecycle: `${ConnectorLifecycle}`;

  @Field(() => ConnectorSyncStatus, {
    description: 'Whether a sync runs now; idle while the connector is paused.',
  })
  syncStatus: `${ConnectorSyncStatus}`;

  @Field(() => String, {
    description: 'When a sync last ended in which not everything failed; empty before the first.',
  })
  lastSuccessfulSyncAt: string;

  @Field(() => String, { description: 'When a sync last began; empty before the first.' })
  lastAttemptedSyncAt: string;

  @Field(() => String, {
    description: 'When the next scheduled sync is due; empty while syncs are stopped until somebody acts.',
  })
  nextSyncAt: string;

  @Field(() => ConnectorError, {
    nullable: true,
    description: 'What keeps the connector from syncing; null when nothing does.',
  })
  error: ConnectorError | null;

  @Field(() => ConnectorProgress, { description: 'How far the sync has come.' })
  progress: ConnectorProgress;

  @Field(() => [ConnectorResourceHealth], {
    description: 'How the last reading of each resource went, in the order in which they were configured.',
  })
  resources: ConnectorResourceHealth[];
}
