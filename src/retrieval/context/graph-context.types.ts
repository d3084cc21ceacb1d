import { Field, Float, ObjectType } from 'type-graphql';
import { PathTriplet } from '../../graph/entities.types.js';
import { RelationGroup } from '../../graph/relations.types.js';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';

const plain = { simpleResolvers: true } as const;
const groupIdMeaning = 'What chunkIdToGroupIds names; the same for the same relations, whatever is asked.';
const contextMeaning = 'A short plain text, ready for a prompt: what is said, then in which words.';
const chunksMeaning = 'Chunks that state it, by their UUID.';

@ObjectType({
  description: 'One or two relations that lead away from an entity that the query names.',
  ...plain,
})
export class QueryPath {
  @Field(() => [PathTriplet], { description: 'In the order of the path; each as it was said.' })
  triplets: PathTriplet[];

  @Field(() => Float, { description: '0 to 1.' })
  relevancyScore: number;

  @Field(() => String, { description: contextMeaning })
  combinedContext: string;

  @Field(() => String, { description: groupIdMeaning })
  groupId: string;

  @Field(() => [String], { description: chunksMeaning })
  sourceChunkIds: string[];
}

@ObjectType({ description: 'Relations of a chunk that was found, or of its item.', ...plain })
export class ChunkRelationGroup extends RelationGroup {
  @Field(() => Float, { description: '0 to 1: of its best chunk, as far as the relations are sure.' })
  relevancyScore: number;

  @Field(() => String, { description: contextMeaning })
  combinedContext: string;

  @Field(() => String, { description: groupIdMeaning })
  groupId: string;

  @Field(() => [String], { description: 'The chunk, or those found of the item.' })
  sourceChunkIds: string[];
}

@ObjectType({ description: 'Relations around a query and the chunks that it finds.', ...plain })
export class GraphContext {
  @Field(() => [QueryPath], {
    description: 'Paths from the entities that the query names, best first, at most 20.',
  })
  queryPaths: QueryPath[];

  @Field(() => [ChunkRelationGroup], {
    description:
      'What the chunks state and what their items are connected with, most relevant first, without what belongs to chunks far below the first; at most 5 groups a chunk and an item, 60 together.',
  })
  chunkRelations: ChunkRelationGroup[];

  @Field(() => GraphQLJSONObject, {
    description: 'Of every chunk of sourceChunkIds above: the groupIds of the paths and groups that name it.',
  })
  chunkIdToGroupIds: Record<string, string[]>;
}
