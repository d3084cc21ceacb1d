import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from '../sources/source.types.js';

export enum ConnectorSyncMode {
  rescan = 'rescan',
  new_only = 'new_only',
}
registerEnumType(ConnectorSyncMode, {
  name: 'ConnectorSyncMode',
  description:
    'rescan: edits and deletions are looked for too; new_only: what has been synced stays as it is.',
});

export enum ConnectorResourceStatus {
  active = 'active',
  paused = 'paused',
  completed = 'completed',
  failed = 'failed',
}
registerEnumType(ConnectorResourceStatus, {
  name: 'ConnectorResourceStatus',
  description: 'paused: its connector is; completed: all of it has been synced and nothing will be added.',
});

@InputType({ description: 'A resource that is to be synced, or another configuration of one that is.' })
export class ConnectorResourceInput {
  @Field(() => String, { description: 'As discoverConnectorResources tells it; at most 512 characters.' })
  resourceId: string;

  @Field(() => String, { nullable: true, description: 'Default: as the provider says.' })
  resourceType?: string | null;

  @Field(() => String, { nullable: true, description: "Default: the provider's name of it." })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'In place of that of the connector, which is empty or null. Absent: as before.',
  })
  database?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'In place of that of the connector, which is empty or null. Absent: as before.',
  })
  collection?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "As the provider's filterSchema says, and lookback_days: 1 to 3650. Absent: as before.",
  })
  filters?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Metadata of its items. Merged into what was configured before.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'The same, free-form; at most 512 bytes.' })
  additionalMetadata?: JsonObject | null;

  @Field(() => String, { nullable: true, description: 'At most 4000 characters. Absent: as before.' })
  customInstructions?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Who may read its items; empty or null: nobody; ["*"]: as the provider says, which is the default. Absent: as before.',
  })
  acl?: string[] | null;

  @Field(() => ConnectorSyncMode, { nullable: true, description: 'Default as before, at first rescan.' })
  syncMode?: ConnectorSyncMode | null;
}

@InputType()
export class ConfigureConnectorInput {
  @Field(() => [ConnectorResourceInput], {
    description: '1 to 500; resources that are not listed stay as they are.',
  })
  resources: ConnectorResourceInput[];

  @Field(() => Int, {
    nullable: true,
    description:
      'How old things may be of resources whose filters do not say: 1 to 3650. Default as before, at first 30.',
  })
  lookbackDays?: number | null;
}

@InputType({ description: 'What is sent changes; at least one.' })
export class UpdateConnectorResourceInput {
  @Field(() => String, { nullable: true, description: 'Empty or null: those of the connector.' })
  customInstructions?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Who may read its items; empty or null: nobody; ["*"]: as the provider says.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Replace the ones before.' })
  filters?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Merged; acts on what is synced from now on.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Merged; acts on what is synced from now on.',
  })
  additionalMetadata?: JsonObject | null;
}

@ObjectType({ description: 'A part of an account that is synced: a channel, a folder, a repository.' })
export class ConnectorResource {
  @Field(() => ID)
  connectorId: string;

  @Field(() => String)
  resourceId: string;

  @Field(() => String)
  resourceType: string;

  @Field(() => String)
  displayName: string;

  @Field(() => ConnectorResourceStatus)
  status: ConnectorResourceStatus;

  @Field(() => String, { description: 'Where reading goes on; empty until the first sync is complete.' })
  providerCursor: string;

  @Field(() => String, { description: "Empty: the connector's." })
  databaseOverride: string;

  @Field(() => String, { description: "Empty: the connector's." })
  collectionOverride: string;

  @Field(() => String, { nullable: true, description: "Null: the connector's." })
  customInstructions: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'As the provider described it.' })
  providerMetadata: JsonObject | null;

  @Field(() => GraphQLJSONObject, { description: 'With lookback_days.' })
  filters: JsonObject;

  @Field(() => GraphQLJSONObject)
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject)
  additionalMetadata: JsonObject;

  @Field(() => ConnectorSyncMode)
  syncMode: ConnectorSyncMode;

  @Field(() => String, { description: 'Nothing that was last changed before it is synced.' })
  backfillOldest: string;

  @Field(() => Boolean)
  syncBlocked: boolean;

  @Field(() => [String], { nullable: true, description: 'Null: as the provider says.' })
  acl: string[] | null;
}

@ObjectType()
export class ConnectorResourceUpdate extends ConnectorResource {
  @Field(() => Boolean)
  customInstructionsUpdated: boolean;

  @Field(() => Boolean)
  aclUpdated: boolean;

  @Field(() => Boolean)
  filtersUpdated: boolean;

  @Field(() => Boolean)
  metadataUpdated: boolean;

  @Field(() => Boolean)
  additionalMetadataUpdated: boolean;
}

@ObjectType()
export class ConnectorResourceList {
  @Field(() => [ConnectorResource])
  resources: ConnectorResource[];
}

@ObjectType()
export class ConnectorResourceRemoval {
  @Field(() => ID)
  connectorId: string;

  @Field(() => String)
  resourceId: string;

  @Field(() => Boolean)
  deleted: boolean;
}

@ObjectType()
export class ConnectorConfiguration {
  @Field(() => ID)
  connectorId: string;

  @Field(() => Int, { description: 'Resources that were saved.' })
  configured: number;

  @Field(() => Boolean, { description: 'Whether more than the last 30 days are synced.' })
  backfill: boolean;

  @Field(() => String, {
    description: 'When the first sync is planned: now, unless the connector is paused.',
  })
  firstSyncAt: string;

  @Field(() => String)
  message: string;

  @Field(() => [String])
  warnings: string[];
}

@ObjectType({ description: 'A resource as the provider lists it.' })
export class DiscoveredConnectorResource {
  @Field(() => String)
  id: string;

  @Field(() => String)
  name: string;

  @Field(() => String)
  resourceType: string;

  @Field(() => GraphQLJSONObject)
  metadata: JsonObject;
}

@ObjectType({ description: 'What there is to sync in an account, a page.' })
export class ConnectorDiscovery {
  @Field(() => String)
  provider: string;

  @Field(() => [DiscoveredConnectorResource])
  resources: DiscoveredConnectorResource[];

  @Field(() => String, {
    nullable: true,
    description: 'Send it as cursor for the next page; null at the end.',
  })
  nextCursor: string | null;

  @Field(() => Boolean)
  hasMore: boolean;
}
