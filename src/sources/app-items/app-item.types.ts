import { Field, Float, InputType } from 'type-graphql';
import { GraphQLJSONObject } from '../../lib/json.scalar.js';
import { PlacedItemInput } from '../item-input.types.js';
import type { JsonObject } from '../source.types.js';

@InputType({ description: 'Text of an item: either plain text or Markdown, not both.' })
export class AppTextInput {
  @Field(() => String, { nullable: true, description: 'The text as plain text.' })
  text?: string | null;

  @Field(() => String, { nullable: true, description: 'The text as Markdown.' })
  markdown?: string | null;
}

@InputType({
  description:
    'A file or other content attached to an app item; its content can be searched as part of the item.',
})
export class AppAttachmentInput {
  @Field(() => String, { nullable: true, description: 'Id of the attachment in its application.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the attachment, such as a file name.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the attachment.' })
  url?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Media type of the attachment, such as application/pdf.',
  })
  contentType?: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Size of the attachment in bytes, a whole number from 0.',
  })
  sizeBytes?: number | null;

  @Field(() => AppTextInput, { nullable: true, description: 'Text of the attachment.' })
  content?: AppTextInput | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Free-form values that are stored with the attachment; at most 64 KiB as compact JSON.',
  })
  properties?: JsonObject | null;
}

@InputType({ description: 'A comment on an app item; it can be searched as part of the item.' })
export class AppCommentInput {
  @Field(() => String, { nullable: true, description: 'Id of the comment in its application.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Who wrote the comment: a name, an address or an id.' })
  author?: string | null;

  @Field(() => String, { description: 'Text of the comment.' })
  body: string;

  @Field(() => String, { nullable: true, description: 'When the comment was written, in ISO 8601.' })
  createdAt?: string | null;
}

@InputType({
  description:
    'An item of another application whose text is already extracted, such as a mail, message, ticket or page.',
})
export class AppKnowledgeInput extends PlacedItemInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Id of the item: at most 512 bytes, without a comma. When absent, it is provider:externalId if both are given, so that sending the item again replaces it (commas, %, control characters and colons of the provider are percent-encoded); otherwise the server makes one.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Title of the item, at most 1000 characters. Default: the subject or title in fields, else the first 80 characters of the text, else the id.',
  })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the item; at most 10000 characters.' })
  description?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Address of the item in its application; at most 4096 characters. Default: the url in fields.',
  })
  url?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A category of your choice, shown with the item; at most 1000 characters.',
  })
  type?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Kind of the item, which decides what fields mean: email, message, ticket, knowledge_base, comment or custom. Default: the kind in fields, else custom. Required when fields hold a title or text and there is neither content nor fields.data.',
  })
  kind?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the application that the item comes from, such as slack; stored in lower case.',
  })
  provider?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the item in that application; at most 512 bytes.',
  })
  externalId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'When the item was written, in ISO 8601. Default: created_at in fields.',
  })
  timestamp?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'What the item says, under the names of its kind in snake_case ([] marks lists, {} an object). email: subject body from to[] cc[] thread_id reply_to_id (or in_reply_to) forwarded_from_id created_at url; message: body author thread_id parent_id mentions[] created_at url; ticket: title description status priority assignee reporter parent_id linked_issue_ids[] created_at updated_at url; knowledge_base: title body parent_id created_by updated_by created_at updated_at url; comment: body author parent_id thread_id created_at updated_at url; custom: parent_id thread_id data{}. Other keys are stored, at most 64 KiB together, but not searched.',
  })
  fields?: JsonObject | null;

  @Field(() => AppTextInput, {
    nullable: true,
    description: 'Text of the item in addition to that in fields.',
  })
  content?: AppTextInput | null;

  @Field(() => [AppAttachmentInput], {
    nullable: true,
    description: 'Files and other content attached to the item; at most 200.',
  })
  attachments?: AppAttachmentInput[] | null;

  @Field(() => [AppCommentInput], { nullable: true, description: 'Comments on the item; at most 1000.' })
  comments?: AppCommentInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to extract preferences, facts and decisions from the item. Default false.',
  })
  infer?: boolean | null;
}
