import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import type { JsonObject } from '../../sources/source.types.js';

export enum ConnectorSyncMode {
  rescan = 'rescan',
  new_only = 'new_only',
}
registerEnumType(ConnectorSyncMode, {
  name: 'ConnectorSyncMode',
  description: 'Whether changes at the provider are applied to items that have been synced.',
  valuesConfig: {
    rescan: { description: 'Edits and deletions at the provider are applied too.' },
    new_only: { description: 'Items that have been synced stay as they are.' },
  },
});

export enum ConnectorResourceStatus {
  active = 'active',
  paused = 'paused',
  completed = 'completed',
  failed = 'failed',
}
registerEnumType(ConnectorResourceStatus, {
  name: 'ConnectorResourceStatus',
  description: 'Whether a resource is synced.',
  valuesConfig: {
    active: { description: 'It is synced.' },
    paused: { description: 'Its connector is paused.' },
    completed: {
      description:
        'It is archived at its provider, and all of it has been synced. It is still looked at, and active again once it is opened again.',
    },
    failed: {
      description: 'Reading it failed, and is not retried until credentials or configuration change.',
    },
  },
});

@InputType({ description: 'A resource to sync, or new settings for one that is configured already.' })
export class ConnectorResourceInput {
  @Field(() => String, {
    description: 'The id that discoverConnectorResources returns; at most 512 characters.',
  })
  resourceId: string;

  @Field(() => String, {
    nullable: true,
    description: 'The type of the resource, such as channel; default: the type that the provider reports.',
  })
  resourceType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name to show; default: the name that the provider reports.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The database for its items; empty or null: that of the connector. Absent: as before.',
  })
  database?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The collection for its items; empty or null: that of the connector. Absent: as before.',
  })
  collection?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      "Filters that fit the provider's filterSchema; lookback_days, the number of days to read back (1 to 3650); and may_be_empty: true, when its items are to be deleted although it shows nothing any more, or less than half of many, which otherwise is taken for an outage for three days. Absent: as before.",
  })
  filters?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Metadata that its items get; merged into the metadata configured before.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Free-form additional metadata that its items get, at most 512 bytes; merged into what was configured before.',
  })
  additionalMetadata?: JsonObject | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What to extract from its items, at most 4000 characters. Empty or null: the instructions of the connector. Absent: as before.',
  })
  customInstructions?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The principals that may read its items; empty or null: nobody; ["*"] (the default): whoever the provider reports. Absent: as before.',
  })
  acl?: string[] | null;

  @Field(() => ConnectorSyncMode, {
    nullable: true,
    description: 'Whether edits and deletions are applied; default as before, for a new resource rescan.',
  })
  syncMode?: ConnectorSyncMode | null;
}

@InputType({ description: 'Resources to sync, and how far back to read them.' })
export class ConfigureConnectorInput {
  @Field(() => [ConnectorResourceInput], {
    description: 'The resources to save, 1 to 500; those that are not listed stay as they are.',
  })
  resources: ConnectorResourceInput[];

  @Field(() => Int, {
    nullable: true,
    description:
      'How many days back resources are read whose filters do not say: 1 to 3650; default as before, for new resources 30.',
  })
  lookbackDays?: number | null;
}

@InputType({ description: 'The settings to change, at least one; absent fields stay as they are.' })
export class UpdateConnectorResourceInput {
  @Field(() => String, {
    nullable: true,
    description:
      'What to extract from its items, at most 4000 characters; empty or null: the instructions of the connector.',
  })
  customInstructions?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The principals that may read its items; empty or null: nobody; ["*"]: whoever the provider reports.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Filters that replace all earlier ones, except that without lookback_days the number of days stays.',
  })
  filters?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Metadata that its items get, merged into the earlier metadata; applies to items synced from now on.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Free-form additional metadata that its items get, at most 512 bytes; merged and applied as metadata is.',
  })
  additionalMetadata?: JsonObject | null;
}

@ObjectType({
  description: 'A part of a connected account that is synced, such as a channel, a folder or a repository.',
})
export class ConnectorResource {
  @Field(() => ID, { description: 'Id of the connector that syncs it.' })
  connectorId: string;

  @Field(() => String, { description: 'Id of the resource at the provider, such as owner/repository.' })
  resourceId: string;

  @Field(() => String, { description: 'The type of the resource, such as channel, folder or repository.' })
  resourceType: string;

  @Field(() => String, { description: 'The name of the resource, for people to read.' })
  displayName: string;

  @Field(() => ConnectorResourceStatus, { description: 'Whether the resource is synced.' })
  status: `${ConnectorResourceStatus}`;

  @Field(() => String, {
    description:
      'The saved position from which the next sync reads on; empty until the first sync has completed.',
  })
  providerCursor: string;

  @Field(() => String, { description: 'The database for its items; empty: that of the connector.' })
  databaseOverride: string;

  @Field(() => String, { description: 'The collection for its items; empty: that of the connector.' })
  collectionOverride: string;

  @Field(() => String, {
    nullable: true,
    description: 'The instructions of this resource alone; null: those of the connector.',
  })
  customInstructions: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What the provider reported about the resource when it was configured.',
  })
  providerMetadata: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    description: 'The filters of the provider, and lookback_days, the number of days to read back.',
  })
  filters: JsonObject;

  @Field(() => GraphQLJSONObject, {
    description: 'Metadata that its items get, besides what the connector sets.',
  })
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject, {
    description: 'Free-form additional metadata that its items get, besides what the connector sets.',
  })
  additionalMetadata: JsonObject;

  @Field(() => ConnectorSyncMode, { description: 'Whether edits and deletions at the provider are applied.' })
  syncMode: `${ConnectorSyncMode}`;

  @Field(() => String, {
    description: 'Objects that were last changed before this time (ISO-8601) are not synced.',
  })
  backfillOldest: string;

  @Field(() => Boolean, {
    description: 'Whether the resource is no longer read after a failure that retrying cannot fix.',
  })
  syncBlocked: boolean;

  @Field(() => [String], {
    nullable: true,
    description: 'The principals that may read its items; empty: nobody; null: whoever the provider reports.',
  })
  acl: string[] | null;
}

@ObjectType({ description: 'A resource after a change, and what was sent to change it.' })
export class ConnectorResourceUpdate extends ConnectorResource {
  @Field(() => Boolean, { description: 'Whether custom instructions were sent.' })
  customInstructionsUpdated: boolean;

  @Field(() => Boolean, { description: 'Whether an access list was sent.' })
  aclUpdated: boolean;

  @Field(() => Boolean, { description: 'Whether filters were sent.' })
  filtersUpdated: boolean;

  @Field(() => Boolean, { description: 'Whether metadata was sent.' })
  metadataUpdated: boolean;

  @Field(() => Boolean, { description: 'Whether additional metadata was sent.' })
  additionalMetadataUpdated: boolean;
}

@ObjectType({ description: 'The resources of a connector.' })
export class ConnectorResourceList {
  @Field(() => [ConnectorResource], {
    description: 'The configured resources, in the order in which they were configured.',
  })
  resources: ConnectorResource[];
}

@ObjectType({ description: 'A resource that is no longer synced.' })
export class ConnectorResourceRemoval {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => String, { description: 'Id of the resource at the provider.' })
  resourceId: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted: boolean;
}

@ObjectType({ description: 'What has been configured, and when it is synced.' })
export class ConnectorConfiguration {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => Int, { description: 'How many resources were saved.' })
  configured: number;

  @Field(() => Boolean, { description: 'Whether a saved resource is read more than 30 days back.' })
  backfill: boolean;

  @Field(() => String, {
    description:
      'When the saved resources are first synced: now, or the next planned sync if the connector is paused or the account has used up its syncs of the day.',
  })
  firstSyncAt: string;

  @Field(() => String, { description: 'What happens next, for people to read.' })
  message: string;

  @Field(() => [String], {
    description: 'Why the sync does not begin at once, for people to read; empty when it does.',
  })
  warnings: string[];
}

@ObjectType({ description: 'A resource that the provider offers to sync.' })
export class DiscoveredConnectorResource {
  @Field(() => String, { description: 'Id of the resource, to be sent as resourceId.' })
  id: string;

  @Field(() => String, { description: 'The name of the resource, for people to read.' })
  name: string;

  @Field(() => String, { description: 'The type of the resource, such as channel, folder or repository.' })
  resourceType: string;

  @Field(() => GraphQLJSONObject, {
    description:
      'What else the provider tells about the resource; the keys differ from provider to provider.',
  })
  metadata: JsonObject;
}

@ObjectType({ description: 'A page of the resources of an account that can be synced.' })
export class ConnectorDiscovery {
  @Field(() => String, { description: 'Id of the provider, such as github.' })
  provider: string;

  @Field(() => [DiscoveredConnectorResource], {
    description: 'The resources that can be synced, configured or not.',
  })
  resources: DiscoveredConnectorResource[];

  @Field(() => String, {
    nullable: true,
    description: 'The cursor to send for the next page; null on the last page.',
  })
  nextCursor: string | null;

  @Field(() => Boolean, { description: 'Whether the provider has more resources behind this page.' })
  hasMore: boolean;
}
