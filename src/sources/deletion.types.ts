import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { SourceType } from './source.types.js';

@ArgsType()
export class DeleteSourcesArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true, description: 'Default: the default collection.' })
  collection?: string | null;

  @Field(() => SourceType, { nullable: true, description: 'knowledge (default) or memory.' })
  type?: SourceType | null;

  @Field(() => [String], { description: '1 to 1000 ids.' })
  ids: string[];
}

@ObjectType({ description: 'What became of one id.' })
export class DeletedSource {
  @Field(() => String)
  id: string;

  @Field(() => Boolean)
  deleted: boolean;

  @Field(() => String, { nullable: true, description: 'Why it was not deleted.' })
  error: string | null;
}

@ObjectType({ description: 'What became of each id.' })
export class DeleteSourcesResult {
  @Field(() => Boolean, { description: 'Every id was deleted.' })
  success: boolean;

  @Field(() => String)
  message: string;

  @Field(() => [DeletedSource])
  results: DeletedSource[];

  @Field(() => Int)
  deletedCount: number;

  @Field(() => Boolean, { nullable: true, description: 'Some memory was deleted; null for knowledge.' })
  userMemoryDeleted: boolean | null;
}
