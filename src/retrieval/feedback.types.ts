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
registerEnumType(FeedbackSource, { name: 'FeedbackSource', description: 'Who judges the answer.' });

@InputType({ description: 'What the right answer would have been.' })
export class GroundTruthInput {
  @Field(() => String, { nullable: true, description: 'At most 8,000 characters.' })
  answer?: string | null;

  @Field(() => [String], { nullable: true, description: 'Items that should have been found; at most 100.' })
  sourceIds?: string[] | null;
}

@InputType({ description: 'How a query performed: feedback or groundTruth, at least one.' })
export class FeedbackInput {
  @Field(() => String, { description: 'The request id (a UUID) of the query: meta.request_id, queryId.' })
  requestId: string;

  @Field(() => String, { nullable: true, description: 'At most 8,000 characters.' })
  feedback?: string | null;

  @Field(() => GroundTruthInput, { nullable: true })
  groundTruth?: GroundTruthInput | null;

  @Field(() => FeedbackRating, { nullable: true })
  rating?: FeedbackRating | null;

  @Field(() => FeedbackSource, { nullable: true })
  source?: FeedbackSource | null;

  @Field(() => String, { nullable: true, description: 'That of the query, where it is given.' })
  database?: string | null;

  @Field(() => String, { nullable: true })
  collection?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'At most 20 strings by name.' })
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
