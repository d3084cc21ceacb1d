import { Field, InputType } from 'type-graphql';
import { GraphQLJSON, GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from './source.types.js';

/** What may be sent with an item of any kind. */
@InputType()
export abstract class ItemInput {
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Values of metadata fields, by name; at most 16 KiB as compact JSON. If the database has a metadata schema, only the fields that it declares are accepted.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Free-form values, by name, to which no metadata schema applies; at most 1 KiB as compact JSON.',
  })
  additionalMetadata?: JsonObject | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals (users or groups) who may read the item; empty or null: nobody may. When absent, the list of the request applies; without one, an item that is replaced keeps its list, and everyone may read a new one.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Links to other items, which may not exist yet: {ids: [item ids], properties} or [{predicate, target: {id} or {provider, external_id}, properties}]. At most 500; the default predicate is relates_to.',
  })
  relations?: unknown;
}

/** The same for an item that may say where it goes. */
@InputType()
export abstract class PlacedItemInput extends ItemInput {
  @Field(() => String, {
    nullable: true,
    description: 'Not needed; when given, it must be the database of the request.',
  })
  database?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Not needed; when given, it must be the collection of the request.',
  })
  collection?: string | null;
}
