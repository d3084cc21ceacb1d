import { Field, Int, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from '../sources/source.types.js';

@ObjectType({ description: 'An application whose accounts connectors can read.' })
export class ConnectorProviderSummary {
  @Field(() => String, { description: 'Its id.' })
  provider: string;

  @Field(() => String)
  name: string;

  @Field(() => String)
  category: string;

  @Field(() => [String], { description: 'The first is the default.' })
  authTypes: string[];

  @Field(() => Boolean, { description: 'Whether this server allows it.' })
  supported: boolean;

  @Field(() => Boolean, { description: 'Whether it tells who may read what.' })
  supportsAcl: boolean;

  @Field(() => Boolean)
  webhookSupport: boolean;

  @Field(() => Int)
  defaultSyncIntervalSeconds: number;

  @Field(() => Int)
  minSyncIntervalSeconds: number;

  @Field(() => Int)
  maxSyncIntervalSeconds: number;
}

@ObjectType({ description: 'How to connect to a provider, and what comes of it.' })
export class ConnectorProvider extends ConnectorProviderSummary {
  @Field(() => String, { description: 'Its category.' })
  connectorType: string;

  @Field(() => String, { description: 'What its resources are.' })
  resourceType: string;

  @Field(() => [String], { description: 'What becomes items.' })
  indexedObjectTypes: string[];

  @Field(() => [String], { description: 'Fields of its items whose text is searched.' })
  searchableFields: string[];

  @Field(() => [String], { description: 'Keys of additionalMetadata that its items carry.' })
  filterableFields: string[];

  @Field(() => GraphQLJSONObject, { description: 'JSON Schema 2020-12 of credentials.' })
  credentialSchema: JsonObject;

  @Field(() => GraphQLJSONObject, {
    description: 'JSON Schema 2020-12 of the filters of a resource, beside lookback_days.',
  })
  filterSchema: JsonObject;

  @Field(() => String, { description: 'How to get credentials, in Markdown.' })
  setupGuide: string;
}

@ObjectType({
  description: 'All providers; with an id in place of them the details of that one, as REST answers.',
})
export class ConnectorProviderList {
  @Field(() => [ConnectorProviderSummary], { nullable: true })
  providers: ConnectorProviderSummary[] | null;

  @Field(() => String, { nullable: true })
  provider: string | null;

  @Field(() => String, { nullable: true })
  connectorType: string | null;

  @Field(() => [String], { nullable: true })
  indexedObjectTypes: string[] | null;

  @Field(() => [String], { nullable: true })
  searchableFields: string[] | null;

  @Field(() => [String], { nullable: true })
  filterableFields: string[] | null;

  @Field(() => GraphQLJSONObject, { nullable: true })
  credentialSchema: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true })
  filterSchema: JsonObject | null;

  @Field(() => String, { nullable: true })
  setupGuide: string | null;
}
