import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What one lane of a search did.' })
export class LaneExplain {
  @Field(() => String, { description: 'dense, sparse, graph, metadata or app.' })
  name: string;

  @Field(() => Int, { description: 'How many chunks it found.' })
  candidates: number;

  @Field(() => Float, { description: 'From its beginning to its end; lanes run side by side.' })
  milliseconds: number;

  @Field(() => Int, {
    description: 'How many SQL statements it ran; what is in memory is searched without any.',
  })
  statements: number;

  @Field(() => Float, {
    description:
      "What the planner of Postgres expects its statements to cost together, in the planner's unit.",
  })
  planCost: number;
}

@ObjectType({
  description: 'How much each lane counts; lanes that found nothing leave the order to the others.',
})
export class LaneWeights {
  @Field(() => Float)
  dense: number;

  @Field(() => Float)
  sparse: number;

  @Field(() => Float)
  graph: number;

  @Field(() => Float)
  metadata: number;

  @Field(() => Float)
  app: number;

  @Field(() => Float, {
    description: 'What a hit of this lane is worth at least, as a share of what the others can give.',
  })
  around: number;

  @Field(() => Float, {
    description: 'What a hit of this lane is worth at least, as a share of what the others can give.',
  })
  forced: number;
}

@ObjectType({ description: 'How the lanes were fused: by weighted reciprocal rank.' })
export class FusionExplain {
  @Field(() => Float, { description: 'The weight of meaning against words that was used.' })
  alpha: number;

  @Field(() => Boolean, { description: 'Whether the look of the query decided it (alpha "auto").' })
  auto: boolean;

  @Field(() => LaneWeights)
  weights: LaneWeights;
}

@ObjectType({
  description:
    "A chunk's score in each lane that found it: of a lane's own scale, comparable within the lane.",
})
export class ChunkScores {
  @Field(() => String)
  chunkUuid: string;

  @Field(() => Float, {
    nullable: true,
    description: 'The inner product of its vector and that of the query.',
  })
  dense: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'BM25; the best chunk of an item is credited with its others.',
  })
  sparse: number | null;

  @Field(() => Float, { nullable: true })
  graph: number | null;

  @Field(() => Float, { nullable: true })
  metadata: number | null;

  @Field(() => Float, { nullable: true })
  app: number | null;

  @Field(() => Float, { nullable: true })
  around: number | null;

  @Field(() => Float, { nullable: true })
  forced: number | null;
}

@ObjectType({ description: 'How long a stage of a search took.' })
export class StageTiming {
  @Field(() => String, {
    description:
      'total, or a part of it: lanes (with embedding), chunks, graph_context; repeated ones are added up.',
  })
  stage: string;

  @Field(() => Float)
  milliseconds: number;
}

@ObjectType({ description: 'How an answer came about.' })
export class SearchExplain {
  @Field(() => [LaneExplain], { description: 'The lanes that were run.' })
  lanes: LaneExplain[];

  @Field(() => FusionExplain, { nullable: true, description: 'Null when there was nothing to search in.' })
  fusion: FusionExplain | null;

  @Field(() => [ChunkScores], { description: 'The chunks of the answer, in its order.' })
  chunks: ChunkScores[];

  @Field(() => [StageTiming])
  timings: StageTiming[];

  @Field(() => Int, {
    description: 'How often the lanes were asked: again when too much of what they found may not be shown.',
  })
  looks: number;
}
