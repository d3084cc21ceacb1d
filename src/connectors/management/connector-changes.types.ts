import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import type { JsonObject } from '../../sources/source.types.js';

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

@ObjectType({ description: 'The settings of a connector after a change.' })
export class ConnectorUpdate {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => String, { description: 'The label of the connector.' })
  name: string;

  @Field(() => Int, { description: 'Seconds between scheduled syncs.' })
  syncIntervalSeconds: number;

  @Field(() => String, {
    description: 'When the next scheduled sync is due; empty while syncs are stopped until somebody acts.',
  })
  nextSyncAt: string;

  @Field(() => Int, { description: 'The shortest interval that the provider allows, in seconds.' })
  minSyncIntervalSeconds: number;

  @Field(() => Int, { description: 'The longest interval that the provider allows, in seconds.' })
  maxSyncIntervalSeconds: number;

  @Field(() => Boolean, { description: 'Whether custom instructions were sent.' })
  customInstructionsUpdated: boolean;

  @Field(() => Boolean, { description: 'Whether credentials were sent, and accepted by the provider.' })
  credentialsUpdated: boolean;
}

@ObjectType({ description: 'A connector that has been deleted.' })
export class ConnectorDeletion {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted: boolean;
}
