import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../lib/json.scalar.js';
import { SourceType } from '../sources/source.types.js';
import type { JsonObject } from '../sources/source.types.js';

export enum ContentMode {
  content = 'content',
  url = 'url',
  both = 'both',
  original = 'original',
}
registerEnumType(ContentMode, {
  name: 'ContentMode',
  description: 'content: the text; url: a link to the original; both; original: its bytes.',
});

/** Arguments that name the item whose content is read. */
@ArgsType()
class ContentArgs {
  @Field(() => String)
  database: string;

  @Field(() => String, { nullable: true, description: 'Default: the default collection.' })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description: 'knowledge or memory; absent: knowledge, else the memory of that id.',
  })
  type?: SourceType | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Principals to answer as; absent or ["*"]: no scoping, [] : a caller without principals.',
  })
  acl?: string[] | null;
}

@ArgsType()
export class SourceContentArgs extends ContentArgs {
  @Field(() => String)
  id: string;

  @Field(() => ContentMode, { nullable: true, description: 'Default content.' })
  mode?: ContentMode | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How long the link is good: 60 to 604800 seconds, default 3600.',
  })
  expirySeconds?: number | null;
}

@ArgsType()
export class ChunksArgs extends ContentArgs {
  @Field(() => String, { nullable: true, description: 'The chunks of this item, in its order.' })
  id?: string | null;

  @Field(() => [String], { nullable: true, description: 'These chunks, at most 1000.' })
  chunkIds?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description: '1 to 1000; default 50, or as many as chunkIds names.',
  })
  limit?: number | null;
}

@ObjectType({ description: 'The content of an item.' })
export class SourceContent {
  @Field(() => ID)
  id: string;

  @Field(() => SourceType, { description: 'knowledge or memory: what was found.' })
  type: 'knowledge' | 'memory';

  @Field(() => String)
  title: string;

  @Field(() => String, {
    nullable: true,
    description:
      'A memory as it was sent; of anything else the text that was indexed, headings where they begin, its parts joined by blank lines. Null in other modes, and until it is searchable.',
  })
  content: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only with mode original: the bytes of the file, or the JSON of a memory or app item.',
  })
  contentBase64: string | null;

  @Field(() => String, { nullable: true, description: 'The statements of its facts, one per line.' })
  inferredContent: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'With mode url or both: where the original is read without a key, until the link expires or the item or its access list changes.',
  })
  presignedUrl: string | null;

  @Field(() => String, { description: 'Of the original.' })
  contentType: string;

  @Field(() => Int, { description: 'Of the original.' })
  sizeBytes: number;

  @Field(() => String)
  message: string;
}

@ObjectType({ description: 'A chunk of an item as it is indexed.', simpleResolvers: true })
export class SourceChunk {
  @Field(() => String)
  chunkUuid: string;

  @Field(() => String, { description: 'The id of its item.' })
  id: string;

  @Field(() => Int, { description: 'Its place in the item, from 0.' })
  position: number;

  @Field(() => String, { description: 'Below the headings that all of it stands under.' })
  chunkContent: string;

  @Field(() => GraphQLJSONObject)
  layout: JsonObject;

  @Field(() => SourceType)
  sourceType: 'knowledge' | 'memory';

  @Field(() => String)
  sourceTitle: string;

  @Field(() => String)
  collection: string;
}

@ObjectType({ description: 'Chunks by item or by id.', simpleResolvers: true })
export class SourceChunkList {
  @Field(() => [SourceChunk])
  chunks: SourceChunk[];

  @Field(() => SourceType, {
    nullable: true,
    description: 'knowledge or memory: what was found; null for chunks of both, or none.',
  })
  type: 'knowledge' | 'memory' | null;

  @Field(() => Boolean, { description: 'There are more than the limit.' })
  isTruncated: boolean;

  @Field(() => [String], { description: 'Of chunkIds those that are not there, or may not be read.' })
  missingChunkIds: string[];

  @Field(() => String)
  message: string;
}
