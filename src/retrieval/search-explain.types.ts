import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What one lane (way of searching) of a search did.' })
export class LaneExplain {
  @Field(() => String, {
    description:
      'Name of the lane: dense (meaning), sparse (words), graph (relations), metadata (values of metadata fields) or app (titles and people of app items).',
  })
  name: string;

  @Field(() => Int, { description: 'How many chunks the lane found.' })
  candidates: number;

  @Field(() => Float, {
    description:
      'How long the lane took, in milliseconds; lanes run at the same time, so their times overlap.',
  })
  milliseconds: number;

  @Field(() => Int, {
    description: 'How many SQL statements the lane ran; searching in memory takes none.',
  })
  statements: number;

  @Field(() => Float, {
    description:
      'Total cost of the statements of the lane as estimated by the query planner of Postgres, in its own unit.',
  })
  planCost: number;
}

@ObjectType({
  description: 'How much each lane counts in the ranking. Lanes that found nothing have no influence.',
})
export class LaneWeights {
  @Field(() => Float, { description: 'Weight of the dense lane (meaning).' })
  dense: number;

  @Field(() => Float, { description: 'Weight of the sparse lane (words).' })
  sparse: number;

  @Field(() => Float, { description: 'Weight of the graph lane (relations).' })
  graph: number;

  @Field(() => Float, { description: 'Weight of the metadata lane (values of metadata fields).' })
  metadata: number;

  @Field(() => Float, { description: 'Weight of the app lane (titles and people of app items).' })
  app: number;

  @Field(() => Float, {
    description:
      'The least that a hit of this lane is worth, as a share of the most that the dense and sparse lanes can give together.',
  })
  around: number;

  @Field(() => Float, {
    description:
      'The least that a hit of this lane is worth, as a share of the most that the dense and sparse lanes can give together.',
  })
  forced: number;
}

@ObjectType({
  description:
    'How the results of the lanes were merged into one ranking, by weighted reciprocal rank fusion.',
})
export class FusionExplain {
  @Field(() => Float, {
    description: 'How much meaning counted against words, from 0 (words alone) to 1 (meaning alone).',
  })
  alpha: number;

  @Field(() => Boolean, {
    description: 'Whether alpha was chosen automatically (alpha "auto") rather than fixed by the request.',
  })
  auto: boolean;

  @Field(() => LaneWeights, { description: 'How much each lane counted.' })
  weights: LaneWeights;
}

@ObjectType({
  description:
    'The score of a chunk in each lane, null for lanes that did not find it. Each lane has a scale of its own, so scores can be compared only within a lane.',
})
export class ChunkScores {
  @Field(() => String, { description: 'Id of the chunk.' })
  chunkUuid: string;

  @Field(() => Float, {
    nullable: true,
    description: 'Inner product of the vectors of the chunk and the query.',
  })
  dense: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'BM25 score of the words; the best chunk of an item is also credited for the other chunks of the item.',
  })
  sparse: number | null;

  @Field(() => Float, { nullable: true, description: 'Score in the graph lane.' })
  graph: number | null;

  @Field(() => Float, { nullable: true, description: 'Score in the metadata lane.' })
  metadata: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Score by title and people of app items that the query names.',
  })
  app: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Score by what surrounds the best app items in their conversations.',
  })
  around: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Score by a relation between two entities that the query names.',
  })
  forced: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Share of the query that the text says in whatever words, from 0 to 1, each word of the query being compared with each of the text. Null for chunks that were not compared: those behind the best, and all where texts hold enough of the words.',
  })
  lateInteraction: number | null;
}

@ObjectType({ description: 'How long one stage of a search took, in milliseconds.' })
export class StageTiming {
  @Field(() => String, {
    description:
      'Name of the stage: total, or a part of it: lanes (searching, including the embedding of the query), chunks (reading what was found), late_interaction (comparing words) or graph_context (reading relations). The times of a repeated stage are added up.',
  })
  stage: string;

  @Field(() => Float, { description: 'How long the stage took.' })
  milliseconds: number;
}

@ObjectType({ description: 'How the answer to a search came about.' })
export class SearchExplain {
  @Field(() => [LaneExplain], { description: 'The lanes that were searched.' })
  lanes: LaneExplain[];

  @Field(() => FusionExplain, {
    nullable: true,
    description: 'How the results of the lanes were merged; null when there was nothing to search.',
  })
  fusion: FusionExplain | null;

  @Field(() => [ChunkScores], {
    description: 'The scores of the chunks of the answer, in the order of the answer.',
  })
  chunks: ChunkScores[];

  @Field(() => [StageTiming], { description: 'How long each stage took.' })
  timings: StageTiming[];

  @Field(() => Int, {
    description:
      'How many times the lanes were searched: more than once when too many of the chunks found may not be shown.',
  })
  looks: number;
}
