import { ArgsType, Field, Float, Int, registerEnumType } from 'type-graphql';
import { GraphQLJSON, GraphQLJSONObject } from '../lib/json.scalar.js';
import { answersAsDescription } from '../sources/item-descriptions.js';
import { SourceType } from '../sources/source.types.js';
import type { JsonObject } from '../sources/source.types.js';

export enum QueryBy {
  hybrid = 'hybrid',
  text = 'text',
}
registerEnumType(QueryBy, {
  name: 'QueryBy',
  description: 'What a search compares.',
  valuesConfig: {
    hybrid: { description: 'Both meaning and words.' },
    text: { description: 'Words alone.' },
  },
});

export enum TextOperator {
  or = 'or',
  and = 'and',
  phrase = 'phrase',
}
registerEnumType(TextOperator, {
  name: 'TextOperator',
  description:
    'Which words of the query a chunk must contain when queryBy is text. A query of only stop words is looked for as written, whichever operator is used.',
  valuesConfig: {
    or: { description: 'Any of them, even with one typing error.' },
    and: {
      description:
        'All of them except stop words, in any grammatical form, in the text, title and headings together.',
    },
    phrase: {
      description:
        'All of them in a row in the text, the title or one heading, in any grammatical form but with stop words as written.',
    },
  },
});

export enum QueryMode {
  auto = 'auto',
  fast = 'fast',
  thinking = 'thinking',
}
registerEnumType(QueryMode, {
  name: 'QueryMode',
  description: 'How thoroughly to search.',
  valuesConfig: {
    auto: {
      description:
        'A second pass, as in thinking, only when the query looks as if it takes more than one text to answer it.',
    },
    fast: { description: 'One pass that does not search the graph; graphContext has no paths then.' },
    thinking: {
      description:
        'The query is split into parts (by the language model, if one is configured), and a second pass continues from the best chunks by the names in them and by their neighbours.',
    },
  },
});

@ArgsType()
export class SearchArgs {
  @Field(() => String, { description: 'The database to search.' })
  database: string;

  @Field(() => String, { description: 'What to look for: 1 to 32768 characters.' })
  query: string;

  @Field(() => SourceType, {
    nullable: true,
    description: 'Which kind of content to search: knowledge (the default), memory, or all for both.',
  })
  type?: SourceType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the collection to search; the default collection when absent.',
  })
  collection?: string | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Several collections to search instead of collection: a list of 1 to 100 names, or an object that maps each name to a weight above 0. Scores are multiplied by the weight of the collection divided by the greatest weight.',
  })
  collections?: unknown;

  @Field(() => QueryBy, { nullable: true, description: 'What to compare; hybrid is the default.' })
  queryBy?: QueryBy | null;

  @Field(() => TextOperator, {
    nullable: true,
    description: 'Which of the words a chunk must contain; allowed only when queryBy is text. Default or.',
  })
  operator?: TextOperator | null;

  @Field(() => QueryMode, { nullable: true, description: 'How thoroughly to search; auto is the default.' })
  mode?: QueryMode | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many chunks to return at most, 1 to 250; default 10.',
  })
  maxResults?: number | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'How much meaning counts against words: from 0 (words alone) to 1 (meaning alone), or "auto" (the default), which decides by the query and the texts.',
  })
  alpha?: unknown;

  @Field(() => Float, {
    nullable: true,
    description:
      'How much newer items are preferred, from 0 (the default, not at all) to 1. Scores are multiplied by 1 - 0.75 × recencyBias × age / (age + a quarter of the median age of what was found). The age of an item is counted back from the newest one found, by when items were written or observed, or else uploaded.',
  })
  recencyBias?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to return relations around the query and the chunks found. With false, graphContext of the result is empty and the graph has no influence on the ranking. Default true.',
  })
  graphContext?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a second pass (see mode) ranks chunks among the best that state a relation between entities named in the query. Default true.',
  })
  queryForcefulRelations?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to rank app items also by titles and people that the query names, and to add what surrounds the best hits in their conversations (threads, replies, comments). If a message asks the same as the query, answers of others are ranked right behind it. Has no effect when queryBy is text or alpha is 0 or 1. Default true.',
  })
  queryApps?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Text about the situation in which the query is asked, at most 32768 characters. Its words and meaning count less than those of a query that asks completely; what a short question such as "what is the rent?" is about, they decide. The end of a long text counts most.',
  })
  additionalContext?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many of the nearest neighbours of each chunk to return in additionalContext, 0 to 20; default 0. Neighbours are first chunks of the same item, then what is next to a message, mail, comment or ticket in its conversation.',
  })
  numRelatedChunks?: number | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only chunks of the items with these ids are found; at most 1000 ids.',
  })
  ids?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: answersAsDescription,
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Conditions on the metadata of items, all of which must hold. A top-level key filters metadata, a key inside additional_metadata filters the free-form values. A plain value must be equal, a list means any of its values, and an object holds operators: $eq $ne $in $nin $gt $gte $lt $lte $exists $contains $contains_any. $and, $or and $not may stand at any level.',
  })
  metadataFilters?: JsonObject | null;
}
