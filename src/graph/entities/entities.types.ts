import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../../lib/page.types.js';
import {
  EntityRef,
  GraphArgs,
  Relation,
  RelationGroup,
  entityDescriptions,
} from '../relations/relations.types.js';

// Fields are plain properties that need no resolvers, as in relations.types.ts.
const plain = { simpleResolvers: true } as const;

@ArgsType()
export class EntitiesArgs extends GraphArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Finds entities whose name or alias begins with this text, has words that begin with its words, or is one typing error away. This or ids is required.',
  })
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Ids of entities to find, at most 100; with a name, both must match.',
  })
  ids?: string[] | null;
}

@ArgsType()
export class NeighboursArgs extends GraphArgs {
  @Field(() => String, { description: 'The id of the entity whose neighbours to list.' })
  entityId: string;
}

@ArgsType()
export class EntityPathsArgs extends GraphArgs {
  @Field(() => String, { description: 'The id of an entity.' })
  from: string;

  @Field(() => String, { description: 'The id of an entity.' })
  to: string;

  @Field(() => Int, {
    nullable: true,
    description: 'How many relations a path has at most: 1 to 6, default 4.',
  })
  lengthMax?: number | null;

  @Field(() => Int, { nullable: true, description: 'How many paths to return at most: 1 to 20, default 5.' })
  pathsMax?: number | null;
}

@ObjectType({ description: 'An entity, and what the items that name it say about it.', ...plain })
export class Entity {
  @Field(() => String, {
    description: 'The id of the entity within its collection, as entityId in relations.',
  })
  id: string;

  @Field(() => String, {
    description: 'The name of the entity, as the newest item spells it that gives it its most common type.',
  })
  name: string;

  @Field(() => String, {
    description:
      'The type that most items give the entity, such as PERSON or ORGANIZATION; ACTOR for people and accounts in recorded structure.',
  })
  type: string;

  @Field(() => String, {
    description: entityDescriptions.namespace,
  })
  namespace: string;

  @Field(() => String, {
    nullable: true,
    description: entityDescriptions.identifier,
  })
  identifier: string | null;

  @Field(() => String, {
    description: entityDescriptions.provider,
  })
  provider: string;

  @Field(() => [String], {
    description:
      'Other names of the entity, at most 20; more for a company that is joined from several names.',
  })
  aliases: string[];

  @Field(() => Int, { description: 'How many items name the entity.' })
  sourceCount: number;

  @Field(() => [String], { description: 'The ids of the newest items that name the entity, at most 20.' })
  sourceIds: string[];
}

@ObjectType({ description: 'A page of entities, best match first.' })
export class EntityConnection extends connectionOf(Entity) {}

@ObjectType({ description: 'An entity that relations connect with a given one.', ...plain })
export class Neighbour {
  @Field(() => EntityRef, { description: 'The other entity.' })
  entity: EntityRef;

  @Field(() => Int, { description: 'How many groups of relations connect the two entities.' })
  groupCount: number;

  @Field(() => [RelationGroup], {
    description: 'The newest groups of relations between the two entities, at most 5.',
  })
  groups: RelationGroup[];
}

@ObjectType({
  description: 'A page of the neighbours of an entity, those with the most groups of relations first.',
})
export class NeighbourConnection extends connectionOf(Neighbour) {}

@ObjectType({
  description: 'One step of a path: two entities and one of the newest relations between them.',
  ...plain,
})
export class PathTriplet {
  @Field(() => EntityRef, { description: 'Whom or what the relation is stated of.' })
  source: EntityRef;

  @Field(() => Relation, { description: 'What is stated.' })
  relation: Relation;

  @Field(() => EntityRef, { description: 'The other entity of the relation.' })
  target: EntityRef;
}

@ObjectType({
  description:
    'A path between two entities: relations in a row, each in the direction in which it is stated.',
  ...plain,
})
export class EntityPath {
  @Field(() => [PathTriplet], { description: 'The steps from the first entity to the last.' })
  triplets: PathTriplet[];

  @Field(() => Float, { description: 'The confidence of all relations of the path multiplied, from 0 to 1.' })
  confidence: number;
}

@ObjectType({ description: 'The shortest paths between two entities.', ...plain })
export class EntityPaths {
  @Field(() => [EntityPath], { description: 'The paths found, shortest first; empty when there is none.' })
  paths: EntityPath[];

  @Field(() => Boolean, {
    description:
      'Whether the search was stopped because too many entities are connected, so that a path may be missing.',
  })
  isTruncated: boolean;
}
