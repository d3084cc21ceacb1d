import { Field, Float, InputType } from 'type-graphql';
import { GraphQLJSON, GraphQLJSONObject } from '../lib/json.scalar.js';
import type { JsonObject } from './source.types.js';

@InputType({ description: 'Text that came with an item: plain or Markdown, one of them.' })
export class AppTextInput {
  @Field(() => String, { nullable: true })
  text?: string | null;

  @Field(() => String, { nullable: true })
  markdown?: string | null;
}

@InputType({ description: 'What was attached to an app item; its content is searched with the item.' })
export class AppAttachmentInput {
  @Field(() => String, { nullable: true })
  id?: string | null;

  @Field(() => String, { nullable: true })
  title?: string | null;

  @Field(() => String, { nullable: true })
  url?: string | null;

  @Field(() => String, { nullable: true })
  contentType?: string | null;

  @Field(() => Float, { nullable: true, description: 'A whole number from 0.' })
  sizeBytes?: number | null;

  @Field(() => AppTextInput, { nullable: true })
  content?: AppTextInput | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Free-form, kept; at most 64 KiB.' })
  properties?: JsonObject | null;
}

@InputType({ description: 'A comment on an app item; it is searched with the item.' })
export class AppCommentInput {
  @Field(() => String, { nullable: true })
  id?: string | null;

  @Field(() => String, { nullable: true })
  author?: string | null;

  @Field(() => String)
  body: string;

  @Field(() => String, { nullable: true, description: 'ISO-8601.' })
  createdAt?: string | null;
}

@InputType({
  description: 'Content of another application, extracted already: a mail, a message, a ticket, a page.',
})
export class AppKnowledgeInput {
  @Field(() => String, {
    nullable: true,
    description:
      'At most 512 bytes, no comma. When absent: provider:externalId if both are given, so that the same item sent again replaces itself; commas, %, control characters and colons of the provider are percent-encoded there. Else made by the server.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Default: the subject or title among the fields, else the first 80 characters of the text, else the id. At most 1000 characters.',
  })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 10000 characters.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Default: the url among the fields.' })
  url?: string | null;

  @Field(() => String, { nullable: true, description: 'A free category for display.' })
  type?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'email, message, ticket, knowledge_base, comment or custom. Default: the kind among the fields, else custom; to be sent with fields other than data that hold a text, without content.',
  })
  kind?: string | null;

  @Field(() => String, { nullable: true, description: 'The application, e.g. slack; kept in lower case.' })
  provider?: string | null;

  @Field(() => String, { nullable: true, description: 'Its id in the other application.' })
  externalId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'ISO-8601: when it was written. Default: created_at among the fields.',
  })
  timestamp?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'By kind, in snake_case. email: subject body from to[] cc[] thread_id reply_to_id (or in_reply_to) forwarded_from_id created_at url; message: body author thread_id parent_id mentions[] created_at url; ticket: title description status priority assignee reporter parent_id linked_issue_ids[] created_at updated_at url; knowledge_base: title body parent_id created_by updated_by created_at updated_at url; comment: body author parent_id thread_id created_at updated_at url; custom: parent_id thread_id data{}. Other keys are kept, not searched.',
  })
  fields?: JsonObject | null;

  @Field(() => AppTextInput, { nullable: true, description: 'Text beside that of the fields.' })
  content?: AppTextInput | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Fields of the metadata schema; at most 16 KiB.',
  })
  metadata?: JsonObject | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Free-form; at most 1 KiB.' })
  additionalMetadata?: JsonObject | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals who may read it; empty or null: nobody; absent: the list of the request, or everyone.',
  })
  acl?: string[] | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Declared links: {ids: [item ids], properties} or [{predicate, target: {id} or {provider, external_id}, properties}].',
  })
  relations?: unknown;

  @Field(() => [AppAttachmentInput], { nullable: true, description: 'At most 200.' })
  attachments?: AppAttachmentInput[] | null;

  @Field(() => [AppCommentInput], { nullable: true, description: 'At most 1000.' })
  comments?: AppCommentInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Extract preferences, facts and decisions from it. Default false.',
  })
  infer?: boolean | null;

  @Field(() => String, { nullable: true, description: 'When given, that of the request.' })
  database?: string | null;

  @Field(() => String, { nullable: true, description: 'When given, that of the request.' })
  collection?: string | null;
}
