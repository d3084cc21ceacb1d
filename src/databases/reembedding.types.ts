import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'The progress of re-embedding a database; queries use the earlier vectors until all new ones are there.',
})
export class Reembedding {
  @Field(() => String, { description: 'The embedding model that makes the new vectors.' })
  model: string;

  @Field(() => Int, { description: 'How many chunks have their new vectors.' })
  done: number;

  @Field(() => Int, {
    description:
      'How many chunks there were when re-embedding began, 0 until they are counted; chunks added since then get both vectors.',
  })
  total: number;

  @Field(() => Boolean, {
    description: 'Whether the new vectors are in use; then the earlier ones are being removed.',
  })
  switched: boolean;

  @Field(() => Date, { description: 'When re-embedding began.' })
  startedAt: Date;

  @Field(() => String, { description: 'What re-embedding waits for; empty while it makes progress.' })
  error: string;
}
