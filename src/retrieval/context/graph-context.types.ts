import { Field, Float, ObjectType } from 'type-graphql';
import { PathTriplet } from '../../graph/entities/entities.types.js';
import { RelationGroup } from '../../graph/relations/relations.types.js';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';

const plain = { simpleResolvers: true } as const;
const groupIdMeaning =
  'Id of this path or group, used in chunkIdToGroupIds; the same relations have the same id in every answer.';
const contextMeaning =
  'A short plain text about the relations, ready for a prompt: what they state, then the words in which it was said.';
const chunksMeaning = 'The chunkUuid of chunks that state the path, at most 10.';

@ObjectType({
  description: 'A path of one or two relations that starts at an entity named in the query.',
  ...plain,
})
export class QueryPath {
  @Field(() => [PathTriplet], {
    description: 'The relations in the order of the path, each in the direction in which it was stated.',
  })
  triplets: PathTriplet[];

  @Field(() => Float, { description: 'How relevant the path is to the query, 0 to 1.' })
  relevancyScore: number;

  @Field(() => String, { description: contextMeaning })
  combinedContext: string;

  @Field(() => String, { description: groupIdMeaning })
  groupId: string;

  @Field(() => [String], { description: chunksMeaning })
  sourceChunkIds: string[];
}

@ObjectType({
  description: 'Relations between two entities that a found chunk states, or that its item has.',
  ...plain,
})
export class ChunkRelationGroup extends RelationGroup {
  @Field(() => [PathTriplet], {
    description: 'The same relations, each with its ends, as the paths have them.',
  })
  triplets: PathTriplet[];

  @Field(() => Float, {
    description:
      'Relevance, 0 to 1: the relevancyScore of its best chunk, multiplied by the confidence of its surest relation; less, down to half, the less of the query its relations say beside those that say most of it.',
  })
  relevancyScore: number;

  @Field(() => String, { description: contextMeaning })
  combinedContext: string;

  @Field(() => String, { description: groupIdMeaning })
  groupId: string;

  @Field(() => [String], {
    description:
      'The chunkUuid of the chunks that state the relations, the best first, or, for relations of an item, of all its chunks that were found.',
  })
  sourceChunkIds: string[];
}

@ObjectType({ description: 'Relations around the query and the chunks that were found.', ...plain })
export class GraphContext {
  @Field(() => [QueryPath], {
    description: 'Paths that start at entities named in the query, best first, at most 20.',
  })
  queryPaths: QueryPath[];

  @Field(() => [ChunkRelationGroup], {
    description:
      'Relations that the found chunks state or that their items have, most relevant first, each once. At most 5 groups per chunk and per item and 60 in all; chunks that score far below the first one are left out.',
  })
  chunkRelations: ChunkRelationGroup[];

  @Field(() => GraphQLJSONObject, {
    description:
      'For every chunk named in a sourceChunkIds: the groupId of each path and group that names it.',
  })
  chunkIdToGroupIds: Record<string, string[]>;
}
