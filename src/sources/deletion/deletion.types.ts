import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { SourceType } from '../source.types.js';

@ArgsType()
export class DeleteSourcesArgs {
  @Field(() => String, { description: 'The database to delete from.' })
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description: 'Which kind of content: knowledge (the default) or memory.',
  })
  type?: SourceType | null;

  @Field(() => [String], { description: 'Ids of the items to delete, 1 to 1000.' })
  ids: string[];
}

@ObjectType({ description: 'The result of deleting one item.' })
export class DeletedSource {
  @Field(() => String, { description: 'Id of the item, as it was sent.' })
  id: string;

  @Field(() => Boolean, { description: 'Whether the item was deleted.' })
  deleted: boolean;

  @Field(() => String, { nullable: true, description: 'Why the item was not deleted; null when it was.' })
  error: string | null;
}

@ObjectType({ description: 'The result of a deletion, by id.' })
export class DeleteSourcesResult {
  @Field(() => Boolean, { description: 'Whether every item was deleted.' })
  success: boolean;

  @Field(() => String, {
    description: 'How many of the items were deleted, in a sentence for people to read.',
  })
  message: string;

  @Field(() => [DeletedSource], {
    description: 'One result per requested id, each id once, in the order of the request.',
  })
  results: DeletedSource[];

  @Field(() => Int, { description: 'How many items were deleted.' })
  deletedCount: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether at least one memory was deleted; null when type is knowledge.',
  })
  userMemoryDeleted: boolean | null;
}
