import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { answersAsDescription } from '../../sources/item-descriptions.js';
import { SourceType } from '../../sources/source.types.js';
import type { JsonObject } from '../../sources/source.types.js';

export enum ContentMode {
  content = 'content',
  url = 'url',
  both = 'both',
  original = 'original',
}
registerEnumType(ContentMode, {
  name: 'ContentMode',
  description: 'What to return of an item.',
  valuesConfig: {
    content: { description: 'Its text.' },
    url: { description: 'A link to the original.' },
    both: { description: 'Text and link.' },
    original: { description: 'The bytes of the original.' },
  },
});

/** Arguments that name the item whose content is read. */
@ArgsType()
class ContentArgs {
  @Field(() => String, { description: 'The database to read.' })
  database: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => SourceType, {
    nullable: true,
    description:
      'Where to look: knowledge or memory. When absent, knowledge is searched first, then memories.',
  })
  type?: SourceType | null;

  @Field(() => [String], {
    nullable: true,
    description: answersAsDescription,
  })
  acl?: string[] | null;
}

@ArgsType()
export class SourceContentArgs extends ContentArgs {
  @Field(() => String, { description: 'Id of the item to read.' })
  id: string;

  @Field(() => ContentMode, { nullable: true, description: 'What to return; content is the default.' })
  mode?: ContentMode | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many seconds the link works, 60 to 604800 (a week); default 3600.',
  })
  expirySeconds?: number | null;
}

@ArgsType()
export class ChunksArgs extends ContentArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Id of the item whose chunks to return, in the order of its text. This or chunkIds is required.',
  })
  id?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Ids of the chunks to return, 1 to 1000. This or id is required.',
  })
  chunkIds?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many chunks to return at most, 1 to 1000; default 50, or the number of chunkIds.',
  })
  limit?: number | null;
}

@ObjectType({ description: 'The content of an item.' })
export class SourceContent {
  @Field(() => ID, { description: 'Id of the item.' })
  id: string;

  @Field(() => SourceType, { description: 'Whether the item is knowledge or a memory.' })
  type: 'knowledge' | 'memory';

  @Field(() => String, { description: 'Title of the item.' })
  title: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Text of the item: a memory as it was sent; otherwise the indexed text, with headings in place and its parts separated by blank lines. Null unless mode is content or both, and for anything but a memory until it is searchable.',
  })
  content: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The original in base64: the bytes of a file, or the JSON of a memory or app item. Null unless mode is original.',
  })
  contentBase64: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The facts extracted from the item, one sentence per line; those that a later fact contradicts end in (superseded). Null when the item was sent without infer or is not searchable yet.',
  })
  inferredContent: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Link to the original that works without an API key, until it expires or the item or its access list changes. Null unless mode is url or both.',
  })
  presignedUrl: string | null;

  @Field(() => String, {
    description:
      'Media type of the original, such as application/pdf; application/json for memories and app items.',
  })
  contentType: string;

  @Field(() => Int, { description: 'Size of the original in bytes.' })
  sizeBytes: number;

  @Field(() => String, { description: 'found, or that the item is not searchable yet, for people to read.' })
  message: string;
}

@ObjectType({
  description: 'A chunk: a piece of the text of an item, as it is indexed.',
  simpleResolvers: true,
})
export class SourceChunk {
  @Field(() => String, {
    description: 'Id of the chunk; the same in every answer until the item is ingested again.',
  })
  chunkUuid: string;

  @Field(() => String, { description: 'Id of the item that the chunk belongs to.' })
  id: string;

  @Field(() => Int, { description: 'Position of the chunk in its item, counted from 0.' })
  position: number;

  @Field(() => String, {
    description: 'Text of the chunk, preceded by the headings that apply to all of it.',
  })
  chunkContent: string;

  @Field(() => GraphQLJSONObject, {
    description:
      'Where the chunk stands in its item: headings and, if known, the place where it begins (first) and ends (last), such as page, slide or row.',
  })
  layout: JsonObject;

  @Field(() => SourceType, { description: 'Whether the item is knowledge or a memory.' })
  sourceType: 'knowledge' | 'memory';

  @Field(() => String, { description: 'Title of the item.' })
  sourceTitle: string;

  @Field(() => String, { description: 'Name of the collection that the item is in.' })
  collection: string;
}

@ObjectType({
  description: 'Chunks of one item, or the chunks with the requested ids.',
  simpleResolvers: true,
})
export class SourceChunkList {
  @Field(() => [SourceChunk], {
    description:
      'The chunks: those of an item in the order of its text, those asked for by id in the order of the ids.',
  })
  chunks: SourceChunk[];

  @Field(() => SourceType, {
    nullable: true,
    description: 'Whether knowledge or a memory was found; null when chunks of both or none were found.',
  })
  type: 'knowledge' | 'memory' | null;

  @Field(() => Boolean, { description: 'Whether there are more chunks than the limit allowed.' })
  isTruncated: boolean;

  @Field(() => [String], {
    description: 'Those of the requested chunkIds that do not exist or may not be read.',
  })
  missingChunkIds: string[];

  @Field(() => String, { description: 'How many chunks were found, for people to read.' })
  message: string;
}
