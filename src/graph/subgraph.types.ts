import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { GraphArgs, Hydration, RelationGroup } from './relations.types.js';

// Fields are plain properties that need no resolvers, as in relations.types.ts.
const plain = { simpleResolvers: true } as const;

@ArgsType()
export class SubgraphArgs extends GraphArgs {
  @Field(() => String, { description: 'The item to start from.' })
  id: string;

  @Field(() => Int, { nullable: true, description: 'How many hops, 1 to 10 (default 5).' })
  depth?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many items, 1 to 1000 (default 200), the start item among them.',
  })
  maxSources?: number | null;
}

@ObjectType({ description: 'An item of a subgraph.', ...plain })
export class SubgraphMember {
  @Field(() => String)
  sourceId: string;

  @Field(() => String)
  title: string;

  @Field(() => String, { nullable: true })
  appKind: string | null;

  @Field(() => String, { nullable: true })
  appProvider: string | null;

  @Field(() => String, { nullable: true })
  appExternalId: string | null;

  @Field(() => String, { nullable: true })
  threadId: string | null;

  @Field(() => Int, { description: 'Hops from the start item.' })
  depth: number;

  @Field(() => Hydration)
  hydration: Hydration;

  @Field(() => String, { nullable: true, description: 'The member from which it was first reached.' })
  discoveredVia: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What it is to that member: parent or child, else the predicate of a link between them, else same_thread.',
  })
  discoveredRelation: string | null;
}

@ObjectType({ description: 'Items that are connected with one item, the nearest first.', ...plain })
export class Subgraph {
  @Field(() => String)
  seedSourceId: string;

  @Field(() => [SubgraphMember])
  sources: SubgraphMember[];

  @Field(() => [RelationGroup], {
    description: 'Links between members, and to what is not there or may not be read.',
  })
  relations: RelationGroup[];

  @Field(() => [RelationGroup], { description: 'People, comments and attachments of members.' })
  auxiliaryRelations: RelationGroup[];

  @Field(() => Boolean)
  auxiliaryTruncated: boolean;

  @Field(() => Boolean, {
    description:
      'More items can be reached within the depth than were asked for, or more connects them than is shown.',
  })
  isTruncated: boolean;

  @Field(() => Int)
  maxDepthReached: number;

  @Field(() => Boolean)
  success: boolean;

  @Field(() => String)
  message: string;
}
