import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { GraphArgs, Hydration, RelationGroup } from '../relations/relations.types.js';

// Fields are plain properties that need no resolvers, as in relations.types.ts.
const plain = { simpleResolvers: true } as const;

@ArgsType()
export class SubgraphArgs extends GraphArgs {
  @Field(() => String, { description: 'The id of the item to start from.' })
  id: string;

  @Field(() => Int, {
    nullable: true,
    description: 'How many hops away from the start item to go: 1 to 10, default 5.',
  })
  depth?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many items to return at most, including the start item: 1 to 1000, default 200.',
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

  @Field(() => Int, { description: 'The number of hops from the start item, which has 0.' })
  depth: number;

  @Field(() => Hydration)
  hydration: Hydration;

  @Field(() => String, {
    nullable: true,
    description: 'The id of the item from which this one was first reached; null for the start item.',
  })
  discoveredVia: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'How it is related to the item of discoveredVia: parent, child, the predicate of a link between them, or else same_thread; null for the start item.',
  })
  discoveredRelation: string | null;
}

@ObjectType({ description: 'The items connected with one item, nearest first.', ...plain })
export class Subgraph {
  @Field(() => String)
  seedSourceId: string;

  @Field(() => [SubgraphMember])
  sources: SubgraphMember[];

  @Field(() => [RelationGroup], {
    description:
      'The links between the returned items, and their links to items that do not exist or that the caller may not read.',
  })
  relations: RelationGroup[];

  @Field(() => [RelationGroup], {
    description: 'The people, comments and attachments of the returned items.',
  })
  auxiliaryRelations: RelationGroup[];

  @Field(() => Boolean)
  auxiliaryTruncated: boolean;

  @Field(() => Boolean, {
    description:
      'Whether more items can be reached within the depth than maxSources allows, or more relations connect them than are shown.',
  })
  isTruncated: boolean;

  @Field(() => Int)
  maxDepthReached: number;

  @Field(() => Boolean)
  success: boolean;

  @Field(() => String)
  message: string;
}
