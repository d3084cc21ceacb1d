import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql';
import { PageArgs, connectionOf } from '../lib/page.types.js';
import { SourceType } from '../sources/source.types.js';
import { EntityRef, GraphArgs, Relation, RelationGroup } from './relations.types.js';

// Fields are plain properties that need no resolvers, as in relations.types.ts.
const plain = { simpleResolvers: true } as const;

/**
 * PageArgs for a graph. It repeats the fields of GraphArgs, since
 * type-graphql inherits from one class only.
 */
@ArgsType()
class GraphPageArgs extends PageArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true, description: 'Default: the default collection.' })
  collection?: string | null;

  @Field(() => SourceType, { nullable: true, description: 'knowledge (default) or memory.' })
  type?: SourceType | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Principals to answer as; absent or ["*"]: no scoping, [] : a caller without principals.',
  })
  acl?: string[] | null;
}

@ArgsType()
export class EntitiesArgs extends GraphPageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'How a name or alias begins, or words of one do, or one with a typing error. This or ids is required.',
  })
  name?: string | null;

  @Field(() => [String], { nullable: true, description: 'These entities, at most 100.' })
  ids?: string[] | null;
}

@ArgsType()
export class NeighboursArgs extends GraphPageArgs {
  @Field(() => String)
  entityId: string;
}

@ArgsType()
export class EntityPathsArgs extends GraphArgs {
  @Field(() => String, { description: 'The id of an entity.' })
  from: string;

  @Field(() => String, { description: 'The id of an entity.' })
  to: string;

  @Field(() => Int, { nullable: true, description: 'Relations in a row, 1 to 6 (default 4).' })
  lengthMax?: number | null;

  @Field(() => Int, { nullable: true, description: 'Paths, 1 to 20 (default 5).' })
  pathsMax?: number | null;
}

@ObjectType({ description: 'An entity as the items that name it know it.', ...plain })
export class Entity {
  @Field(() => String)
  id: string;

  @Field(() => String, { description: 'As the newest of them spells it.' })
  name: string;

  @Field(() => String)
  type: string;

  @Field(() => String)
  namespace: string;

  @Field(() => String, { nullable: true })
  identifier: string | null;

  @Field(() => String)
  provider: string;

  @Field(() => [String], { description: 'Other names, at most 20.' })
  aliases: string[];

  @Field(() => Int, { description: 'How many items name it.' })
  sourceCount: number;

  @Field(() => [String], { description: 'The ids of the newest of them, at most 20.' })
  sourceIds: string[];
}

@ObjectType({ description: 'Entities, the best match first.' })
export class EntityConnection extends connectionOf(Entity) {}

@ObjectType({ description: 'An entity that relations connect with another one.', ...plain })
export class Neighbour {
  @Field(() => EntityRef)
  entity: EntityRef;

  @Field(() => Int, { description: 'How many groups of relations connect them.' })
  groupCount: number;

  @Field(() => [RelationGroup], { description: 'The newest of these groups, at most 5.' })
  groups: RelationGroup[];
}

@ObjectType({ description: 'Neighbours of an entity, those with most relations first.' })
export class NeighbourConnection extends connectionOf(Neighbour) {}

@ObjectType({ description: 'One step of a path.', ...plain })
export class PathTriplet {
  @Field(() => EntityRef)
  source: EntityRef;

  @Field(() => Relation)
  relation: Relation;

  @Field(() => EntityRef)
  target: EntityRef;
}

@ObjectType({ description: 'Relations in a row, each in the direction in which it is stated.', ...plain })
export class EntityPath {
  @Field(() => [PathTriplet])
  triplets: PathTriplet[];

  @Field(() => Float, { description: 'The product of the confidence of its relations.' })
  confidence: number;
}

@ObjectType({ description: 'The shortest paths between two entities.', ...plain })
export class EntityPaths {
  @Field(() => [EntityPath])
  paths: EntityPath[];

  @Field(() => Boolean, { description: 'More was connected than is looked at: a path may be missing.' })
  isTruncated: boolean;
}
