import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'A database that is being embedded anew: queries are answered by its earlier vectors until all new ones are there.',
})
export class Reembedding {
  @Field(() => String, { description: 'The model that it is brought over to.' })
  model: string;

  @Field(() => Int, { description: 'Chunks that have their new vectors.' })
  done: number;

  @Field(() => Int, { description: 'Chunks that there were when it began; new ones get both vectors.' })
  total: number;

  @Field(() => Boolean, { description: 'The new vectors are in use; the earlier ones are being removed.' })
  switched: boolean;

  @Field(() => Date)
  startedAt: Date;

  @Field(() => String, { description: 'What it waits for; empty while it goes on.' })
  error: string;
}
