import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { itemDescriptions } from '../../sources/item-descriptions.js';
import { AppItemKind } from '../../sources/source.types.js';
import type { AppKind } from '../../sources/source.types.js';
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
  @Field(() => String, {
    description: 'Id of the item, with which its content or its own subgraph can be read.',
  })
  sourceId: string;

  @Field(() => String, { description: itemDescriptions.title })
  title: string;

  @Field(() => AppItemKind, { nullable: true, description: itemDescriptions.appKind })
  appKind: AppKind | null;

  @Field(() => String, { nullable: true, description: itemDescriptions.appProvider })
  appProvider: string | null;

  @Field(() => String, { nullable: true, description: itemDescriptions.appExternalId })
  appExternalId: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Id, in its application, of the conversation that the item belongs to; null when it has none.',
  })
  threadId: string | null;

  @Field(() => Int, { description: 'The number of hops from the start item, which has 0.' })
  depth: number;

  @Field(() => Hydration, { description: 'Always resolved: only items that can be read are members.' })
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
  @Field(() => String, { description: 'The id that was asked for.' })
  seedSourceId: string;

  @Field(() => [SubgraphMember], {
    description:
      'The start item and those connected with it, nearest first; empty for an id that is unknown or may not be read.',
  })
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

  @Field(() => Boolean, { description: 'Whether auxiliary relations were left out.' })
  auxiliaryTruncated: boolean;

  @Field(() => Boolean, {
    description:
      'Whether more items can be reached within the depth than maxSources allows, or more relations connect them than are shown.',
  })
  isTruncated: boolean;

  @Field(() => Int, { description: 'The depth of the farthest returned item; 0 when nothing is connected.' })
  maxDepthReached: number;

  @Field(() => Boolean, { description: 'Always true, also when no item was found.' })
  success: boolean;

  @Field(() => String, { description: 'How many items are connected, for people to read.' })
  message: string;
}
