import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PageSizes } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { SourceType } from '../sources/source.types.js';

// Fields are plain properties that need no resolvers, which would take time:
// a page has thousands of fields.
const plain = { simpleResolvers: true } as const;

export enum Hydration {
  resolved = 'resolved',
  stub = 'stub',
}
registerEnumType(Hydration, {
  name: 'Hydration',
  description: 'resolved: the item is there; stub: a link names an item that is not, or may not be read.',
});

@ObjectType({ description: 'An entity, person or item at one end of a relation.', ...plain })
export class EntityRef {
  @Field(() => String)
  name: string;

  @Field(() => String, { description: 'ACTOR for people and accounts, SOURCE for items.' })
  type: string;

  @Field(() => String)
  namespace: string;

  @Field(() => String, { description: 'Of an item its id.' })
  entityId: string;

  @Field(() => String, { nullable: true })
  identifier: string | null;

  @Field(() => String)
  provider: string;

  @Field(() => Hydration, { nullable: true, description: 'Of items alone.' })
  hydration: Hydration | null;
}

@ObjectType({ description: 'What one place says of two entities.', ...plain })
export class Relation {
  @Field(() => String)
  canonicalPredicate: string;

  @Field(() => String)
  rawPredicate: string;

  @Field(() => String, { description: 'Empty for recorded structure.' })
  context: string;

  @Field(() => Float, { description: '0 to 1.' })
  confidence: number;

  @Field(() => String, { nullable: true })
  temporalDetails: string | null;

  @Field(() => Date, { description: 'When the item was written, as it says itself, or sent.' })
  timestamp: Date;

  @Field(() => Float, { description: 'The timestamp as seconds since 1970.' })
  epochSeconds: number;

  @Field(() => String)
  relationshipId: string;

  @Field(() => String, { nullable: true })
  chunkId: string | null;

  @Field(() => String, { nullable: true })
  sourceEntityId: string | null;

  @Field(() => String, { nullable: true })
  targetEntityId: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True for the other side of what is recorded.' })
  synthesized: boolean | null;

  @Field(() => String, { description: 'byog: supplied with the item; extracted; structure: recorded.' })
  origin: string;
}

@ObjectType({ description: 'The relations of two entities, by the chunk that states them.', ...plain })
export class RelationGroup {
  @Field(() => EntityRef)
  source: EntityRef;

  @Field(() => EntityRef)
  target: EntityRef;

  @Field(() => [Relation])
  relations: Relation[];

  @Field(() => String, { nullable: true, description: 'Empty for what the item itself is connected with.' })
  chunkId: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Of auxiliary groups: relations were left out.' })
  truncated: boolean | null;
}

/** Pages of relations have their own bounds. */
export const relationPageSizes: PageSizes = {
  default: LIMITS.relationsGraphqlDefault,
  max: LIMITS.relationsMax,
  rowCost: LIMITS.graphqlRelationGroupCost,
};

const defaultCollection = 'Default: the default collection.';
const answersAs = 'Principals to answer as; absent or ["*"]: no scoping, [] : a caller without principals.';

@ArgsType()
export class GraphArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true, description: defaultCollection })
  collection?: string | null;

  @Field(() => SourceType, { nullable: true, description: 'knowledge (default) or memory.' })
  type?: SourceType | null;

  @Field(() => [String], { nullable: true, description: answersAs })
  acl?: string[] | null;
}

@ArgsType()
export class RelationsArgs extends GraphArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Of this item alone. Without a type the memory of this id counts where there is no source.',
  })
  id?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Groups a page, 1 to 10000, default 500. The cost of an operation bounds them too: 10000 have room for nine fields of each.',
  })
  limit?: number | null;

  @Field(() => Float, { nullable: true, description: 'nextCursor of the page before.' })
  cursor?: number | null;
}

@ObjectType({ description: 'A page of relations, newest first.', ...plain })
export class RelationList {
  @Field(() => [RelationGroup])
  relations: RelationGroup[];

  @Field(() => [RelationGroup], {
    description:
      'People, comments, attachments and links of items: those of the item, or those as new as the page. Not counted by limit.',
  })
  auxiliaryRelations: RelationGroup[];

  @Field(() => Boolean, { description: 'There are more of them than are shown.' })
  auxiliaryTruncated: boolean;

  @Field(() => Boolean)
  isTruncated: boolean;

  @Field(() => Float, { nullable: true, description: 'Where the next page begins; null on the last.' })
  nextCursor: number | null;

  @Field(() => Boolean)
  success: boolean;

  @Field(() => String)
  message: string;

  @Field(() => SourceType)
  sourceType: 'knowledge' | 'memory';
}
