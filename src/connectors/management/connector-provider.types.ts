import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import type { JsonObject } from '../../sources/source.types.js';

export enum ConnectorCategory {
  files = 'files',
  messaging = 'messaging',
  email = 'email',
  code = 'code',
  tickets = 'tickets',
  wiki = 'wiki',
  web = 'web',
}
registerEnumType(ConnectorCategory, {
  name: 'ConnectorCategory',
  description: 'What kind of application a provider reads.',
  valuesConfig: {
    files: { description: 'Files in folders or buckets.' },
    messaging: { description: 'Conversations in channels.' },
    email: { description: 'Mails.' },
    code: { description: 'Repositories: files, issues, pull requests.' },
    tickets: { description: 'Issues of projects or teams.' },
    wiki: { description: 'Pages that people write together.' },
    web: { description: 'Feeds and pages of the Internet.' },
  },
});

@ObjectType({ description: 'An application whose accounts connectors can read.' })
export class ConnectorProviderSummary {
  @Field(() => String, { description: 'The id of the provider, such as google-drive, for createConnector.' })
  provider: string;

  @Field(() => String, { description: 'The name of the application, for people to read.' })
  name: string;

  @Field(() => ConnectorCategory, { description: 'What kind of application it is.' })
  category: `${ConnectorCategory}`;

  @Field(() => [String], {
    description:
      'How its accounts can be authenticated, such as api_token or oauth; the first is the default.',
  })
  authTypes: string[];

  @Field(() => Boolean, { description: 'Whether connectors of this provider can be used on this server.' })
  supported: boolean;

  @Field(() => Boolean, { description: 'Whether the provider reports who may read which item.' })
  supportsAcl: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the provider tells of changes by itself; always false: every provider is asked at intervals.',
  })
  webhookSupport: boolean;

  @Field(() => Int, { description: 'Seconds between syncs when a connector sets no interval.' })
  defaultSyncIntervalSeconds: number;

  @Field(() => Int, { description: 'The shortest interval that a connector may set, in seconds.' })
  minSyncIntervalSeconds: number;

  @Field(() => Int, { description: 'The longest interval that a connector may set, in seconds.' })
  maxSyncIntervalSeconds: number;
}

@ObjectType({ description: 'How to connect to a provider, and what its items look like.' })
export class ConnectorProvider extends ConnectorProviderSummary {
  @Field(() => ConnectorCategory, { description: 'The category of the provider.' })
  connectorType: `${ConnectorCategory}`;

  @Field(() => String, { description: 'The default type of its resources, such as channel.' })
  resourceType: string;

  @Field(() => [String], { description: 'The kinds of objects that become items, such as message or page.' })
  indexedObjectTypes: string[];

  @Field(() => [String], { description: 'The fields of its items whose text can be searched.' })
  searchableFields: string[];

  @Field(() => [String], {
    description:
      'The keys that its items have in additionalMetadata, besides those that every connector sets.',
  })
  filterableFields: string[];

  @Field(() => GraphQLJSONObject, {
    description: 'JSON Schema (2020-12) of the credentials that createConnector takes.',
  })
  credentialSchema: JsonObject;

  @Field(() => GraphQLJSONObject, {
    description:
      'JSON Schema (2020-12) of the filters of a resource, without lookback_days and may_be_empty, which every resource has.',
  })
  filterSchema: JsonObject;

  @Field(() => String, { description: 'How to get credentials, in Markdown.' })
  setupGuide: string;
}

@ObjectType({
  description:
    'Without an id, providers lists all of them and the other fields are null; with an id, providers is null and the other fields describe that one.',
})
export class ConnectorProviderList {
  @Field(() => [ConnectorProviderSummary], {
    nullable: true,
    description: 'All providers, including those that this server does not support.',
  })
  providers: ConnectorProviderSummary[] | null;

  @Field(() => String, { nullable: true, description: 'The id of the provider.' })
  provider: string | null;

  @Field(() => ConnectorCategory, { nullable: true, description: 'The category of the provider.' })
  connectorType: `${ConnectorCategory}` | null;

  @Field(() => [String], {
    nullable: true,
    description: 'The kinds of objects that become items, such as message or page.',
  })
  indexedObjectTypes: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'The fields of its items whose text can be searched.',
  })
  searchableFields: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The keys that its items have in additionalMetadata, besides those that every connector sets.',
  })
  filterableFields: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'JSON Schema (2020-12) of the credentials that createConnector takes.',
  })
  credentialSchema: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'JSON Schema (2020-12) of the filters of a resource, without lookback_days and may_be_empty, which every resource has.',
  })
  filterSchema: JsonObject | null;

  @Field(() => String, { nullable: true, description: 'How to get credentials, in Markdown.' })
  setupGuide: string | null;
}
