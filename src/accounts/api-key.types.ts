import { Field, InputType, ObjectType } from 'type-graphql';
import { connectionOf } from '../lib/page.types.js';
import { ApiKey, Scope } from './api-key.entity.js';

@ObjectType()
export class ApiKeyConnection extends connectionOf(ApiKey) {}

@InputType()
export class CreateApiKeyInput {
  @Field(() => String, { description: '1 to 255 characters, for people to read.' })
  name: string;

  @Field(() => [Scope], { description: 'At least one.' })
  scopes: Scope[];

  @Field(() => [String], {
    nullable: true,
    description: 'The only databases it may touch; default: all that yours may.',
  })
  databases?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Principals that every call with it is scoped to.' })
  principals?: string[] | null;

  @Field(() => Date, { nullable: true, description: 'In the future; default: never, or when yours does.' })
  expiresAt?: Date | null;
}

@ObjectType({ description: 'A new API key. This is the only time that it is shown.' })
export class CreateApiKeyPayload {
  @Field(() => String, { description: 'What to send as Authorization: Bearer.' })
  key: string;

  @Field(() => ApiKey)
  apiKey: ApiKey;
}

@ObjectType({ description: 'Who asks.' })
export class Viewer {
  @Field(() => String, { description: 'The id of the account.' })
  orgId: string;

  @Field(() => String, { description: 'The name of the account.' })
  account: string;

  @Field(() => ApiKey, { description: 'The key of this request.' })
  apiKey: ApiKey;
}
