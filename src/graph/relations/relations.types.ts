import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PageSizes } from '../../lib/page.types.js';
import { LIMITS } from '../../limits.js';
import { answersAsDescription } from '../../sources/item-descriptions.js';
import { SourceType } from '../../sources/source.types.js';

// Fields are plain properties that need no resolvers, which would take time:
// a page has thousands of fields.
const plain = { simpleResolvers: true } as const;

export enum Hydration {
  resolved = 'resolved',
  stub = 'stub',
}
registerEnumType(Hydration, {
  name: 'Hydration',
  description: 'Whether the item at one end of a relation can be read.',
  valuesConfig: {
    resolved: { description: 'The item exists and can be read.' },
    stub: { description: 'A link names an item that does not exist or that the caller may not read.' },
  },
});

/** What is told alike of an entity, wherever it is shown. */
export const entityDescriptions = {
  namespace:
    'What else tells the entity from others of its name: actors for people and accounts, sources for items, comments and attachments for those; otherwise what was supplied with the item, usually empty.',
  identifier:
    'An identifier that makes the entity unmistakable, such as an e-mail address, URL or ticket id; for an item, its id in its application. Null when none is known.',
  provider:
    'The application that the person or item comes from, such as slack; empty when it comes from none.',
} as const;

@ObjectType({ description: 'The entity, person or item at one end of a relation.', ...plain })
export class EntityRef {
  @Field(() => String, { description: 'The name of the entity or person, or the title of the item.' })
  name: string;

  @Field(() => String, {
    description:
      'The type of the entity; ACTOR for people and accounts in recorded structure, SOURCE for items.',
  })
  type: string;

  @Field(() => String, {
    description: entityDescriptions.namespace,
  })
  namespace: string;

  @Field(() => String, { description: 'The id of the entity; for an item, the id of the item.' })
  entityId: string;

  @Field(() => String, {
    nullable: true,
    description: entityDescriptions.identifier,
  })
  identifier: string | null;

  @Field(() => String, {
    description: entityDescriptions.provider,
  })
  provider: string;

  @Field(() => Hydration, {
    nullable: true,
    description: 'Whether the item can be read; null for anything but items.',
  })
  hydration: Hydration | null;
}

@ObjectType({ description: 'One statement about two entities.', ...plain })
export class Relation {
  @Field(() => String, {
    description: 'What connects the two, normalised to lower case with underscores, such as works_for.',
  })
  canonicalPredicate: string;

  @Field(() => String, { description: 'The same in the words of the text, or as it was supplied.' })
  rawPredicate: string;

  @Field(() => String, {
    description:
      'The text that states the relation; empty for recorded structure, such as a sender or a thread.',
  })
  context: string;

  @Field(() => Float, { description: 'How certain the relation is, from 0 to 1.' })
  confidence: number;

  @Field(() => String, {
    nullable: true,
    description: 'When the relation holds or held, in the words of the text; null when it does not say.',
  })
  temporalDetails: string | null;

  @Field(() => Date, {
    description:
      'When the item was written or, if the item does not say so, when it was sent to the service.',
  })
  timestamp: Date;

  @Field(() => Float, { description: 'The timestamp as Unix time in seconds.' })
  epochSeconds: number;

  @Field(() => String, {
    description: 'The id of the relation; the same in every answer until the item is ingested again.',
  })
  relationshipId: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The chunkUuid of the chunk that states the relation; empty for recorded structure, null for supplied relations that no single chunk states.',
  })
  chunkId: string | null;

  @Field(() => String, { nullable: true, description: 'The entityId of the source.' })
  sourceEntityId: string | null;

  @Field(() => String, { nullable: true, description: 'The entityId of the target.' })
  targetEntityId: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True if it was derived by reversing a recorded relation (parent_of from child_of); otherwise null.',
  })
  synthesized: boolean | null;

  @Field(() => String, {
    description:
      'Where it comes from: byog (supplied with the item), extracted (found in its text) or structure (recorded: threads, links, people).',
  })
  origin: string;
}

@ObjectType({
  description:
    'The relations between two entities that one chunk states, or that are recorded for an item as a whole.',
  ...plain,
})
export class RelationGroup {
  @Field(() => EntityRef, { description: 'The entity that the relations are stated of.' })
  source: EntityRef;

  @Field(() => EntityRef, { description: 'The entity at the other end.' })
  target: EntityRef;

  @Field(() => [Relation], { description: 'The relations from source to target, at least one.' })
  relations: Relation[];

  @Field(() => String, {
    nullable: true,
    description:
      'The chunk that states the relations; empty if the item as a whole is connected, null for supplied relations that no single chunk states.',
  })
  chunkId: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only in auxiliary groups: whether relations of the group were left out; null in other groups.',
  })
  truncated: boolean | null;
}

/** Pages of relations have their own bounds. */
export const relationPageSizes: PageSizes = {
  default: LIMITS.relationsGraphqlDefault,
  max: LIMITS.relationsMax,
  rowCost: LIMITS.graphqlRelationGroupCost,
};

/** What every read of a graph takes. */
@ArgsType()
export class GraphArgs {
  @Field(() => String, { description: 'The database to read.' })
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description: 'Whether the graph of knowledge (default) or of memories is read.',
  })
  type?: SourceType | null;

  @Field(() => [String], { nullable: true, description: answersAsDescription })
  acl?: string[] | null;
}

@ArgsType()
export class RelationsArgs extends GraphArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Reads the relations of this item alone; without a type, a memory with this id is read if there is no knowledge item.',
  })
  id?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many groups a page has: 1 to 10000, default 500. The cost limit of an operation also applies: 10000 groups fit with nine fields of each.',
  })
  limit?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'The nextCursor of the page before; absent for the first page.',
  })
  cursor?: number | null;
}

@ObjectType({ description: 'A page of relations, newest first.', ...plain })
export class RelationList {
  @Field(() => [RelationGroup], {
    description: 'Relations between entities that texts state or that were supplied with items.',
  })
  relations: RelationGroup[];

  @Field(() => [RelationGroup], {
    description:
      'People, comments, attachments and links: those of the item, or of the period that the page of the collection covers. They do not count against limit.',
  })
  auxiliaryRelations: RelationGroup[];

  @Field(() => Boolean, {
    description: 'Whether there are more auxiliary groups than are shown (at most 1000).',
  })
  auxiliaryTruncated: boolean;

  @Field(() => Boolean, { description: 'Whether more groups follow behind this page.' })
  isTruncated: boolean;

  @Field(() => Float, {
    nullable: true,
    description: 'The cursor to send for the next page; null on the last page.',
  })
  nextCursor: number | null;

  @Field(() => Boolean, {
    description: 'Always true; an id that is unknown or may not be read has no relations.',
  })
  success: boolean;

  @Field(() => String, { description: 'How many groups the page has, for people to read.' })
  message: string;

  @Field(() => SourceType, { description: 'Whether the graph of knowledge or of memories was read.' })
  sourceType: 'knowledge' | 'memory';
}
