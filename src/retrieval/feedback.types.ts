import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from '../sources/source.types.js';

export enum FeedbackRating {
  positive = 'positive',
  negative = 'negative',
  neutral = 'neutral',
}
registerEnumType(FeedbackRating, { name: 'FeedbackRating' });

export enum FeedbackSource {
  user = 'user',
  agent = 'agent',
}
registerEnumType(FeedbackSource, {
  name: 'FeedbackSource',
  description: 'Who judges the answer: a person (user) or an agent.',
});

@InputType({ description: 'What the query should have found or answered.' })
export class GroundTruthInput {
  @Field(() => String, { nullable: true, description: 'The right answer, at most 8,000 characters.' })
  answer?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Ids of items that the query should have found; at most 100.',
  })
  sourceIds?: string[] | null;
}

@InputType({
  description: 'A judgement of the answer to a query. At least one of feedback and groundTruth is required.',
})
export class FeedbackInput {
  @Field(() => String, {
    description:
      'Id of the request that asked the query (a UUID): meta.request_id of a REST answer, or queryId of a search.',
  })
  requestId: string;

  @Field(() => String, {
    nullable: true,
    description: 'What was good or bad about the answer, at most 8,000 characters.',
  })
  feedback?: string | null;

  @Field(() => GroundTruthInput, { nullable: true })
  groundTruth?: GroundTruthInput | null;

  @Field(() => FeedbackRating, { nullable: true })
  rating?: FeedbackRating | null;

  @Field(() => FeedbackSource, { nullable: true })
  source?: FeedbackSource | null;

  @Field(() => String, {
    nullable: true,
    description: 'Not needed; when given, it must be the database that was searched.',
  })
  database?: string | null;

  @Field(() => String, { nullable: true })
  collection?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Your own notes on the feedback: at most 20 named strings, with names and values of at most 1024 characters.',
  })
  metadata?: JsonObject | null;
}

@ObjectType()
export class FeedbackPayload {
  @Field(() => String)
  feedbackId: string;

  @Field(() => String)
  requestId: string;

  @Field(() => Boolean)
  recorded: boolean;

  @Field(() => Date)
  createdAt: Date;

  @Field(() => String)
  message: string;
}
