import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from '../sources/source.types.js';

export enum FeedbackRating {
  positive = 'positive',
  negative = 'negative',
  neutral = 'neutral',
}
registerEnumType(FeedbackRating, {
  name: 'FeedbackRating',
  description: 'How good an answer was.',
  valuesConfig: {
    positive: { description: 'It helped.' },
    negative: { description: 'It was wrong, or did not help.' },
    neutral: { description: 'Neither.' },
  },
});

export enum FeedbackSource {
  user = 'user',
  agent = 'agent',
}
registerEnumType(FeedbackSource, {
  name: 'FeedbackSource',
  description: 'Who judges the answer.',
  valuesConfig: {
    user: { description: 'A person.' },
    agent: { description: 'A program, such as the agent that asked the query.' },
  },
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

  @Field(() => GroundTruthInput, {
    nullable: true,
    description: 'What the query should have found or answered.',
  })
  groundTruth?: GroundTruthInput | null;

  @Field(() => FeedbackRating, { nullable: true, description: 'Whether the answer was good.' })
  rating?: FeedbackRating | null;

  @Field(() => FeedbackSource, { nullable: true, description: 'Who judges: a person or an agent.' })
  source?: FeedbackSource | null;

  @Field(() => String, {
    nullable: true,
    description: 'Not needed; when given, it must be the database that was searched.',
  })
  database?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The collection that was searched, to be stored with the feedback.',
  })
  collection?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Your own notes on the feedback: at most 20 named strings, with names and values of at most 1024 characters.',
  })
  metadata?: JsonObject | null;
}

@ObjectType({ description: 'Feedback that has been stored.' })
export class FeedbackPayload {
  @Field(() => String, { description: 'Id of the stored feedback.' })
  feedbackId: string;

  @Field(() => String, { description: 'Id of the query that it is about, as it was sent.' })
  requestId: string;

  @Field(() => Boolean, { description: 'Always true: what cannot be stored is refused.' })
  recorded: boolean;

  @Field(() => Date, { description: 'When the feedback was stored.' })
  createdAt: Date;

  @Field(() => String, { description: 'A confirmation, for people to read.' })
  message: string;
}
