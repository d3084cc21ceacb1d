import { Field, ObjectType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { itemDescriptions } from './item-descriptions.js';
import { AppItemKind } from './source.types.js';
import type { AppKind, JsonObject } from './source.types.js';

/** What lists and answers to queries tell of an item. */
@ObjectType({ simpleResolvers: true })
export abstract class ItemSummary {
  @Field(() => String, { description: itemDescriptions.title })
  title: string;

  @Field(() => String, { description: 'The category that was sent with the item, else knowledge or memory.' })
  type: string;

  @Field(() => String, {
    nullable: true,
    description: 'The description that was sent with an app item; null when none was.',
  })
  description: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of an app item in its application; null when none was sent.',
  })
  url: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the item was written; null when its origin does not say so.',
  })
  timestamp: Date | null;

  @Field(() => GraphQLJSONObject, {
    description: 'Metadata of the item: the values of metadata fields, by name.',
  })
  metadata: JsonObject;

  @Field(() => GraphQLJSONObject, { description: 'Free-form values of the item, by name.' })
  additionalMetadata: JsonObject;

  @Field(() => String, { description: 'Name of the collection that the item is in.' })
  collection: string;

  @Field(() => AppItemKind, { nullable: true, description: itemDescriptions.appKind })
  appKind: AppKind | null;

  @Field(() => String, { nullable: true, description: itemDescriptions.appProvider })
  appProvider: string | null;

  @Field(() => String, { nullable: true, description: itemDescriptions.appExternalId })
  appExternalId: string | null;
}
